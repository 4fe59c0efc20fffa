"""The reader's function: its name, what it gave back, which of its lines is running, which clock it reads.

The line is asked for at each operator, so frames are walked by hand.
"""

import dis
import functools
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any

import torch
from torch import Tensor, nn

from livetorch.program.errors import Line, OutputError

_LIBRARIES = (
    str(Path(torch.__file__).parent),
    str(Path(__file__).parents[2]),
    str(Path(inspect.__file__).parent),
    "<string>",
    "<frozen",
)
# parts of torch that look at numbers in Python
_CHECKING = tuple(
    str(Path(torch.__file__).parent / part)
    for part in ("nn", "optim", "autograd", "testing", "distributions")
)
_CALLING = {"_call_impl", "_wrapped_call_impl"}  # of nn.Module: they never are what asked


def innermost(fn: Callable) -> Callable:
    """Take functools.partial off a function."""
    while isinstance(fn, functools.partial):
        fn = fn.func
    return fn


def function_name(fn: Callable) -> str:
    """Name a function, an `nn.Module` or a `functools.partial` for messages.

    >>> function_name(torch.nn.Linear(2, 3))
    'Linear'
    """
    fn = innermost(fn)
    return getattr(fn, "__name__", type(fn).__name__)


def named_outputs(fn: Callable, result: Any) -> dict[str, Tensor]:
    """Give what a function returned as a dict of tensors: a single tensor is called `output`.

    Raises:
        OutputError: it is something else; the text says what, and how to return it.

    >>> named_outputs(len, torch.tensor(2.0))
    {'output': tensor(2.)}
    """
    name = function_name(fn)
    if isinstance(result, Tensor):
        return {"output": _real(name, "output", result)}
    if isinstance(result, Mapping) and result:
        for key, value in result.items():
            if not isinstance(key, str):
                raise OutputError(f"{name} must name its outputs by str, got the key {key!r}.")
            if not isinstance(value, Tensor):
                raise OutputError(f"{name} must return tensors, got {type(value).__name__} for {key!r}.")
        return {key: _real(name, key, value) for key, value in result.items()}
    got = "an empty dict" if isinstance(result, Mapping) else f"a {type(result).__name__}"
    hint = ""
    if isinstance(result, list | tuple):
        hint = ' Name the parts: return {"output": ..., "weights": ...}.'
    elif result is None:
        got, hint = "None", " Is there a return in every branch?"
    raise OutputError(f"{name} must return a tensor or a dict of tensors, got {got}.{hint}")


def _real(name: str, key: str, value: Tensor) -> Tensor:
    if value.is_complex():
        got = f"got {str(value.dtype).removeprefix('torch.')} for {key!r}"
        raise OutputError(f"{name} must return real numbers, {got}. Return .abs(), .angle(), .real or .imag.")
    return value


def is_library(code: CodeType) -> bool:
    """Tell whether code belongs to this package, to torch, to Python, or to what pip installed."""
    return _in_library(code.co_filename)


