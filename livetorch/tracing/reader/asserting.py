"""`assert ok` and `if wrong: raise ...`: a condition that decides on nothing but an error is no branch."""

import ast
import dis
import linecache
import sys
from functools import lru_cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from livetorch.tracing.reader.reader_code import is_library, spans

_OWN = str(Path(__file__).parents[2])
_ENDS = (
    LookupError,
    AttributeError,
    StopIteration,
    StopAsyncIteration,
    GeneratorExit,
)  # for, in, getattr catch
_LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)
Place = tuple[int, int, int, int]  # first line, first column, last line, last column


def asking_frame() -> FrameType:
    """Find the innermost running frame that is not this package's."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OWN):
        frame = frame.f_back
    return frame


def checking(frame: FrameType) -> str | None:
    """Say what is asked where a frame asks whether to raise, and goes on in one way if not.

    Args:
        frame: it asks for the truth of a tensor.
    Returns: the error with {} for the reader's place, and in a library what it asks; or None.
    """
    at, code = frame.f_lasti, frame.f_code
    asks = dis.opname[code.co_code[at]]
    called = asks in ("CALL", "PRECALL")
    if not called and "JUMP" not in asks and asks != "TO_BOOL":
        return None
    span = spans(code)[at // 2 - (not called)]  # the jump itself may stand for the whole statement
    if span is None:
        return None
    place = (span[0], span[2], span[1], span[3])
    for test, raises, error in _checks(code.co_filename):
        asked = _decides(test, raises, place)
        if asked is not None and (not called or _is_bool(asked)) and _refuses(error, frame):
            asks = f", from {code.co_qualname}: {ast.unparse(test)}" if is_library(code) else ""
            return f"{error} {{}}{asks.replace('{', '{{').replace('}', '}}')}"
    return None


def _refuses(error: str, frame: FrameType) -> bool:
    """Tell whether an error that a frame names is known, and none by which Python itself goes another way."""
    first, *rest = error.split(".")
    found: Any = {**frame.f_builtins, **frame.f_globals, **frame.f_locals}.get(first)
    for name in rest:
        found = getattr(found, name, None) if isinstance(found, ModuleType | type) else None
    kind = found if isinstance(found, type) else type(found)
    return issubclass(kind, BaseException) and not issubclass(kind, _ENDS)


def _is_bool(asked: ast.expr) -> bool:
    """Tell whether what was called is bool(...): any(...) asks for the truth of its elements."""
    return isinstance(asked, ast.Call) and ast.unparse(asked.func) == "bool"


def _decides(test: ast.expr, raises: bool, place: Place) -> ast.expr | None:
    """Find the part of a condition at a place, if its truth alone can raise, or it is asked last.

    Args:
        test: the condition.
        raises: the truth that raises.
        place: lines and columns.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _decides(test.operand, not raises, place) or (test if _at(test) == place else None)
    if isinstance(test, ast.BoolOp):
        each = isinstance(test.op, ast.Or) == raises
        found = (_decides(part, raises, place) for part in (test.values if each else test.values[-1:]))
        return next(filter(None, found), None)
    if isinstance(test, ast.Compare) and len(test.ops) > 1 and raises:  # a < x < b asks twice
        return None
    return test if _at(test) == place else None


def _at(node: ast.expr) -> Place:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


@lru_cache(maxsize=32)
def _checks(file: str) -> list[tuple[ast.expr, bool, str]]:
    """List the conditions of a file that raise, with the truth that does, and the error's name."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:  # a cell with magic commands
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            found.append((node.test, False, "AssertionError"))
        if isinstance(node, ast.If):
            for body, raises in ((node.body, True), (node.orelse, False)):
                if (error := _raised(body)) is not None:
                    found.append((node.test, raises, ast.unparse(error)))
    return found


def _raised(body: list[ast.stmt]) -> ast.expr | None:
    """Find the error that statements end in, if they can neither be left nor give anything before."""
    last = body[-1] if body else None
    if not isinstance(last, ast.Raise) or any(isinstance(n, _LEAVES) for s in body for n in ast.walk(s)):
        return None
    return last.exc.func if isinstance(last.exc, ast.Call) else last.exc
