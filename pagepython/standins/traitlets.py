"""What a widget's attributes are made with, as far as the page needs it: checked and watched values."""

from __future__ import annotations


class Trait:
    """An attribute with a default; it is checked when it is set, and those who watch it are told."""

    def __init__(self, default=None, **_) -> None:
        self.default = default

    def __set_name__(self, owner, name: str) -> None:
        self.name = name

    def tag(self, **_) -> Trait:
        return self

    def __get__(self, instance, owner):
        if instance is None:
            return self
        return instance.__dict__.get(self.name, self.default)

    def __set__(self, instance, value) -> None:
        for check in _marked(type(instance), "_validates", self.name):
            value = check(instance, {"value": value})
        old, instance.__dict__[self.name] = self.__get__(instance, None), value
        if old != value:
            for watch in instance.__dict__.get("_watching", {}).get(self.name, ()):
                watch({"new": value, "old": old, "name": self.name, "owner": instance})


def _marked(owner: type, mark: str, name: str) -> list:
    found = (vars(one).get(key) for one in owner.__mro__ for key in vars(one))
    return [f for f in found if name in getattr(f, mark, ())]


def validate(*names: str):
    """Let a method check the values of some attributes."""

    def mark(function):
        function._validates = names
        return function

    return mark


class Dict(Trait):
    def __init__(self, default=None, **more) -> None:
        super().__init__({} if default is None else default, **more)


class List(Trait):
    def __init__(self, default=None, **more) -> None:
        super().__init__([] if default is None else default, **more)


Unicode = Int = Float = Bool = Any = Trait
