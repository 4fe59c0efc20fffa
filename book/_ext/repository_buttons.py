"""Show Binder, Colab and source buttons once the repository's address is known.

The one place to set it is ``repository: url:`` in ``_config.yml``; while it is empty, no page links to one,
and `ways_in.md`, which writes NAME/REPOSITORY for it, leaves the ways out that need it.
"""

import re

WAYS_IN = "book/ways_in"
NAMED = "NAME/REPOSITORY"
SECTION = re.compile(r"^## .*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
WITHOUT = (
    "## Binder, Colab, JupyterHub\n\n"
    "They fetch the notebooks from a repository, and this copy of the book names none.\n"
    "Whoever publishes it writes the address into `_config.yml`, and this page then says how.\n\n"
)

LAUNCH = {
    "notebook_interface": "jupyterlab",
    "binderhub_url": "https://mybinder.org",
    "colab_url": "https://colab.research.google.com",
}


def add_buttons(app, config) -> None:
    """Turn the buttons on or off before the theme reads its options."""
    options = config.html_theme_options
    url = (options.get("repository_url") or "").strip().rstrip("/")
    options["repository_url"] = url
    options["use_repository_button"] = options["use_source_button"] = options["use_issues_button"] = bool(url)
    options["launch_buttons"] = LAUNCH if url.startswith("https://github.com/") else {}


def in_words(text: str, url: str) -> str:
    """Write the repository's own name for the placeholder, or leave out the sections that need it.

    >>> in_words("## A\\n\\nNAME/REPOSITORY\\n", "https://github.com/ann/book")
    '## A\\n\\nann/book\\n'
    >>> NAMED in in_words("## A\\n\\nNAME/REPOSITORY\\n\\n## B\\n", "")
    False
    """
    name = url.removeprefix("https://github.com/")
    if url and name != url:
        owner, _, repository = name.partition("/")
        return (
            text.replace(NAMED, name)
            .replace("NAME%2FREPOSITORY", f"{owner}%2F{repository}")
            .replace("REPOSITORY", repository)
        )
    needing = [one[0] for one in SECTION.finditer(text) if "REPOSITORY" in one[0]]
    for place, section in enumerate(needing):
        text = text.replace(section, "" if place else WITHOUT)
    return text


def name_repository(app, docname: str, source: list[str]) -> None:
    """Let the page of the ways into the book say what this copy of it knows."""
    if docname == WAYS_IN:
        source[0] = in_words(source[0], app.config.html_theme_options["repository_url"])


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx, before the theme."""
    app.connect("source-read", name_repository)
    app.connect("config-inited", add_buttons, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
