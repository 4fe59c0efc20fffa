"""A widget without a kernel's other end: the page shows what it holds."""


class AnyWidget:
    def __init__(self, **values) -> None:
        for name, value in values.items():
            setattr(self, name, value)

    def observe(self, watch, names="value") -> None:
        watching = self.__dict__.setdefault("_watching", {})
        for name in [names] if isinstance(names, str) else names:
            watching.setdefault(name, []).append(watch)

    def open(self) -> None:
        """There is no other end to connect with."""

    def _repr_mimebundle_(self, **_):
        return {}, {}
