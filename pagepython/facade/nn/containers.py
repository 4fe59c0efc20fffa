"""Modules that hold modules."""

import operator
from collections import OrderedDict

import torch
from torch.nn.module import Module, Parameter


class Sequential(Module):
    """Modules called one after the other."""

    def __init__(self, *args) -> None:
        super().__init__()
        named = len(args) == 1 and isinstance(args[0], OrderedDict)
        pairs = args[0].items() if named else enumerate(args)
        for name, module in pairs:
            self.add_module(str(name), module)

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, place):
        if isinstance(place, slice):
            return self._of(list(self._modules.items())[place])
        place = operator.index(place)
        if not -len(self) <= place < len(self):
            raise IndexError(f"index {place} is out of range")
        return list(self._modules.values())[place]

    @classmethod
    def _of(cls, pairs):
        return cls(OrderedDict(pairs))

    def __setitem__(self, place: int, module) -> None:
        setattr(self, list(self._modules)[place], module)

    def __delitem__(self, place) -> None:
        names = list(self._modules)[place]
        for name in names if isinstance(place, slice) else [names]:
            del self._modules[name]
        held = list(self._modules.values())
        self._modules.clear()
        self._modules.update({str(k): module for k, module in enumerate(held)})

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def insert(self, index: int, module):
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        index += len(self) * (index < 0)
        for place in range(len(self), index, -1):
            self._modules[str(place)] = self._modules[str(place - 1)]
        self._modules[str(index)] = module
        return self

    def pop(self, key=-1):
        module = self[key]
        del self[key]
        return module

    def __add__(self, other):
        return type(self)(*self, *other) if type(self) is Sequential else type(self)([*self, *other])

    def __mul__(self, times: int):
        return Sequential(*(module for _ in range(times) for module in self))


class ModuleList(Sequential):
    """Modules in a list."""

    def insert(self, index: int, module) -> None:
        super().insert(index, module)

    def __init__(self, modules=()) -> None:
        if not hasattr(modules, "__iter__"):
            raise TypeError(
                f"ModuleList.extend should be called with an iterable, but got {type(modules).__name__}"
            )
        super().__init__(*modules)

    __mul__ = None

    def forward(self, *_):
        raise NotImplementedError('Module [ModuleList] is missing the required "forward" function')

    @classmethod
    def _of(cls, pairs):
        return cls([module for _, module in pairs])

    def __repr__(self) -> str:
        """Fold neighbours that look alike into one line."""
        if not len(self):
            return f"{type(self).__name__}()"
        groups: list[list] = []
        for number, module in enumerate(self):
            if groups and groups[-1][2] == repr(module):
                groups[-1][1] = number
            else:
                groups.append([number, number, repr(module)])
        lines = [
            (f"({first})" if first == last else f"({first}-{last})")
            + ": "
            + (text if first == last else f"{last - first + 1} x {text}").replace("\n", "\n  ")
            for first, last, text in groups
        ]
        return f"{type(self).__name__}(\n  " + "\n  ".join(lines) + "\n)"


def _by_name(table: str):
    """Make the base of what holds things by their names: it reads the table as a dictionary."""

    def read(name: str):
        return lambda self, *args: getattr(getattr(self, table), name)(*args)

    names = "__getitem__ __contains__ __len__ __iter__ keys items values"
    return type("_ByName", (Module,), {name: read(name) for name in names.split()})


class ModuleDict(_by_name("_modules")):
    """Modules by name."""

    def __init__(self, modules=None) -> None:
        super().__init__()
        self.update(modules or {})

    def update(self, modules) -> None:
        for name, module in dict(modules).items():
            self[name] = module

    def pop(self, key: str):
        return self._modules.pop(key)

    def clear(self) -> None:
        self._modules.clear()

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __setitem__(self, name, module) -> None:
        self.add_module(name, module)


def _parameter(value):
    return Parameter(value) if isinstance(value, torch.Tensor) and not isinstance(value, Parameter) else value


class _Parameters(Module):
    """What holds parameters says the size of each."""

    def __repr__(self) -> str:
        lines = [
            f"  ({name}): Parameter containing: [{value.type()} of size {'x'.join(map(str, value.shape))}]".replace(
                value.type(),
                f"torch.{value.dtype.name}" if type(self).__name__ == "ParameterList" else value.type(),
            )
            for name, value in self._parameters.items()
        ]
        return (
            f"{type(self).__name__}({chr(10).join(lines)})"
            if len(lines) < 2
            else f"{type(self).__name__}(\n  " + "\n  ".join(lines) + "\n)"
        )


class ParameterList(_Parameters):
    """Parameters in a list."""

    def __init__(self, values=None) -> None:
        super().__init__()
        self.extend(values or ())

    def append(self, value):
        self.register_parameter(str(len(self)), _parameter(value))
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    def __getitem__(self, place: int):
        found = list(self._parameters.values())[place]
        return ParameterList(found) if isinstance(place, slice) else found

    def __setitem__(self, place: int, value) -> None:
        self._parameters[list(self._parameters)[place]] = _parameter(value)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters.values())


class ParameterDict(_Parameters, _by_name("_parameters")):
    """Parameters by name."""

    def __init__(self, parameters=None) -> None:
        super().__init__()
        for name, value in dict(parameters or {}).items():
            self[name] = value

    def __setitem__(self, name, value) -> None:
        self.register_parameter(name, _parameter(value))
