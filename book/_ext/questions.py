"""Load the script of the questions on the pages that ask one."""

from pathlib import Path

BUILT = Path(__file__).resolve().parents[2] / "attn_lessons" / "exercises" / "questions" / "built"
MARK = "lt-question"


def add_folder(app, config) -> None:
    """Copy script and style sheet, as built, beside the book's other static files."""
    config.html_static_path.append(str(BUILT))


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Load script and style sheet where they are used; a question wears the clothes of a figure's card."""
    if MARK in (context.get("body") or ""):
        app.add_js_file("questions.js", loading_method="defer")
        app.add_css_file("questions.css")


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("config-inited", add_folder)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
