# ruff: noqa: E501 (forms are as long as they are)
"""Write down PyTorch's surface for the page's torch: each public name, its parameters and their defaults; NumPy's names.

    python pagepython/build/surface.py

A line of `surface.txt` is a name and its forms, as PyTorch itself has them: from the schemas of its operators
where there are some, else from the signature, else from the first line of the docstring. Kinds: T tensor, S number,
i whole number, f float, b bool, s text, d dtype, D device, L layout, M memory format, G generator; `[]` a list,
`?` or None; no kind: any; `^` what all makers take: dtype, layout, device, pin_memory, requires_grad.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import torch

ROOT = Path(__file__).resolve().parents[2]
SPACES = (
    "torch", "torch.Tensor", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.nn.utils.rnn",
    "torch.linalg", "torch.special", "torch.fft", "torch.optim", "torch.optim.lr_scheduler", "torch.autograd",
    "torch.autograd.functional", "torch.func", "torch.distributions", "torch.utils.data", "torch.cuda", "torch.testing",
    "torch.random",
)  # fmt: skip
KINDS = {
    "Tensor": "T", "int": "i", "SymInt": "i", "float": "f", "Scalar": "S", "bool": "b", "str": "s", "ScalarType": "d",
    "Layout": "L", "Device": "D", "MemoryFormat": "M", "Generator": "G", "number": "S", "complex": "S",
}  # fmt: skip
FACTORY = (
    "^"  # "*, d? dtype=None, L? layout=None, D? device=None, b? pin_memory=False, b requires_grad=False"
)
STRANGERS = {
    "torch",
    "annotations",
    "TYPE_CHECKING",
    "classes",
    "common_args",
    "common_notes",
    "factory_common_args",
}
# what PyTorch binds by hand, and neither a schema nor a signature says
BY_HAND = {
    "torch.Tensor.to": [
        "T self, d dtype, b non_blocking=False, b copy=False, *, M? memory_format=None",
        "T self, D? device=None, d? dtype=None, b non_blocking=False, b copy=False, *, M? memory_format=None",
        "T self, T other, b non_blocking=False, b copy=False, *, M? memory_format=None",
    ],
    **{f"torch.{name}_like": [f"T self, {more}{FACTORY}, M? memory_format=None"]
       for name, more in {"zeros": "", "ones": "", "empty": "", "full": "S fill_value, "}.items()},
    **{f"torch.Tensor.{name}": ["T self, *, M? memory_format=None"]
       for name in ("bfloat16", "bool", "byte", "cdouble", "cfloat", "char", "double", "float", "half", "int", "long", "short")},
    "torch.as_tensor": ["data, dtype=None, device=None"],
    "torch.arange": [f"S end, {FACTORY}, out=None", f"S start, S end, S step=1, {FACTORY}, out=None"],
    "torch.nonzero": ["T self, *, T? out=None, b as_tuple=False"],
    "torch.Tensor.nonzero": ["T self, *, b as_tuple=False"],
    "torch.Tensor.view": ["T self, i[] size", "T self, d dtype"],
    "torch.Tensor.where": ["T self, T condition, T other", "T self, T condition, S other"],
    **{f"torch.nn.{name}": [f"input_size, hidden_size, num_layers=1, {more}bias=True, batch_first=False, dropout=0.0, bidirectional=False, {last}device=None, dtype=None"]
       for name, more, last in (("LSTM", "", "proj_size=0, "), ("GRU", "", ""), ("RNN", "nonlinearity='tanh', ", ""))},
    "torch.einsum": ["s equation, *operands", "T op, *operands"],
    "torch.Tensor.new": ["T self, *args"],
    "torch.Tensor.type": ["T self, dtype=None, b non_blocking=False"],
    "torch.Tensor.clamp": ["T self, min=None, max=None"],
    "torch.Tensor.clamp_": ["T self, min=None, max=None"],
    "torch.clamp": ["T self, min=None, max=None, *, out=None"],
    "torch.where": ["T condition", "T condition, S self, S other", "T condition, T self, S other", "T condition, S self, T other", "T condition, T self, T other, *, out=None"],
}  # fmt: skip


def kind_of(text: str) -> str | None:
    """Give the letter of a schema's type; None for what Python never hands over."""
    found = re.fullmatch(r"([A-Za-z]+)(?:\([^)]*\))?(\??)((?:\[\d*\])?\??)", text)
    return KINDS[found[1]] + found[2] + found[3] if found and found[1] in KINDS else None


