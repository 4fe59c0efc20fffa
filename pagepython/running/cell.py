"""Run cells as Jupyter does: what they print, what their last line gives, and errors with the reader's lines.

A figure is shown, too, when another line follows it.

The page, Node and the tests run cells by this one.
"""

import ast
import builtins
import contextlib
import json
import linecache
import re
import sys
import time
import types
from collections.abc import Callable
from typing import Any

from pagepython.running.output import Stream, bundle
from pagepython.running.plain import in_words

ABSENT = re.compile(r"([\w.]+) is not in the page")
NO_ROOM = re.compile(
    r"allocation failed|Invalid typed array length|Array buffer|out of memory", re.IGNORECASE
)
# what no page has, by the words of Python's errors
BEYOND = (
    (re.compile("can't start new thread"), "a thread"),
    (re.compile("does not support processes|No module named '_multiprocessing'"), "another process"),
    (
        re.compile("TLS not supported|unknown url type: https|Remote end closed|Resource temporarily"),
        "the network",
    ),
)
FIGURE = "_figure_of_a_line"
SHOWN = 8  # calls of the reader's code in an error, the last ones
_cells: set[str] = set()  # the file names that cells are compiled under


class Handle:
    """What `display` gives: it can show another value later."""

    def __init__(self, show: Callable[[object], None]) -> None:
        self._show = show

    def update(self, value: object) -> None:
        """Show another value."""
        self._show(value)


class Kernel:
    """Runs cells one after the other in one space of names.

    Args:
        send: takes each output as its kind, what it holds, and its text.

    >>> Kernel(print).run("1 + 1", "In [1]")
    text 2 2
    '{"ok": true, ...}'
    """

    def __init__(self, send: Callable[[str, str, str], object]) -> None:
        self._send = send
        self._stream = Stream(lambda text: send("stream", text, text))
        builtins.__dict__["display"] = self.display
        builtins.__dict__[FIGURE] = self._figure
        builtins.__dict__["input"] = _ask
        self.reset()

    def reset(self) -> None:
        """Forget the names of the cells; what modules hold stays."""
        self._module = types.ModuleType("__main__")
        sys.modules["__main__"] = self._module
        self._module.__dict__["__builtins__"] = builtins

    def display(self, *values: object, **_: object) -> Handle:
        """Show values before a cell ends."""
        for value in values:
            self._show(value)
        return Handle(self._show)

    def clear(self) -> None:
        """Take away what the cell has shown."""
        self._stream.flush()
        self._send("clear", "", "")

    def run(self, source: str, cell: str) -> str:
        """Run a cell and say, as JSON, how it went."""
        name, began = f"<{cell}>", time.perf_counter()
        out, sys.stdout = sys.stdout, self._stream
        err, sys.stderr = sys.stderr, self._stream
        self._stream.begin()
        try:
            tree = self._parsed(source, name)
            last = None
            end = tree.body[-1] if tree.body else None
            if isinstance(end, ast.Expr) and not source.rstrip().endswith(";"):
                del tree.body[-1]
                last = ast.Expression(end.value)
            space = self._module.__dict__
            exec(compile(_watched(tree), name, "exec"), space)
            if last is not None and (value := eval(compile(last, name, "eval"), space)) is not None:
                space["_"] = value
                self._show(value)
            result = {"ok": True}
        except BaseException as fault:
            result = {"ok": False, **described(fault)}
        finally:
            self._stream.flush()
            sys.stdout, sys.stderr = out, err
        return json.dumps({**result, "milliseconds": (time.perf_counter() - began) * 1000})

    def _show(self, value: object) -> None:
        self._stream.flush()
        self._send(*bundle(value))

    def _figure(self, value: object) -> None:
        """Show what a line gives that is not the last, if it is a figure."""
        if hasattr(type(value), "_repr_mimebundle_") and (shown := bundle(value))[0] == "figure":
            self._stream.flush()
            self._send(*shown)

    def _parsed(self, source: str, name: str) -> ast.Module:
        """Give a cell's tree; lines that only Jupyter understands are left out, and that is said."""
        _cells.add(name)
        try:
            tree = ast.parse(source, name)
        except SyntaxError:
            lines = source.split("\n")
            passed = [line for line in lines if line.startswith(("%", "!"))]
            if not passed:
                raise
            source = "\n".join("" if line.startswith(("%", "!")) else line for line in lines)
            tree = ast.parse(source, name)
            for line in passed:
                print(f"({line.strip()}: a command of Jupyter's, which the page leaves out)")
        # so that errors, show_source and inspect find the cell's lines
        linecache.cache[name] = (len(source), None, f"{source}\n".splitlines(keepends=True), name)
        return tree


def _ask(prompt: object = "") -> str:
    """Refuse to ask a reader for a line, which a worker cannot wait for."""
    raise EOFError("input is not in the page; run this notebook in Jupyter.")


def _watched(tree: ast.Module) -> ast.Module:
    """Hand on what the lines of a cell give that stand there alone."""
    for line in tree.body:
        if isinstance(line, ast.Expr):
            show = ast.copy_location(ast.Name(FIGURE, ast.Load()), line)
            line.value = ast.copy_location(ast.Call(show, [line.value], []), line.value)
    return tree


def described(fault: BaseException) -> dict[str, Any]:
    """Say what an error is: name, message, the reader's lines, and what is not in the page."""
    name, message, frames = type(fault).__name__, str(fault), []
    trace = fault.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file in _cells:
            frames.append(_frame(file, trace.tb_lineno))
        trace = trace.tb_next
    if isinstance(fault, SyntaxError) and fault.filename in _cells:
        message = fault.msg
        place = {"text": (fault.text or "").rstrip("\n"), "column": fault.offset or 1}
        frames.append({**_frame(fault.filename, fault.lineno or 1), **place})
    if NO_ROOM.search(message) or isinstance(fault, MemoryError):
        name = "MemoryError"
        message = f"the page has no room for this. {message}".rstrip()
    for words, what in BEYOND:
        if words.search(message):
            message = f"{what} is not in the page; run this notebook in Jupyter. ({message})"
    if isinstance(fault, NameError) and (path := _starred(fault.name)):
        message = f"{path} is not in the page's torch; run this notebook in Jupyter."
    missing = ABSENT.search(message)
    error = {"name": name, "message": message, "frames": frames[-SHOWN:]}
    if missing:
        error["missing"] = missing[1]
    elif frames:
        with contextlib.suppress(Exception):  # what a reader's own objects do must not hide the error itself
            error |= {"plain": plain} if (plain := in_words(fault, _cells.__contains__)) else {}
    return {"error": error, "absent": bool(missing)}


def _starred(name: str | None) -> str | None:
    """Give PyTorch's name for what a cell's `from torch.something import *` does not bring."""
    text = "".join(line for cell in _cells for line in linecache.getlines(cell))
    for space in re.findall(r"from torch\.([\w.]+) import \*", text):
        from torch import _surface  # type: ignore[attr-defined]

        if name and f"{space}.{name}" in _surface.LINES:
            return f"torch.{space}.{name}"
    return None


def _frame(file: str, line: int) -> dict[str, Any]:
    return {"cell": file[1:-1], "line": line, "text": linecache.getline(file, line).rstrip("\n")}
