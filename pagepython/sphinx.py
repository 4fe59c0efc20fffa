"""Python in the pages of a Sphinx book: what its cells need to run in the reader's browser, beside the pages.

    page_python = {"packages": ["my_package"], "setup": "page_setup.py"}
    page_torch = ""

`page_python` names the folders of Python packages that cells may import, and a script that runs before the
first cell, both from the book's source folder; empty, nothing is made. `page_torch` is the address of a
PyTorch wheel for Pyodide, in place of the page's own torch. The files are made by Node (page/build.mjs), with
the modules that page/package.json names: where either is not there, one line says so, and the site is built
without them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.errors import ExtensionError
from sphinx.util import logging

if TYPE_CHECKING:
    from sphinx.application import Sphinx

SCRIPT = Path(__file__).parent / "page" / "build.mjs"
FOLDER = "_static/page"
WITHOUT_MODULES = 3  # what the script leaves with
log = logging.getLogger(__name__)


def build(app: Sphinx) -> None:
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
        "setup": str(Path(app.srcdir, wanted["setup"])) if "setup" in wanted else "",
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


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.add_config_value("page_python", {}, "env", [dict])
    app.add_config_value("page_torch", "", "env", [str])
    app.connect("builder-inited", build, priority=300)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
