"""The Sphinx extension: a book's notebooks are edited and run on their pages.

    page_python = {
        "packages": ["my_package"],          # folders of Python packages that cells may import
        "start": "my_package.page:start",    # called before the first cell; may be left out
        "looks": ["show_*"],                 # functions of the book that change nothing that they are given
        "draws": ["*Layer"],                 # such as draw random numbers
        "changes": ["train*"],               # such as change what they are given and give a result
        "exercise": "^check.'([a-z-]+)'",    # finds the name of the exercise that a cell is
        "solved": "Correct:",                # how the reply to a right answer begins
    }
    page_torch = ""

Empty, nothing is made. `page_torch` is the address of a PyTorch wheel for Pyodide, in place of the facade.
The files are made by Node (build/build.mjs), with the modules that package.json here names: where either is
not there, one line says so, and the site is built without them.

A cell may have a tag: `page-keeps` (it works for long) or `needs-jupyter` (the page lacks what it needs);
the page does not run it then, nor the cells below that read what it makes, and their stored outputs stay.

What a page needs before the switch is pressed is small: a number for each cell's code and output (ids
``in-12`` and ``out-12``, by the cell's place in the notebook) and one script. The lesson itself, without its
outputs, lies beside the editor's script in ``_static/page/lessons``; nothing there is fetched before.
"""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from pagepython.running.names import RANDOM, names_of

HERE = Path(__file__).parent
SCRIPT = HERE / "build" / "build.mjs"
FOLDER = "_static/page"
EDITOR = f"{FOLDER}/edit.js"
LESSONS = f"{FOLDER}/lessons"
SWITCH = "edit_switch.js"
WITHOUT_MODULES = 3  # what the script leaves with
# tag -> what stands at the cell, and why
KEPT = {
    "page-keeps": ("takes long", "It works for half a minute or longer, so its stored output stays."),
    "needs-jupyter": ("needs Jupyter", "It needs what the page does not have, so its stored output stays."),
}
CELL = re.compile(r'id="in-\d')
NEVER = "(?!)"
PATTERNS = ("looks", "draws", "changes")
log = logging.getLogger(__name__)


def build(app: Any) -> None:
    """Write the files before the first page is, so that a page can tell whether they are there."""
    out = Path(app.outdir, FOLDER)
    if out.exists():
        shutil.rmtree(out)
    wanted = app.config.page_python
    if app.builder.format != "html" or not wanted:
        return
    missing = [name for name in wanted.get("packages", []) if not Path(app.srcdir, name).is_dir()]
    if missing:
        raise ExtensionError(f"page_python names packages that are not there: {', '.join(missing)}.")
    node = shutil.which("node")
    options = {
        "packages": [str(Path(app.srcdir, name)) for name in wanted.get("packages", [])],
        "start": wanted.get("start", ""),
        "torch": app.config.page_torch,
        "keep": str(Path(app.doctreedir).parent / "page"),
    }
    command = [node or "node", str(SCRIPT), str(out), json.dumps(options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False) if node else None
    if done is None or done.returncode == WITHOUT_MODULES:
        log.info("Node or its modules are not there: cells do not run in the pages of this site.")
    elif done.returncode:
        shutil.rmtree(out, ignore_errors=True)
        raise ExtensionError(f"Python for the pages could not be made: {done.stderr.strip()}")
    else:
        app.config.html_static_path.append(str(HERE / "static"))


def lesson(
    notebook: dict[str, Any],
    *,
    exercise: str = NEVER,
    solved: str = "",
    patterns: dict[str, list[str]] | None = None,
) -> dict[str, Any]:
    """Give what the editor reads of a lesson: the notebook without outputs, and what the page adds to it.

    >>> cell = {"id": "try", "cell_type": "code", "source": 'check("top-p", f)', "metadata": {}}
    >>> page = lesson({"cells": [cell], "metadata": {}}, exercise=r'^check\\("(.*?)"')["page"]
    >>> page["cells"]["0"]["exercise"], page["cells"]["0"]["names"]["reads"]
    ('top-p', ['check', 'f'])
    """
    cells: list[dict[str, Any]] = []
    said: dict[str, dict[str, Any]] = {}
    patterns = patterns or {}
    for place, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])  # which a notebook may store in lines
        kept = {key: cell[key] for key in ("id", "cell_type", "metadata") if key in cell} | {"source": source}
        if cell["cell_type"] == "code":
            kept |= {"outputs": [], "execution_count": None}
            about = _about(source, cell["metadata"].get("tags", []), exercise)
            said[str(place)] = {**about, "names": names_of(source, **patterns)}
        cells.append(kept)
    _keep_what_follows(list(said.values()))
    return {**notebook, "cells": cells, "page": {"solved": solved, "patterns": patterns, "cells": said}}


