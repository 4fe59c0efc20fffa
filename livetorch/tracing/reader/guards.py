"""Where a function would catch an error that an operator raises for some numbers, and go another way."""

import dis
from collections.abc import Callable
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any

from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode

from livetorch.program.errors import Line
from livetorch.tracing.reader.reader_code import Lines, line_of


def guarded(frames: list[FrameType]) -> Line | None:
    """Find the line of the innermost `try` or `with` that runs now and might catch an error."""
    for frame in reversed(frames):
        if any(start <= frame.f_lasti < end for start, end in _guards(frame.f_code)):
            return line_of(frame)
    return None


@lru_cache(maxsize=256)
def _guards(code: CodeType) -> list[tuple[int, int]]:
    """List the instructions that stand in a `try` or `with`, from each first one to behind the last."""
    return [(entry.start, entry.end) for entry in dis._parse_exception_table(code)]  # type: ignore[attr-defined]


class Failing(TorchDispatchMode):
    """The dispatch mode in which the first operator on a line raises an error.

    Args:
        fn: the reader's function.
        boundary: code of the function that calls fn.
        line: where.
        error: what is raised.
    """

    def __init__(self, fn: Callable, boundary: CodeType, line: Line, error: type[Exception]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._lines, self._line, self._error = Lines(fn, boundary), line, error
        self.raised = False

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # as in the recorder

    def __torch_dispatch__(
        self, func: OpOverload, types: tuple, args: tuple = (), kwargs: dict | None = None
    ) -> Any:
        """Run an operator, or raise."""
        where = (self._line.file, self._line.number)
        if not self.raised and any((f.f_code.co_filename, f.f_lineno) == where for f in self._lines.frames()):
            self.raised = True
            raise self._error("tried by livetorch: what does the function do where this operator fails?")
        return func(*args, **kwargs or {})
