"""Turn what reads well in a notebook into what the site understands: sources, equations and their labels.

`tools/notebooks/plain_links.py` writes the links that are read here.
"""

import json
import re
from typing import Any

_CITATION = re.compile(r"\[(\(?)[^\]]+\]\(\.\./book/references\.bib#([\w,]+)\)")
_EQUATION = re.compile(r"\[([^\]]+)\]\(#equation-([\w-]+)\)")
_LABEL = re.compile(r"\n% \(([\w-]+)\)\n\$\$")


def with_roles(source: str) -> str:
    """Write links to sources and equations as roles, and comments as labels."""
    source = _CITATION.sub(lambda found: f"{{cite:{'p' if found[1] else 't'}}}`{found[2]}`", source)
    source = _EQUATION.sub(r"\1 {eq}`\2`", source)
    return _LABEL.sub(r"\n$$ (\1)", source)


def read_notebook(app: Any, docname: str, source: list[str]) -> None:
    """Change the markdown cells of a notebook before it is parsed."""
    if not str(app.env.doc2path(docname)).endswith(".ipynb"):
        return
    notebook = json.loads(source[0])
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = with_roles("".join(cell["source"]))
    source[0] = json.dumps(notebook)


def setup(app: Any) -> dict[str, bool]:
    """Hook into Sphinx."""
    app.connect("source-read", read_notebook)
    return {"parallel_read_safe": True}
