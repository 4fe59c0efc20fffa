"""A function that reads the clock: in a page it would stand still."""

import dis
from collections.abc import Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

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
