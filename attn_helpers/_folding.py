"""Outputs that stay closed in a running JupyterLab, which opens the folds of every cell that it runs."""

import html
import sys
from typing import Any


def in_lab() -> bool:
    """Tell whether a cell runs in JupyterLab or Notebook: they say which, what makes the book does not.

    >>> in_lab()
    False
    """
    if "IPython" not in sys.modules:
        return False
    kernel: Any = getattr(sys.modules["IPython"].get_ipython(), "kernel", None)
    asked = kernel.get_parent("shell") if hasattr(kernel, "get_parent") else {}
    return "cellId" in asked.get("metadata", {})


def closed(body: str, summary: str) -> str:
    """Put HTML behind a line that opens it.

    >>> closed("<p>3</p>", "Show the answer")
    '<details><summary>Show the answer</summary><p>3</p></details>'
    """
    return f"<details><summary>{html.escape(summary)}</summary>{body}</details>"