@functools.lru_cache(maxsize=1024)
def _in_library(file: str) -> bool:
    return file.startswith(_LIBRARIES) or "site-packages" in file


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
                return line_of(frame)
            frame = frame.f_back
        return None

    def frames(self) -> list[FrameType]:
        """List the running frames that are not a library's, the outermost first; none after fn."""
        found = []
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code is not self._boundary:
            file = frame.f_code.co_filename
            if file == self._own or not _in_library(file):
                found.append(frame)
            frame = frame.f_back
        return found[::-1] if frame is not None else []

    def raising(self, trace: TracebackType | None) -> Line | None:
        """Find the line that an exception came from."""
        line = None
        while trace is not None:
            code = trace.tb_frame.f_code
            if code is not self._boundary and self._is_reader(code):
                line = Line(code.co_filename, trace.tb_lineno, code.co_name)
            trace = trace.tb_next
        return line

    def library(self) -> str:
        """Name the function that is running and is not the reader's: the innermost outside torch, if any."""
        checking = ""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not self._is_reader(frame.f_code):
            code = frame.f_code
            name = f"{frame.f_globals.get('__name__', 'torch')}.{code.co_qualname}".removesuffix(".__init__")
            if not code.co_filename.startswith(_LIBRARIES):
                return f"{name} (line {frame.f_lineno})"
            if not checking and code.co_filename.startswith(_CHECKING) and code.co_name not in _CALLING:
                checking = name
            frame = frame.f_back
        return checking

    def place(self) -> str:
        """Write the reader's line as text for an error, and what it reached inside of what it calls."""
        frames = self.frames()
        if not frames:
            line = self.running()
            return f"on {line}" if line else "while running the function"
        outer, inner = line_of(frames[0]), line_of(frames[-1])
        if (outer.file, outer.number) == (inner.file, inner.number):
            return f"on {inner}"
        name = frames[-1].f_code.co_qualname.rpartition("<locals>.")[2]
        if inner.file != outer.file:
            name = f"{frames[-1].f_globals.get('__name__', '')}.{name}"
        return f"on {outer}, which reaches {replace(inner, function=name)}"

    def _is_reader(self, code: CodeType) -> bool:
        return code.co_filename == self._own or not is_library(code)


def line_of(frame: FrameType) -> Line:
    """Give the line, and the part of it, that a frame is at."""
    code = frame.f_code
    return Line(code.co_filename, frame.f_lineno, code.co_name, spans(code)[frame.f_lasti // 2])


@functools.lru_cache(maxsize=256)
def spans(code: CodeType) -> list[tuple[int, int, int, int] | None]:
    """Give lines and columns of each instruction."""
    return [
        None if None in place else (place[0], place[1], place[2], place[3])  # type: ignore[misc]
        for place in code.co_positions()
    ]


def _file_of(fn: Callable) -> str:
    fn = inspect.unwrap(innermost(getattr(fn, "stands_for", fn)))
    if not hasattr(fn, "__code__"):
        fn = inspect.unwrap(type(fn).forward if isinstance(fn, nn.Module) else type(fn).__call__)
    code = getattr(fn, "__code__", None)
    return code.co_filename if code else ""


# ---- a function that reads the clock: in a page it would stand still

_TIMES = {
    *("perf_counter", "monotonic", "process_time", "perf_counter_ns", "monotonic_ns", "process_time_ns"),
    *("time_ns", "thread_time", "thread_time_ns"),
}
_DATES = {"now", "utcnow", "today"}
_DEEP = 3  # functions that call one another


def clock(code: CodeType, known: Mapping[str, Any], deep: int = _DEEP) -> str:
    """Name the clock that code reads, or nothing.

    Args:
        code: of the reader's function.
        known: the global names there.
        deep: into how many called functions to look.

    >>> import time
    >>> clock((lambda: time.perf_counter()).__code__, {"time": time})
    'time.perf_counter'
    """
    names = set(code.co_names)
    if found := names & _TIMES:
        return f"time.{min(found)}"
    if "datetime" in names | set(code.co_consts) and (found := names & _DATES):
        return f"datetime.{min(found)}"
    if any(_says_time(known.get(name)) for name in names):
        return "time.time"
    module = "time" in names and (isinstance(known.get("time"), ModuleType) or _has(code, "IMPORT_NAME"))
    if module and (_has(code, "LOAD_METHOD") or _has(code, "LOAD_ATTR")):
        return "time.time"
    for name in names if deep else ():
        called = known.get(name)
        if not isinstance(called, FunctionType) or "site-packages" in called.__code__.co_filename:
            continue
        if read := clock(called.__code__, called.__globals__, deep - 1):
            return read
    return ""


def _says_time(item: Any) -> bool:
    return getattr(item, "__module__", "") == "time" and getattr(item, "__name__", "") == "time"


def _has(code: CodeType, step: str) -> bool:
    return any(each.opname == step and each.argval == "time" for each in dis.get_instructions(code))
