"""Which line of the reader's code is running: asked for each operator, so frames are walked by hand."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType, TracebackType

import torch
from torch import nn

from attn_helpers.live.errors import Line

_LIBRARIES = (
    str(Path(torch.__file__).parent),
    str(Path(__file__).parents[1]),
    str(Path(inspect.__file__).parent),
    "<string>",
    "<frozen",
)


class Lines:
    """Tells the reader's lines from those of libraries.

    Args:
        fn: the reader's function; its file counts as the reader's even where it belongs to a library.
        boundary: code of the function that calls fn; the search ends there.
    """

    def __init__(self, fn: Callable, boundary: CodeType) -> None:
        self._own = _file_of(fn)
        self._boundary = boundary

    def running(self) -> Line | None:
        """Find the innermost frame that is not a library's."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code is not self._boundary:
            if self._is_reader(frame.f_code):
                return Line(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
            frame = frame.f_back
        return None

    def raising(self, trace: TracebackType | None) -> Line | None:
        """Find the line that an exception came from."""
        line = None
        while trace is not None:
            code = trace.tb_frame.f_code
            if code is not self._boundary and self._is_reader(code):
                line = Line(code.co_filename, trace.tb_lineno, code.co_name)
            trace = trace.tb_next
        return line

    def place(self) -> str:
        """Write the running line as text for an error."""
        line = self.running()
        return f"on {line}" if line else "while running the function"

    def _is_reader(self, code: CodeType) -> bool:
        file = code.co_filename
        return file == self._own or not (file.startswith(_LIBRARIES) or "site-packages" in file)


def innermost(fn: Callable) -> Callable:
    """Take functools.partial off a function."""
    while isinstance(fn, functools.partial):
        fn = fn.func
    return fn


def _file_of(fn: Callable) -> str:
    fn = inspect.unwrap(innermost(fn))
    if not hasattr(fn, "__code__"):
        fn = type(fn).forward if isinstance(fn, nn.Module) else type(fn).__call__
    code = getattr(fn, "__code__", None)
    return code.co_filename if code else ""