def form_of(schema: str) -> str | None:
    """Shorten a schema's parameters."""
    inside = re.sub(r"\((a|b|c)[^()]*\)", "", schema[schema.index("(") + 1 : schema.rindex(") ->")])
    parts = []
    for part in re.split(r", (?![^\[]*\])", inside) if inside else []:
        if part == "*":
            parts.append(part)
            continue
        kind, _, name = part.rpartition(" ") if "=" not in part else part.partition("=")[0].rpartition(" ")
        letter = kind_of(kind)
        if letter is None:
            return None
        parts.append(f"{letter} {name}" + ("=" + part.partition("=")[2] if "=" in part else ""))
    return ", ".join(parts)


def schemas() -> dict[str, list[str]]:
    """Give the forms of each operator by its plain name; `out` stands with those that write into one."""
    found: dict[str, list[str]] = defaultdict(list)
    out = set()
    for schema in torch._C._jit_get_all_schemas():
        text = str(schema)
        if not text.startswith("aten::"):
            continue
        name, _, overload = text.removeprefix("aten::").partition("(")[0].partition(".")
        if "out" in overload.split("_") or re.search(r"\*, [^*]*\([a-z]!\)", text.rpartition("->")[0]):
            out.add(name)
            continue
        form, gives = form_of(text), "Tensor" in text.rpartition("->")[2]
        tensors = form is not None and re.search(r"\bT(\?|\[|\b)", form)
        if form is None or not (tensors or gives) or re.search(r"\b(t|Any|Dimname|Dict)\b", text):
            continue
        if not tensors or "pin_memory" in form or name.startswith("new_"):
            form = re.sub(r"(, )?(\*, )?d\? dtype=.*$", "", form) + ", " * bool(form) + FACTORY
            form = form.replace("*, G? generator,", "*, G? generator=None,")
        if form not in found[name]:
            found[name].append(form)
    for name in out & found.keys():
        star = [", " if re.search(r"[*^]", form) else ", *, " for form in found[name]]
        found[name] = [f"{form}{comma}out=None" for form, comma in zip(found[name], star, strict=True)]
    return found


def plain(value: object) -> str:
    """Write a default as Python reads it; what has no such text stands as `...`."""
    return repr(value) if isinstance(value, str | int | float | bool | tuple | None) else "..."


def signature_of(value: Callable[..., Any]) -> str | None:
    """Read a Python signature, or the first line of a docstring."""
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (ValueError, TypeError):
        return said_of(value)
    if isinstance(value, type) and parameters and parameters[0].name == "self":
        parameters = parameters[1:]
    parts: list[str] = []
    starred = False
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not starred:
            parts, starred = [*parts, "*"], True
        mark = "*" if one.kind is one.VAR_POSITIONAL else "**" if one.kind is one.VAR_KEYWORD else ""
        starred = starred or one.kind is one.VAR_POSITIONAL
        parts.append(mark + one.name + ("" if one.default is one.empty else f"={plain(one.default)}"))
    return ", ".join(parts)


def said_of(value: object) -> str | None:
    """Read the parameters that the first line of a docstring shows."""
    found = re.match(
        r"\s*[\w.]+\((.*?)\)\s*(?:->.*)?$", str(getattr(value, "__doc__", "")).lstrip().split("\n")[0]
    )
    if found is None:
        return None
    parts = [
        part.strip() for part in re.split(r",(?![^\[(]*[\])])", found[1].replace("\\*", "*")) if part.strip()
    ]
    good = [part for part in parts if re.fullmatch(r"\*{0,2}\w*(=\S+)?", part)]
    return ", ".join(good) if len(good) == len(parts) else None


def forms_of(space: str, name: str, value: object, known: dict[str, list[str]]) -> list[str]:
    """Give all forms of a public name."""
    full = f"{space}.{name}"
    if full in BY_HAND:
        return BY_HAND[full]
    if not callable(value):
        return []
    builtin = inspect.isbuiltin(value) or inspect.ismethoddescriptor(value)
    operator = {"torch.linalg": "linalg_", "torch.special": "special_", "torch.fft": "fft_"}.get(
        space, ""
    ) + name
    if builtin and operator in known:
        forms = known[operator]
        if space == "torch.Tensor":
            forms = [re.sub(r"(, \*)?, out=None$", "", form) for form in forms if re.match(r"T self\b", form)]
        return forms
    if builtin and space == "torch.Tensor" and name.endswith("_") and name[:-1] in known:
        return [re.sub(r"(, \*)?, out=None$", "", form) for form in known[name[:-1]]]
    found = signature_of(
        getattr(torch.nn.functional, f"{name}_with_indices", value)
        if space == "torch.nn.functional"
        else value
    )
    if space == "torch.Tensor" and found is not None and not found.startswith("self"):
        found = ", ".join(filter(None, ["self", found]))  # a docstring does not show it
    return [] if found is None else [found]


