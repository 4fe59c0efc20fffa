"""Errors as a reader needs them: a few lines, the last of them of the reader's own code."""

import functools
from collections.abc import Callable
from types import TracebackType
from typing import ParamSpec, TypeVar

from livetorch.program.errors import Line
from livetorch.tracing.reader.reader_code import is_library

P = ParamSpec("P")
R = TypeVar("R")
_SHOWN = 4  # calls, the last ones


def short_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Let what a public function raises lead to the reader's line, without a line of this library.

    A notebook then shows at most a dozen lines; elsewhere Python's traceback loses the library's frames.

    >>> short_errors(int)("7")
    7
    """

    own = getattr(getattr(function, "__code__", None), "co_filename", "")  # a library above this one

    @functools.wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        __tracebackhide__ = True  # pytest leaves this frame out
        try:
            return function(*args, **kwargs)
        except (ValueError, TypeError) as error:
            for one in (error, error.__cause__):
                if one is not None:
                    one.__traceback__ = _reader_frames(one.__traceback__, own)
            # IPython asks an error for the lines to show
            error._render_traceback_ = functools.partial(_lines, error)  # type: ignore[union-attr]
            raise

    return called


def _reader_frames(trace: TracebackType | None, own: str = "") -> TracebackType | None:
    """Copy a traceback without the frames of libraries, and of the file `own`."""
    if trace is None:
        return None
    rest = _reader_frames(trace.tb_next, own)
    if is_library(trace.tb_frame.f_code) or trace.tb_frame.f_code.co_filename == own:
        return rest
    return TracebackType(rest, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)


def _lines(error: BaseException) -> list[str]:
    """Write the calls of the reader's code that led to an error, and its text."""
    calls = []
    for one in (error, error.__cause__):
        trace = _reader_frames(one.__traceback__) if one is not None else None
        while trace is not None:
            code = trace.tb_frame.f_code
            line = Line(code.co_filename, trace.tb_lineno, code.co_name)
            calls.append(f"  {line}".replace("of <module>", "of the cell"))
            trace = trace.tb_next
    text = f"{type(error).__name__}: {error}"
    return ["Traceback (your lines, most recent call last)", *calls[-_SHOWN:], text]
