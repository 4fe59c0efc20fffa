"""Before homework is run: cells that do more than compute are not run, and the feedback says why.

This stops what is tried in a class (reading the solution out of the book, patching what grades, reaching for
files and processes). It is no wall against an attacker: grade in a container, as `book/hosting.md` says.
"""

import ast
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_locked

MODULES = {"torch", "math", "functools", "itertools", "collections", "dataclasses", "typing", "__future__"}
NAMES = {
    *("eval", "exec", "open", "compile", "globals", "locals", "vars", "getattr", "setattr", "delattr", "dir"),
    *("breakpoint", "input", "exit", "quit", "get_ipython", "display", "In", "Out", "help"),
}
PARTS = {
    *("os", "sys", "load", "save", "hub", "jit", "compile", "utils", "ops", "library", "classes", "package"),
    *("subprocess", "multiprocessing", "distributed", "from_file", "modules", "builtins", "serialization"),
    *("format_map", "warnings", "types", "inspect", "importlib", "set_default_device"),
}


def refused(source: str) -> str:
    """Say in a sentence why a cell is not run, or nothing.

    >>> refused("import os")
    'it imports os'
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError) as error:
        return f"Python cannot read it ({type(error).__name__})"
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            tops = [node.module or "."] if isinstance(node, ast.ImportFrom) else names
            for name in tops:
                if name.partition(".")[0] not in MODULES or PARTS & {*name.split(".")}:
                    return f"it imports {name}"
            if isinstance(node, ast.ImportFrom) and PARTS & {*names}:
                return f"it imports {', '.join(names)}"
        if isinstance(node, ast.Name) and (node.id in NAMES or node.id.startswith("__")):
            return f"it uses {node.id}"
        if isinstance(node, ast.Attribute):
            if node.attr in PARTS or (
                node.attr.startswith("_") and node.attr not in {"__init__", "__call__"}
            ):
                return f"it uses .{node.attr}"
            own = isinstance(node.value, ast.Name) and node.value.id == "self"
            if not isinstance(node.ctx, ast.Load) and not own:
                return f"it changes .{node.attr} of something that is not its own"
    return ""


class OnlyWhatComputes(NbGraderPreprocessor):
    """A step of nbgrader's autograder, after the teacher's cells were put back."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Put an error in the place of each cell that may not be run."""
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as book:
            for cell in nb.cells:
                if (
                    cell.cell_type == "code"
                    and not _ours(cell, book, names)
                    and (why := refused(cell.source))
                ):
                    allowed = ", ".join(sorted(MODULES - {"__future__"}))
                    said = f"This cell was not run, because {why}. Homework may import {allowed}."
                    old = [f"# {line}" for line in cell.source.splitlines()]
                    cell.source = "\n".join([f"raise PermissionError({said!r})", *old])
        return nb, resources


def _ours(cell: Any, book: Any, names: Any) -> bool:
    """Was the cell written by the teacher, and put back? What a student calls locked counts for nothing."""
    if not is_locked(cell):
        return False
    try:
        known = book.find_source_cell(
            cell.metadata.nbgrader["grade_id"], names["notebook"], names["assignment"]
        )
    except MissingEntry:
        return False
    return known.locked and known.source == cell.source