def _about(source: str, tags: list[str], exercise: str) -> dict[str, str]:
    """Say which exercise a cell is, and why it is not run."""
    found = re.search(exercise, source, re.MULTILINE | re.DOTALL)
    why = [words for tag, words in KEPT.items() if tag in tags]
    kept = {"mark": why[0][0], "kept": why[0][1]} if why else {}
    return {**({"exercise": found[1]} if found else {}), **kept}


def _keep_what_follows(cells: list[dict[str, Any]]) -> None:
    """Mark the cells that read what a cell that is not run would make."""
    lost: dict[str, int] = {}  # name -> the number of the cell that would make it
    for number, cell in enumerate(cells, 1):
        names = cell["names"] or {}
        needed = [lost[name] for name in (*names.get("reads", ()), *names.get("later", ())) if name in lost]
        if needed and "kept" not in cell:
            why = f"It needs what cell {max(needed)} makes, which is not run here: its stored output stays."
            cell |= {"mark": f"needs cell {max(needed)}", "kept": why}
        for name in set(names.get("binds", ())) - {RANDOM}:
            lost.pop(name, None)
            if "kept" in cell:
                lost[name] = number


class MarkCells(SphinxTransform):
    """Number the code and the output of each cell, before a theme or an extension moves them apart."""

    default_priority = 405

    def apply(self, **kwargs: Any) -> None:
        """Walk the cells of one page."""
        if not is_lesson(self.app, self.env.docname):
            return
        exercise = re.compile(self.config.page_python.get("exercise", NEVER), re.MULTILINE | re.DOTALL)
        for cell in self.document.findall(nodes.container):
            if cell.get("nb_element") != "cell_code" or "cell_index" not in cell:
                continue
            for part in cell.children:
                if isinstance(part, nodes.container) and part.get("nb_element") == "cell_code_source":
                    part["ids"].append(f"in-{cell['cell_index']}")
                    if found := exercise.search(part.astext()):
                        part["classes"].append(f"exercise-{found[1]}")
                elif isinstance(part, nodes.container) and part.get("nb_element") == "cell_code_output":
                    part["ids"].append(f"out-{cell['cell_index']}")


def is_lesson(app: Any, docname: str) -> bool:
    """Tell whether a page is a notebook."""
    return str(app.env.doc2path(docname)).endswith(".ipynb")


def version(app: Any) -> str:
    """Give a short sum of the editor's script: a browser keeps it for as long as its host says."""
    return hashlib.sha256(Path(app.outdir, EDITOR).read_bytes()).hexdigest()[:8]


def changed(app: Any, env: Any, added: object, changed: object, removed: object) -> list[str]:
    """Write all lessons again when the editor has come, or gone, since they were written."""
    before, env.edit_and_run = getattr(env, "edit_and_run", False), Path(app.outdir, EDITOR).exists()
    return [name for name in env.found_docs if is_lesson(app, name)] if before != env.edit_and_run else []


def add_switch(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Tell a lesson's template of the switch, and load its script."""
    if doctree is None or not is_lesson(app, pagename) or not Path(app.outdir, EDITOR).exists():
        return
    if CELL.search(context.get("body") or ""):
        context["edit_switch"] = {"lesson": Path(pagename).name, "version": version(app)}
        app.add_js_file(SWITCH, loading_method="defer")


def write_lessons(app: Any, exception: Exception | None) -> None:
    """Lay every lesson beside the editor."""
    if exception is not None or not Path(app.outdir, EDITOR).exists():
        return
    folder = Path(app.outdir, LESSONS)
    folder.mkdir(parents=True, exist_ok=True)
    given = app.config.page_python
    data = {key: given[key] for key in ("exercise", "solved") if key in given}
    data["patterns"] = {key: given[key] for key in PATTERNS if key in given}
    for docname in filter(lambda name: is_lesson(app, name), app.env.found_docs):
        notebook = json.loads(Path(app.env.doc2path(docname)).read_text("utf-8"))
        text = json.dumps(lesson(notebook, **data), ensure_ascii=False)
        Path(folder, f"{Path(docname).name}.json").write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.add_config_value("page_python", {}, "env", [dict])
    app.add_config_value("page_torch", "", "env", [str])
    app.add_transform(MarkCells)
    app.connect("builder-inited", build, priority=300)
    app.connect("env-get-outdated", changed)
    app.connect("html-page-context", add_switch)
    app.connect("build-finished", write_lessons)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
