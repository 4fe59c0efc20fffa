"""Modules that hold modules."""

from __future__ import annotations

from torch.nn.module import Module, Parameter


class Sequential(Module):
    """Modules called one after the other."""

    def __init__(self, *args) -> None:
        super().__init__()
        pairs = args[0].items() if len(args) == 1 and isinstance(args[0], dict) else enumerate(args)
        for name, module in pairs:
            self._modules[str(name)] = module

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __getitem__(self, place):
        found = list(self._modules.values())[place]
        return Sequential(*found) if isinstance(place, slice) else found

    def append(self, module):
        self._modules[str(len(self))] = module
        return self


class ModuleList(Sequential):
    """Modules in a list."""

    def __init__(self, modules=()) -> None:
        super().__init__(*modules)

    def forward(self, *_):
        raise NotImplementedError('Module [ModuleList] is missing the required "forward" function')

    def __getitem__(self, place):
        found = list(self._modules.values())[place]
        return ModuleList(found) if isinstance(place, slice) else found

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def __add__(self, other):
        return ModuleList([*self, *other])


class ModuleDict(Module):
    """Modules by name."""

    def __init__(self, modules=None) -> None:
        super().__init__()
        self._modules.update(modules or {})

    def __getitem__(self, name):
        return self._modules[name]

    def __setitem__(self, name, module) -> None:
        self._modules[name] = module

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, name) -> bool:
        return name in self._modules

    def keys(self):
        return self._modules.keys()

    def items(self):
        return self._modules.items()

    def values(self):
        return self._modules.values()


class ParameterList(Module):
    """Parameters in a list."""

    def __init__(self, values=()) -> None:
        super().__init__()
        for value in values:
            self._parameters[str(len(self._parameters))] = (
                value if isinstance(value, Parameter) else Parameter(value)
            )

    def __getitem__(self, place: int):
        return list(self._parameters.values())[place]

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters.values())


class ParameterDict(Module):
    """Parameters by name."""

    def __init__(self, parameters=None) -> None:
        super().__init__()
        for name, value in (parameters or {}).items():
            self._parameters[name] = value if isinstance(value, Parameter) else Parameter(value)

    def __getitem__(self, name):
        return self._parameters[name]

    def __len__(self) -> int:
        return len(self._parameters)

    def items(self):
        return self._parameters.items()
