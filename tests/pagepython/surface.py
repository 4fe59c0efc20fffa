"""Go through every public name of PyTorch and every parameter: what becomes of it in the page?

A parameter is honoured (the function reads it), done for all functions alike (out, device), idle (it says how
fast, not what), or refused by name as soon as it is anything but what goes without saying. Prints JSON.
"""

import dis
import importlib
import inspect
import json

import torch
from torch import _surface

ALIKE = {"out", "device", "requires_grad", "inplace"}
CONTEXT = {"self", "cls", "ctx"}


def inner(function):
    """Give the function of the page behind what binds its arguments."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


def reads(function) -> set | None:
    """Give the names that a function's code reads; None: it hands everything on by name."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_flags & inspect.CO_VARKEYWORDS:
        return None
    found, todo = set(), [code]
    while todo:
        one = todo.pop()
        for step in dis.get_instructions(one):
            if step.opname.startswith(
                ("LOAD_FAST", "LOAD_DEREF", "LOAD_CLOSURE", "LOAD_FROM", "STORE_FAST_LOAD")
            ):
                values = step.argval if isinstance(step.argval, tuple) else (step.argval,)
                found |= set(map(str, values))
        todo += [const for const in one.co_consts if inspect.iscode(const)]
    return found


def function_of(path: str):
    """Give what the page has under a name, or the error that it answers with."""
    space, _, name = path.rpartition(".")
    try:
        if space == "Tensor":
            value = getattr(torch.Tensor, name, None) or getattr(torch.ones(1), name)
        else:
            owner, _, method = name.partition(":")  # a class and one of its methods
            value = getattr(
                importlib.import_module(f"torch.{space}") if space else torch, owner if method else name
            )
            if method and not hasattr(value, method):  # a thing of the class says so
                said = str(_surface.lacking(object.__new__(value), method))
                return None, said.replace(f".{method} ", f":{method} ")
            value = getattr(value, method) if method else value
    except (AttributeError, ImportError, RuntimeError) as error:
        return None, str(error)
    return value, ""


report = {
    "honoured": [],
    "alike": [],
    "idle": [],
    "refused": [],
    "swallowed": [],
    "absent": [],
    "unclear": [],
}
for path in _surface.LINES:
    value, said = function_of(path)
    if value is None:
        report[
            "absent"
            if any(f"{p} is not in the page" in said for p in (path, path.partition(":")[0]))
            else "unclear"
        ].append(f"{path}: {said}" if "not in the page" not in said else path)
        continue
    if not callable(value) or "absent" in getattr(type(value), "__module__", "") or not _surface.forms(path):
        continue
    act = inner(value.__init__ if isinstance(value, type) else value)
    if getattr(act, "__module__", "") == "builtins":
        continue
    takes = getattr(act, "_takes", None)
    read, own = reads(act), _surface.own_parameters(act, int(isinstance(value, type) or ":" in path))[0]
    for name in {p.name for form in _surface.forms(path) for p in form.parameters} - CONTEXT:
        full = f"{path}({name})"
        names = (
            {name, f"{name}_", *_surface.SELVES.get(name, ())} & set(own)
            if not isinstance(own, _surface._All)
            else {name}
        )
        if (name in ALIKE or (name == "dtype" and isinstance(value, type))) and not names:
            report["alike"].append(full)
        elif names and (takes is not None or read is None or names & read):
            report["honoured"].append(full)
        elif names:
            report["swallowed"].append(full)
        else:
            report["idle" if name in _surface.IDLE else "refused"].append(full)
print(json.dumps(report))
