"""Module: a thing that holds parameters and other modules, and is called like a function."""

import torch
from torch import _form
from torch._absent import missing
from torch._surface import PYTHON, lacking
from torch._tensor import RemovableHandle, Tensor
from torch.nn._heard import Heard
from torch.nn.state import State


class Parameter(Tensor):
    """A tensor that a module learns."""

    def __new__(cls, data=None, requires_grad=True):
        data = torch.zeros(0) if data is None else data
        if not isinstance(data, Tensor):
            raise AttributeError(f"Parameter(data=...) wants a Tensor, not {type(data).__name__}")
        made = Tensor._of(data._handle, data._store)
        made.__class__ = cls
        return made._wanting() if requires_grad is True else made.requires_grad_(requires_grad)

    def __init__(self, data=None, requires_grad=True) -> None:
        pass

    def __reduce__(self):
        return _learned, (self.detach(), self.requires_grad)


def _learned(data, requires_grad):
    """Make a parameter of what was written into a file."""
    return Parameter(data, requires_grad)


Parameter.__module__ = "torch.nn.parameter"


class _Marked(type(Tensor)):
    """Knows a buffer by its mark: it is a tensor like any other."""

    def __instancecheck__(cls, one) -> bool:
        return isinstance(one, Tensor) and "_is_buffer" in vars(one)


class Buffer(Tensor, metaclass=_Marked):
    """A tensor that a module keeps and does not learn."""

    def __new__(cls, data=None, *, persistent=True):
        made = (torch.empty(0) if data is None else data).detach()
        made._is_buffer, made.persistent = True, persistent
        return made


