"""How to draw a call of each operator: `CASES[name](draw) -> Case`."""

from collections.abc import Callable

from operator_draw import Case, Draw


class _Table(dict):
    """A table in which every name is entered once."""

    def __setitem__(self, name: str, build: Callable[[Draw], Case]):
        assert name not in self, f"{name} has two builders of cases"
        super().__setitem__(name, build)


CASES: dict[str, Callable[[Draw], Case]] = _Table()


def cases(*names):
    """Registers a builder for operators; one that takes a second argument is told the operator's name."""

    def register(build):
        for name in names:
            CASES[name if name.startswith("livetorch.") else f"aten.{name}"] = build
        return build

    return register
