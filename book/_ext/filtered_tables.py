"""Give tables with the class ``filtered`` lists of choices above them, on the pages that have one.

In Markdown any table may have the class; lists come to the columns in which a few cells come again and again:

    ```{list-table}
    :class: filtered
    ```

In HTML, ``<th class="by">`` says which columns get a list, ``<td data-value="...">`` what a cell counts as.
The script is `book_static/filtered.js`; without it, the table is a plain one.
"""

import re

MARK = re.compile(r"<table[^>]*\bclass=[\"'][^\"']*\bfiltered\b")
STYLE = "filtered.css"


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Load script and style sheet on a page that has such a table."""
    if MARK.search(context.get("body") or ""):
        app.add_js_file("filtered.js", loading_method="defer")
        context["sheets_apart"] = [STYLE]


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