class Module(State):
    """The base of all layers."""

    training = True

    def __init__(self, *args, **kwargs) -> None:
        if args or kwargs:
            told = f"takes 1 positional argument but {len(args) + 1} were given"
            told = told if args else f"got an unexpected keyword argument '{next(iter(kwargs))}'"
            raise TypeError(f"{type(self).__name__}.__init__() {told}")
        for table in ("_parameters", "_buffers", "_modules"):
            object.__setattr__(self, table, {})
        object.__setattr__(self, "_transient", set())
        object.__setattr__(self, "_hooks", {})
        object.__setattr__(self, "_before", {})
        object.__setattr__(self, "_backward", {})
        object.__setattr__(self, "training", True)

    def __setattr__(self, name: str, value) -> None:
        tables = self.__dict__
        if "_parameters" not in tables:
            if isinstance(value, Parameter | Module):
                kind = "parameters" if isinstance(value, Parameter) else "module"
                raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
            object.__setattr__(self, name, value)
            return
        for table, kind, told in KINDS:
            if isinstance(value, kind):
                for other in (tables, *(tables[t] for t, *_ in KINDS if t != table)):
                    other.pop(name, None)
            elif name not in tables[table]:
                continue
            elif value is not None and not (table == "_buffers" and isinstance(value, Tensor)):
                raise TypeError(f"cannot assign '{torch.typename(value)}' {told.format(name)}")
            tables[table][name] = value
            if isinstance(value, Buffer) and not value.persistent:
                self._transient.add(name)
            return
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str):
        for table in ("_parameters", "_buffers", "_modules"):
            found = self.__dict__.get(table, {})
            if name in found:
                return found[name]
        raise lacking(self, name)

    def __delattr__(self, name: str) -> None:
        for table in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__[table]:
                del self.__dict__[table][name]
                return
        object.__delattr__(self, name)

    def __dir__(self):
        return [*object.__dir__(self), *self._parameters, *self._buffers, *self._modules]

    def __call__(self, *args, **kwargs):
        for hook in list(self._before.values()):
            changed = hook(self, args)
            args = args if changed is None else changed if isinstance(changed, tuple) else (changed,)
        heard = Heard(self, args) if self._backward else None
        result = self.forward(*(heard.args if heard else args), **kwargs)
        for hook in list(self._hooks.values()):
            changed = hook(self, args, result)
            result = result if changed is None else changed
        return heard.result(result) if heard else result

    def forward(self, *args, **kwargs):
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def register_buffer(self, name: str, tensor, persistent: bool = True) -> None:
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{torch.typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._vacant("buffer", name, self._buffers)
        self._buffers[name] = tensor
        if not persistent:
            self._transient.add(name)

    def register_parameter(self, name: str, param) -> None:
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{torch.typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        self._vacant("parameter", name, self._parameters)
        self._parameters[name] = param

    def add_module(self, name: str, module) -> None:
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{torch.typename(module)} is not a Module subclass")
        self._vacant("module", name, self._modules)
        self._modules[name] = module

    def _vacant(self, kind: str, name: str, table: dict) -> None:
        if "." in name or not name:
            told = 'contain "."' + f", got: {name}" * (kind == "module") if name else 'be empty string ""'
            raise KeyError(f"{kind} name can't {told}")
        if name not in table and hasattr(self, name):
            raise KeyError(f"attribute '{name}' already exists")

    register_module = add_module

    def register_forward_hook(self, hook):
        return self._hooked(self._hooks, hook)

    def register_forward_pre_hook(self, hook):
        return self._hooked(self._before, hook)

    def register_full_backward_hook(self, hook):
        return self._hooked(self._backward, hook)

    @staticmethod
    def _hooked(hooks: dict, hook) -> RemovableHandle:
        key = object()
        hooks[key] = hook
        return RemovableHandle(lambda: hooks.pop(key, None))

    def named_modules(self, memo=None, prefix: str = "", remove_duplicate: bool = True):
        memo = set() if memo is None else memo
        if id(self) in memo and remove_duplicate:
            return
        memo.add(id(self))
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(
                    memo, f"{prefix}.{name}" if prefix else name, remove_duplicate
                )

    def modules(self):
        for _, module in self.named_modules():
            yield module

    def named_children(self):
        seen = set()  # under two names it is one child
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self):
        for _, module in self.named_children():
            yield module

    def _named(self, table: str, prefix: str, recurse: bool, once: bool):
        seen = set()
        every = self.named_modules(prefix=prefix, remove_duplicate=once) if recurse else [(prefix, self)]
        for path, module in every:
            for name, value in module.__dict__[table].items():
                if value is not None and not (once and id(value) in seen):
                    seen.add(id(value))
                    yield (f"{path}.{name}" if path else name), value

    def named_parameters(self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True):
        yield from self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True):
        for _, value in self.named_parameters(recurse=recurse):
            yield value

    def named_buffers(self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True):
        yield from self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True):
        for _, value in self.named_buffers(recurse=recurse):
            yield value

    def get_submodule(self, target: str):
        found = self
        for name in filter(None, target.split(".")):
            found = getattr(found, name)
        return found

    def get_parameter(self, target: str):
        path, _, name = target.rpartition(".")
        return getattr(self.get_submodule(path), name)

    get_buffer = get_parameter

    def train(self, mode: bool = True):
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        for module in self.modules():
            object.__setattr__(module, "training", mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True):
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        for parameter in self.parameters():
            parameter.grad = None if set_to_none or parameter.grad is None else torch.zeros_like(parameter)

    def apply(self, function):
        for module in self.children():
            module.apply(function)
        function(self)
        return self

    def to(self, *args, device=None, dtype=None, non_blocking=False):
        kind = dtype
        for one in (*args, device):
            if isinstance(one, torch.dtype) or one in PYTHON:
                kind = PYTHON.get(one, one)
            elif isinstance(one, Tensor):
                kind = one.dtype
            elif one is not None and not isinstance(one, bool):
                _form.usable(one)
        if kind is not None and kind.is_complex:
            raise missing(f"{kind} in nn.Module.to")
        if kind is not None and not kind.is_floating_point:
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={kind}"
            )
        if kind is not None:
            for module in self.modules():
                for table in (module._parameters, module._buffers):
                    for name, value in table.items():
                        if value is not None and value.is_floating_point():
                            if not isinstance(value, Parameter):
                                table[name] = value.to(kind)
                                continue
                            value.data = value.detach().to(kind)  # an optimiser goes on with the same one
                            value.grad = None if value.grad is None else value.grad.to(kind)
        return self

    double, float, half, bfloat16 = (
        lambda self, kind=kind: self.to(getattr(torch, kind))
        for kind in ("float64", "float32", "float16", "bfloat16")
    )

    def type(self, dst_type):
        return self.to(dst_type)

    def cpu(self):
        return self

    def cuda(self, device=None):
        _form.usable("cuda" if device is None else device)

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        return ""

    def __repr__(self) -> str:
        extra, name = self.extra_repr(), self._get_name()
        said = extra.split("\n") if extra else []
        lines = [f"({key}): " + repr(module).replace("\n", "\n  ") for key, module in self._modules.items()]
        if not lines and len(said) < 2:
            return f"{name}({extra})"
        return f"{name}(\n  " + "\n  ".join(said + lines) + "\n)"


# where a module keeps what it is given by name; of a name that is there, only None may come instead
KINDS = (
    ("_parameters", Parameter, "as parameter '{}' (torch.nn.Parameter or None expected)"),
    ("_modules", Module, "as child module '{}' (torch.nn.Module or None expected)"),
    ("_buffers", Buffer, "object to buffer '{}' (torch Tensor or None required)"),
)
