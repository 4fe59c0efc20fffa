"""Live figures: a torch function in, a picture that lives without a kernel out.

Names come when they are first asked for: building a site needs `livetorch.sphinx` and no torch. Views and
controls are listed in `livetorch.views` and `livetorch.controls`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from livetorch.controls import *  # noqa: F403
    from livetorch.figure.carry import Carry as Carry
    from livetorch.figure.explore import explore as explore
    from livetorch.figure.widget import LiveFigure as LiveFigure
    from livetorch.program.errors import TraceError as TraceError
    from livetorch.program.program import Program as Program
    from livetorch.tracing.recorders import trace as trace
    from livetorch.tracing.recorders import trace_with as trace_with
    from livetorch.views import *  # noqa: F403

_WHERE = {
    "Carry": "figure.carry",
    "explore": "figure.explore",
    "LiveFigure": "figure.widget",
    "TraceError": "program.errors",
    "Program": "program.program",
    "trace": "tracing.recorders",
    "trace_with": "tracing.recorders",
}


def _kinds() -> dict[str, object]:
    """Return the views and controls, and what goes with them, by name."""
    lists = [vars(import_module(f".{part}", __name__)) for part in ("controls", "views")]
    return {name: each for list_ in lists for name, each in list_.items() if isinstance(each, type)}


def _names() -> list[str]:
    return sorted({*_WHERE, *_kinds()})


def __getattr__(name: str) -> object:
    if name in _WHERE:
        return getattr(import_module(f".{_WHERE[name]}", __name__), name)
    if name == "__all__":
        return _names()
    if (name[0].isupper() or name == "fixed") and name in (kinds := _kinds()):
        return kinds[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_names()})
