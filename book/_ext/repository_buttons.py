"""Show Binder, Colab and source buttons once the repository's address is known.

The one place to set it is ``repository: url:`` in ``_config.yml``; while it is empty, no page links to one.
"""

from __future__ import annotations

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


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx, before the theme."""
    app.connect("config-inited", add_buttons, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