def surface() -> list[str]:
    """Give the lines of the file."""
    known, lines = schemas(), []
    owner: object
    for space in SPACES:
        try:
            owner = importlib.import_module(space)
        except ImportError:
            owner = torch.Tensor
        for name in sorted(dir(owner)):
            value = getattr(owner, name, None)
            away = inspect.ismodule(value) and not value.__name__.startswith("torch")
            if name.startswith("_") or away or value is None or name in STRANGERS:
                continue
            lines.append(
                "\t".join(
                    [
                        f"{space.removeprefix('torch.')}.{name}" if space != "torch" else name,
                        *forms_of(space, name, value, known),
                    ]
                )
            )
    return lines + members()


ROOTS = {
    "torch.nn": torch.nn.Module, "torch.optim": torch.optim.Optimizer, "torch.utils.data": torch.utils.data.Dataset,
    "torch.optim.lr_scheduler": torch.optim.lr_scheduler.LRScheduler, "torch.distributions": torch.distributions.Distribution,
}  # fmt: skip


def members() -> list[str]:
    """Give what the classes of a module have, but for what they have from their root: the path, a colon, the names."""
    lines = []
    for space, root in ROOTS.items():
        owner = importlib.import_module(space)
        for name in sorted(dir(owner)):
            kind = getattr(owner, name)
            if name.startswith("_") or not isinstance(kind, type) or not kind.__module__.startswith(space):
                continue
            if issubclass(kind, torch.Tensor):
                continue
            above = [] if kind is root else dir(root)
            bare = vars(torch.nn.Module()) if kind is torch.nn.Module else ()
            found = [n for n in [*dir(kind), *bare] if not n.startswith("__") and n not in above]
            found = [n for n in found if n in bare or not n.startswith("_")]
            path = f"{space.removeprefix('torch.')}.{name}"
            if found:
                lines.append(f"{path}:\t{' '.join(found)}")
            if space != "torch.distributions":
                lines += [f"{path}:{method}\t{form}" for method, form in options(kind, root)]
    inside = [
        torch,
        torch.nn,
        torch.nn.modules,
        torch.nn.utils,
        torch.optim,
        torch.utils,
        torch.utils.data,
        torch.autograd,
    ]
    every = [f"{m.__name__}.{found.name}" for m in inside for found in pkgutil.iter_modules(m.__path__)]
    every = [name.removeprefix("torch.") for name in every if "._" not in name]
    return [*lines, "modules:\t" + " ".join(sorted(every)), "classes:\t" + "\t".join(homes())]


def options(kind: type, root: type) -> list[tuple[str, str]]:
    """Give the methods of a class that have options which its root has not, and their parameters."""

    def read(one: type) -> dict[str, str]:
        own = {n: act for n, act in vars(one).items() if inspect.isfunction(act) and not n.startswith("_")}
        return {
            n: (signature_of(act) or "").removeprefix("self").removeprefix(", ") for n, act in own.items()
        }

    above = {} if kind is root else read(root)
    return [
        (n, f)
        for n, f in read(kind).items()
        if "=" in f and "{" not in f and n != "forward" and above.get(n) != f
    ]


def homes() -> list[str]:
    """Give the modules in which public classes stand, each with its classes: what `type(...)` prints."""
    found: dict[str, list[str]] = defaultdict(list)
    for space in SPACES[2:]:
        for name, kind in sorted(vars(importlib.import_module(space)).items()):
            home = getattr(kind, "__module__", "")
            if isinstance(kind, type) and home.startswith(f"{space}.") and not name.startswith("_"):
                found[home].append(f"{space.removeprefix('torch.')}.{name}")
    return [" ".join([home, *names]) for home, names in found.items()]


if __name__ == "__main__":
    target = ROOT / "pagepython/facade/surface.txt"
    target.write_text("\n".join(surface()) + "\n", "utf-8")
    names = [name for name in dir(numpy) if not name.startswith("_")]
    (target.parent / "_numpy/names.txt").write_text("\n".join(names) + "\n", "utf-8")
