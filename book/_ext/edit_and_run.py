"""Put the switch "Edit and run" on the lessons, where the site was built with Python for its pages.

What a page needs before the switch is pressed is small: a number for each cell's code and output (ids
``in-12`` and ``out-12``, by the cell's place in the notebook) and one script. The lesson itself, without its
outputs, lies beside the editor's script in ``_static/page/lessons``; nothing there is fetched before.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from page_form import is_cell, parts
from sphinx.transforms import SphinxTransform

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "page"))
from conformance import LEFT_OUT

EDITOR = "_static/page/edit.js"
LESSONS = "_static/page/lessons"
TOO_LONG = "It works for minutes, so the page keeps the stored output."
# a function that waits to be written, and its check: others show what check says
EXERCISE = re.compile(r'\): \.\.\.$.*?^check\("([\w-]+)", ', re.MULTILINE | re.DOTALL)
CELL = re.compile(r'id="in-\d')
SOLVED = "Correct:"  # how check begins when nothing is wrong


def source(cell: dict[str, Any]) -> str:
    """Give a cell's text, which a notebook may store in lines."""
    return "".join(cell["source"])


def lesson(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """Give what the editor reads of a lesson: the notebook without outputs, and what the page adds to it.

    >>> lesson({"cells": [{"id": "try", "cell_type": "code", "source": 'def f(): ...\\ncheck("top-p", f)',
    ...                    "metadata": {},
    ...                    "outputs": [1], "execution_count": 3}], "metadata": {}}, "10")["page"]
    {'solved': 'Correct:', 'cells': {'0': {'exercise': 'top-p'}}}
    """
    cells, said = [], {}
    for place, cell in enumerate(notebook["cells"]):
        kept = {key: cell[key] for key in ("id", "cell_type", "metadata") if key in cell} | {
            "source": source(cell)
        }
        if cell["cell_type"] == "code":
            kept |= {"outputs": [], "execution_count": None}
            exercise = EXERCISE.search(source(cell))
            if exercise:
                said[str(place)] = {"exercise": exercise[1]}
            if place in LEFT_OUT.get(name, ()):
                said[str(place)] = {"kept": TOO_LONG}
        cells.append(kept)
    page = {"solved": SOLVED, "cells": said}
    return {**notebook, "cells": cells, "page": page}


class MarkCells(SphinxTransform):
    """Number the code and the output of each cell, before the page gets its form and they part."""

    default_priority = 405

    def apply(self, **kwargs) -> None:
        """Walk the cells of one page."""
        if not self.env.doc2path(self.env.docname).endswith(".ipynb"):
            return
        for cell in filter(is_cell, self.document.findall(nodes.container)):
            code, output = parts(cell)
            for node, kind in ((code, "in"), (output, "out")):
                if node is not None and "cell_index" in cell:
                    node["ids"].append(f"{kind}-{cell['cell_index']}")
            exercise = EXERCISE.search(code.astext()) if code is not None else None
            if exercise:
                code["classes"].append(f"exercise-{exercise[1]}")


def is_lesson(app, docname: str) -> bool:
    """Tell whether a page is a notebook."""
    return app.env.doc2path(docname).endswith(".ipynb")


def version(app) -> str:
    """Give a short sum of the editor's script: a browser keeps it for as long as its host says."""
    return hashlib.sha256(Path(app.outdir, EDITOR).read_bytes()).hexdigest()[:8]


def changed(app, env, added, changed, removed) -> list[str]:
    """Write all lessons again when the editor has come, or gone, since they were written."""
    before, env.edit_and_run = getattr(env, "edit_and_run", False), Path(app.outdir, EDITOR).exists()
    return [name for name in env.found_docs if is_lesson(app, name)] if before != env.edit_and_run else []


def add_switch(app, pagename, templatename, context, doctree) -> None:
    """Put the switch and its script on a lesson."""
    if doctree is None or not is_lesson(app, pagename) or not Path(app.outdir, EDITOR).exists():
        return
    if CELL.search(context.get("body") or ""):
        context["edit_switch"] = {"lesson": Path(pagename).name, "version": version(app)}
        app.add_js_file("edit_switch.js", loading_method="defer")


def write_lessons(app, exception) -> None:
    """Lay every lesson beside the editor."""
    if exception is not None or not Path(app.outdir, EDITOR).exists():
        return
    folder = Path(app.outdir, LESSONS)
    folder.mkdir(parents=True, exist_ok=True)
    for docname in filter(lambda name: is_lesson(app, name), app.env.found_docs):
        name, path = Path(docname).name, Path(app.env.doc2path(docname))
        text = json.dumps(lesson(json.loads(path.read_text("utf-8")), name), ensure_ascii=False)
        Path(folder, f"{name}.json").write_text(text, encoding="utf-8")


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.add_transform(MarkCells)
    app.connect("env-get-outdated", changed)
    app.connect("html-page-context", add_switch)
    app.connect("build-finished", write_lessons)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
