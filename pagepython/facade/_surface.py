"""PyTorch's surface: which names it has, and which parameters (``surface.txt``, written by pagepython/build/surface.py).

A function of the page's torch is held against it: its arguments are bound as PyTorch binds them, and what the page does
not know of a parameter is refused by name, unless it is what goes without saying.
"""

import ast
import difflib
import functools
import inspect
import opcode
import re
import sys
import types
from pathlib import Path

from torch import _dtype
from torch._absent import missing
from torch._fit import fitted
from torch._form import device as _device
from torch._form import usable
from torch._steps import stepped
from torch._tensor import Tensor, TensorBase

_UNLISTED = ("onnx",)  # modules that PyTorch loads when they are asked for
_TAIL = "*, d? dtype=None, L? layout=None, D? device=None, b? pin_memory=False, b requires_grad=False"
_KINDS = re.compile(r"\b[TSifbsdDLMG](\?|\[\d*\])* (?=\w)")
LINES = dict(
    line.partition("\t")[::2]
    for line in Path(__file__).with_name("surface.txt").read_text("utf-8").splitlines()
)
ALIASES = {
    "axis": "dim", "keepdims": "keepdim", "x": "self", "a": "self", "x1": "self", "x2": "other", "input": "self",
}  # fmt: skip
# what makes no difference in the page: where work is done and how fast, what is warned of
IDLE = {
    "non_blocking", "pin_memory", "memory_format", "stable", "foreach", "fused", "capturable", "_stacklevel", "check_device",
    "check_layout", "allow_subclasses", "only_inputs", "driver", "compute_mode", "check_stride", "layout", "num_workers",
    "randomness", "warn_only", "map_location", "weights_only", "sorted", "assume_unique", "timeout", "worker_init_fn", "multiprocessing_context", "pin_memory_device", "in_order",
}  # fmt: skip
# where a function of Python hands on to one of C++, which takes nothing else for truth
TRUTHS = {
    "log_target",
    "log_input",
    "swap",
    "ceil_mode",
    "count_include_pad",
    "sorted",
    "return_counts",
}
# PyTorch takes a number first
NUMBERS = {"add", "sub", "mul", "div", "subtract", "multiply", "divide", "true_divide", "floor_divide"}  # fmt: skip
SELVES = {
    "split_size_or_sections": ("split_size",),
    "indices_or_sections": ("sections",),
    "other": ("src",),
    "self": ("input", "A"),
    "input": ("self",),
    "A": ("self", "input"),
    "tensor": ("self",),
}
# with these, `out` has the type of the result; with others the result is cast
_EXACT = """abs addbmm addmm addmv all amax amin any argmax argmin baddbmm bitwise_not bucketize ceil conj_physical cross diag
dot floor frac gather heaviside histc index_add index_copy index_select isin isneginf isposinf linalg.cholesky
linalg.cross linalg.det linalg.eigvalsh linalg.inv linalg.matrix_norm linalg.matrix_power linalg.multi_dot linalg.norm linalg.solve
linalg.solve_triangular linalg.svdvals linalg.vecdot linalg.vector_norm log_softmax logcumsumexp matmul mm bmm msort
mv nan_to_num neg nn.functional.gelu nn.functional.hardshrink nn.functional.linear nn.functional.softplus
nn.functional.softshrink nonzero norm quantile renorm round scatter scatter_add scatter_reduce sgn sign signbit
softmax take take_along_dim tensordot tril triu trunc vdot view_copy where"""
EXACT = frozenset(_EXACT.split())
# these sum in the type of `out`, where none is asked for
SUMS = {"sum", "prod", "cumsum", "cumprod"}
PAIRS = {"sort", "topk", "max", "min", "kthvalue", "mode", "median"}
# these take their type from `out`
MADE = {"arange", "zeros", "ones", "full", "eye", "linspace", "empty", "rand", "randn"}
WORDS = {"T": "Tensor", "i": "int", "f": "float", "S": "Number", "b": "bool", "s": "str", "d": "torch.dtype", "D": "torch.device",
         "L": "torch.layout", "M": "torch.memory_format", "G": "torch.Generator"}  # fmt: skip
PYTHON = {int: _dtype.int64, float: _dtype.float64, bool: _dtype.bool_, complex: _dtype.complex128}


class Parameter:
    """One parameter of a form: its name, its kind (a letter, or nothing), and what goes without saying."""

    def __init__(self, text: str, *, named: bool) -> None:
        left, equals, value = text.partition("=")
        kind, _, self.name = left.strip().rpartition(" ")
        found = re.fullmatch(r"([A-Za-z])?(\??)(\[(\d*)\])?(\??)", kind)
        self.kind, self.size = found[1], found[4]
        self.many, self.none = found[3] is not None, bool(found[5] or (found[2] and not found[3]))
        self.holes = bool(found[2] and found[3])
        self.required, self.named = not equals, named
        self.default = _literal(value) if equals else None
        self.words = (
            (f"tuple of {WORDS[self.kind]}s" if self.many else WORDS[self.kind]) if self.kind else "bool"
        )

    def takes(self, kind) -> bool:
        """Tell whether a value of a kind (see `_kind`) may stand here."""
        if self.kind is None:
            return kind is bool or self.default not in (True, False) or self.name not in TRUTHS
        if kind is type(None):
            return self.none or (not self.required and self.default is None)
        if self.many and isinstance(kind, tuple) and kind[0] == "list":
            return all(_fits(self.kind, one) or (self.holes and one is type(None)) for one in kind[1])
        if self.many:
            return self.kind == "i" and self.size not in (None, "") and _fits("i", kind)
        return _fits(self.kind, kind)


def _literal(text: str):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return ...


def _fits(letter: str, kind) -> bool:
    if isinstance(kind, str):  # "tensor" or "dtype"
        return letter == {"tensor": "T", "dtype": "d"}.get(kind)
    if isinstance(kind, tuple):
        if kind[0] == "number":  # a tensor without axes: its category, and whether it wants a gradient
            return (
                letter == "T"
                or (letter == "S" and not kind[2])
                or (letter == "i" and kind[1] == 1)
                or (letter == "f" and kind[1] < 3)
            )
        return False
    if letter in "MLG":
        return kind.__name__ == {"M": "_Format", "L": "layout", "G": "Generator"}[letter]
    if letter == "d":
        return False
    if letter == "D":
        return issubclass(kind, str | int | _device)
    if letter == "b":
        return kind is bool
    if letter == "s":
        return issubclass(kind, str)
    if letter == "i":
        return kind is not bool and hasattr(kind, "__index__")
    if letter in "fS":
        return issubclass(kind, int | float) or (letter == "S" and issubclass(kind, complex))
    return False


def _kind(value):
    """Give what of a value decides on a form."""
    if isinstance(value, TensorBase):
        if value.dtype.category == 3:
            return "complex"
        return "tensor" if value.shape else ("number", value.dtype.category, value.requires_grad)
    if isinstance(value, tuple | list):
        kinds = frozenset([_kind(each) for each in value])  # no map: a list in itself must raise
        return ("complex list" if "complex" in kinds else "list"), kinds
    if isinstance(value, _dtype.dtype) or (value.__class__ is type and value in PYTHON):
        return "dtype"
    return value.__class__


class Form:
    """One list of parameters."""

    def __init__(self, text: str) -> None:
        named, self.parameters, self.rest, self.more = False, [], False, False
        for part in re.split(r", (?![^\[(]*[\])])", text.replace("^", _TAIL)) if text else []:
            if part.startswith("**"):
                self.more = True
            elif part.startswith("*") and part != "*":
                self.rest = named = True
            elif part == "*":
                named = True
            elif part != "/":
                self.parameters.append(Parameter(part, named=named))
        self.names = {p.name for p in self.parameters}
        self.typed = any(p.kind for p in self.parameters)
        self.places = [p for p in self.parameters if not p.named]

    def flat(self, first: int) -> bool:
        """Tell whether sizes may be given one by one: where nothing else can stand."""
        rest = self.places[first:]
        return len(rest) == 1 and rest[0].many and rest[0].kind == "i" and not rest[0].size

    def bind(self, kinds: list, named: dict, first: int):
        """Give how arguments stand in this form: (names of the positional ones, names of the named ones), or what is wrong."""
        places = self.places
        spread = (
            self.flat(first)
            and len(kinds) > first
            and not (isinstance(kinds[first], tuple) and kinds[first][0] == "list")
        )
        if spread:
            bad = next((n for n, k in enumerate(kinds[first:]) if not _fits("i", k)), None)
            if bad:
                return _unpacked(places[first].name, bad, kinds[first + bad])
            if bad == 0 and len(kinds) > first + 1:
                return f"takes 1 positional argument but {len(kinds) - first} were given"
            if bad == 0:
                return f"argument '{places[first].name}' (position 1) must be {places[first].words}, not {_said(kinds[first])}"
            kinds = [*kinds[:first], ("list", frozenset(kinds[first:]))]
        if len(kinds) > len(places) and not self.rest:
            takes, came = len(places) - first, len(kinds) - first
            return f"takes {takes} positional argument{'s' * (takes != 1)} but {came} {'was' if came == 1 else 'were'} given"
        given = dict(zip((p.name for p in places), kinds, strict=False))
        renamed = {}
        for name, kind in named.items():
            real = name
            if name not in self.names and self.typed:
                real = next(
                    (
                        n
                        for n in (ALIASES.get(name), "input", "A")
                        if n in self.names and name in ALIASES and n not in given
                    ),
                    name,
                )
                real = real if name in ("input", "x", "a", "x1", *ALIASES) else name
            if real not in self.names:
                if not self.more:
                    return f"got an unexpected keyword argument '{name}'"
            elif real in given:
                return f"got multiple values for argument '{name}'"
            renamed[name], given[real] = real, kind
        for place, p in enumerate(self.parameters):
            if p.name not in given:
                if p.required:
                    name = f's: "{p.name}"' if self.typed else f": '{p.name}'"
                    return f"missing 1 required positional argument{name}"
            elif not p.takes(given[p.name]):
                if (
                    p.many
                    and p.kind == "T"
                    and isinstance(given[p.name], tuple)
                    and given[p.name][0] == "list"
                ):
                    wrong = next(k for k in given[p.name][1] if not _fits("T", k))
                    return f"expected Tensors as elements of argument {place}, but got {_said(wrong)}"
                where = f" (position {place + 1 - first})" if place < len(kinds) else ""
                name = "input" if p.name == "self" else p.name
                return f"argument '{name}'{where} must be {p.words}, not {_given(given[p.name])}"
        return [p.name for p in places[: len(kinds)]], renamed, spread


def _unpacked(name: str, place: int, kind) -> str:
    told = f'"type must be tuple of ints,but got {_said(kind)}"'
    return f"argument '{name}' failed to unpack the object at pos {place + 1} with error {told}"


def _refined(told: str, values) -> str:
    """Name the part of a list that is wrong."""
    name = re.match(r"argument '(\w+)' \(position 1\) must be tuple of ints, not list", told)
    tensors = re.match(r"expected Tensors as elements of argument (\d+)", told)
    for value in (v for v in values if isinstance(v, tuple | list)):
        kinds = [*map(_kind, value)]
        bad = next((n for n, k in enumerate(kinds) if not _fits("iT"[bool(tensors)], k)), None)
        if tensors and bad is not None:
            came = type(value[bad]).__name__
            return f"expected Tensor as element {bad} in argument {tensors[1]}, but got {came}"
        if name and bad:
            return _unpacked(name[1], bad, kinds[bad])
        if name and bad == 0:
            return told.replace("not list", f"but found element of type {_said(kinds[0])} at pos 0")
    return told


def _given(kind) -> str:
    if isinstance(kind, tuple) and kind[0] == "list":
        return "list"
    return "numpy.ndarray" if _said(kind) == "ndarray" else _said(kind)


def _said(kind) -> str:
    if kind == "tensor" or (isinstance(kind, tuple) and kind[0] == "number"):
        return "Tensor"
    if isinstance(kind, tuple):
        return "tuple of " + " and ".join(sorted(map(_said, kind[1]))) if kind[1] else "tuple"
    return kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))


@functools.cache
def forms(path: str) -> list[Form]:
    """Give the forms of a name; none where PyTorch says nothing of its parameters."""
    return [Form(text) for text in LINES[path].split("\t") if text] if LINES.get(path) else []


def signature(form: Form) -> inspect.Signature:
    """Give the parameters of a class's thing, or of its method, as PyTorch has them."""
    kinds = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    empty = inspect.Parameter.empty
    rest = [
        inspect.Parameter(p.name, kinds[p.named], default=empty if p.required else p.default)
        for p in form.parameters
    ]
    return inspect.Signature([inspect.Parameter("self", kinds[0]), *rest])


def own_parameters(act, skip: int = 0) -> tuple[frozenset, float, list]:
    """Give the names that a function of the page takes, how many arguments it takes by their places, and which."""
    if hasattr(act, "_takes"):
        return act._takes, float("inf"), []
    found = list(inspect.signature(inspect.unwrap(act)).parameters.values())[skip:]
    order = [p.name for p in found if p.kind is p.POSITIONAL_OR_KEYWORD]
    places = float("inf") if any(p.kind is p.VAR_POSITIONAL for p in found) else len(order)
    if any(
        p.kind is p.VAR_KEYWORD for p in found
    ):  # handed on to an operator, which says what it does not take
        return _All(), places, order
    return frozenset(p.name for p in found if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)), places, order


class _All(frozenset):
    """Every name of a function's own, but for what is done for all functions alike."""

    def __contains__(self, name) -> bool:
        return name not in ("out", "device", "requires_grad", *IDLE) and not name.endswith("_")

    def __or__(self, other):
        return self


def told(path: str, more: str | None = None) -> str:
    """Say how a function is called, and what the page says of it."""
    text = re.sub(_KINDS, "", LINES[path].replace("^", _TAIL))
    text = re.sub(r"\bself\b(, )?", "" if "Tensor." in path else r"input\1", text)
    calls = [f"{path.rpartition('.')[2]}({form})" for form in dict.fromkeys(text.split("\t"))]
    return "\n".join([*calls, "", more] if more else calls)


def document(begin: str, names: dict) -> None:
    """Say of functions that nothing holds how they are called."""
    for name, act in names.items():
        if inspect.isfunction(act) and not act.__doc__ and begin + name in LINES:
            act.__doc__ = told(begin + name)


def held(path: str, act, *, method: bool = False, skip: int = 0):
    """Give a function that binds its arguments as PyTorch does, and refuses what PyTorch refuses."""
    known = forms(path)
    if not known:
        return act
    act = stepped(path, fitted(path, act))
    short = path.rpartition(".")[2]
    short = short.replace(":", ".") if ":" in path else short + ".__init__" * skip
    plans, own, path = {}, own_parameters(act, skip), path.replace(":", ".")
    first = 1 if method else 0

    def call(*args, **kwargs):
        given = args[skip:]
        key = tuple(map(_kind, given)), *((k, _kind(v)) for k, v in kwargs.items())
        plan = plans.get(key)
        if plan is None:
            plan = plans[key] = _plan(path, short, known, own, first, key, (*given, *kwargs.values()))
        try:
            return act(*args) if plan is True else plan(act, args[:skip], given, kwargs)
        except STUMBLES as error:
            raise worded(path, error) from None

    call.__name__, call.__qualname__, call.__wrapped__ = short, short, act
    if path.startswith("nn.functional"):
        call.__module__ = "torch.nn.functional"
    call.__doc__ = act.__doc__ if skip else told(path, act.__doc__)
    if skip and not (known[0].rest or known[0].more):
        call.__signature__ = signature(known[0])
    return call


def worded(path: str, error: Exception) -> Exception:
    """Say whose error it is, where Python stumbled inside the page's torch and nobody raised an error in words."""
    step = error.__traceback__
    while step.tb_next:
        step = step.tb_next
    code = step.tb_frame.f_code
    inside = (
        code.co_filename.startswith(_HERE) and code.co_code[step.tb_lasti] != opcode.opmap["RAISE_VARARGS"]
    )
    if not inside:
        return error
    told = f"torch.{path} cannot do this ({error}): PyTorch cannot either, or it is not in the page's torch"
    return type(error)(f"{told}; run this notebook in Jupyter to see.")


_HERE = held.__code__.co_filename.rpartition("/")[0] + "/"
STUMBLES = AttributeError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError


def _plan(path: str, short: str, known: list, own: tuple, first: int, key: tuple, values: tuple):
    """Decide for arguments of these kinds; an error says what PyTorch would say."""
    kinds, named = key[0], dict(key[1:])
    if named.get("requires_grad", bool) not in (bool, type(None)) and not path.startswith("nn."):
        raise TypeError(
            f"{short}(): argument 'requires_grad' must be bool, not {_said(named['requires_grad'])}"
        )
    every = [*kinds, *named.values()]
    if short not in ("tensor", "as_tensor", "asarray", "new_tensor", "is_tensor") and (
        "complex" in every
        or complex in every
        or any(isinstance(k, tuple) and k[0] == "complex list" for k in every)
    ):
        return lambda act, before, args, kwargs: _complex().held(path, args, kwargs)
    found = [(form, form.bind(list(kinds), named, first)) for form in known]
    fitting = [(form, bound) for form, bound in found if isinstance(bound, tuple)]
    if fitting:  # a tensor without axes stands for a number only where no form takes it as a tensor
        form, (places, renamed, spread) = min(fitting, key=lambda pair: _read(pair[0], kinds, named, pair[1]))
        special = {"out", "device", "requires_grad", "dtype", "inplace", *IDLE}
        plain = (
            not spread
            and not renamed
            and not special & set(places)
            and not _read(form, kinds, named, (places, renamed, spread))
        )
        if plain and form.typed and len(places) <= own[1]:
            return True
        return functools.partial(_carry, path, form, own, places, renamed, spread, first)
    told = [bound for _, bound in found]
    if (
        short in NUMBERS
        and kinds
        and kinds[0] in (int, float, bool)
        and ("tensor" in every or {*kinds} <= {int, float, bool})
    ):
        from torch._create import tensor

        return lambda act, _, args, named: act(tensor(args[0]), *args[1:], **named)
    if short.rstrip("_") in ("add", "sub") and len(kinds) == 3 and kinds[1] in (int, float) and not named:
        return lambda act, _, args, __: act(args[0], args[2], alpha=args[1])  # as it was written of old
    if len({*told}) == 1:
        told = _refined(told[0], values)
        named = f"{short}(){':' * told.startswith('argument')} "
        raise TypeError(told if told.startswith("expected Tensor as") else named + told)
    if short.rstrip("_") in NUMBERS and len(kinds) == 2 and not named:
        raise TypeError(
            f"{short}(): argument 'other' (position {2 - first}) must be Tensor, not {_given(kinds[1])}"
        )
    unpacked = next((one for one in told if "failed to unpack" in one), None)
    if unpacked and short == "view":
        raise TypeError(f"view(): {unpacked}")
    kinds = [*map(_said, kinds[first:]), *(f"{k}={_said(v)}" for k, v in named.items())]
    shapes = "; ".join(
        "(" + ", ".join(p.name for p in form.parameters if p.name not in ("layout", "pin_memory")) + ")"
        for form in known
    )
    raise TypeError(
        f"{short}() received an invalid combination of arguments - got ({', '.join(kinds)}), but expected one of: {shapes}"
    )


def _read(form: Form, kinds: list, named: dict, bound: tuple) -> int:
    """Count the tensors whose number would be read."""
    by_name = {p.name: p for p in form.parameters}
    places, renamed, _ = bound
    pairs = [*zip(places, kinds, strict=False), *((renamed[name], kind) for name, kind in named.items())]
    return sum(
        isinstance(kind, tuple)
        and kind[0] == "number"
        and getattr(by_name.get(name), "kind", None) in ("i", "f", "S")
        for name, kind in pairs
    )


def _complex():
    from torch import _complex

    return _complex


def _carry(path, form, own, places, renamed, spread, first, act, before, args, kwargs):
    """Hand bound arguments on: a name that the page's function lacks must be what goes without saying."""
    if spread:
        args = *args[:first], [int(v) for v in args[first:]]
    by_name, (own, slots, order) = {p.name: p for p in form.parameters}, own
    positional, named, out, wants = [], {}, None, False
    by_place = len(places)
    values = [*zip(places, args, strict=False), *((renamed[k], v) for k, v in kwargs.items())]
    for number, (name, value) in enumerate(values):
        p = by_name.get(name)
        if p is None:
            named[name] = value
            continue
        if p.kind and value is not None:
            value = _made(p, value)
        if name == "out" and "out" not in own:
            out = value
        elif name == "requires_grad" and "requires_grad" not in own:
            wants = value
        elif name == "device" and value is not None:
            usable(value)
        elif name == "layout" and value is not None and str(value) != "torch.strided":
            raise missing(f"layout={value} of torch.{path}")
        elif name == "inplace" and value and not before and "inplace" not in own:
            from torch._inplace import in_place

            act = in_place(path, act)
        elif name == "dtype" and isinstance(value, str) and path != "Tensor.type":
            raise TypeError(f"{path}(): argument 'dtype' must be torch.dtype, not str")
        elif name == "dtype" and value in PYTHON:
            value = PYTHON[value]
        if (
            name == "dtype" and before and "dtype" not in own and value is not None
        ):  # a module: all that it makes is of the type
            act, value = _typed(act, value), None
        # a function of Python may have its parameters in another order than PyTorch's
        meant = form.typed or number >= len(order) or order[number] == name or order[number] not in form.names
        placed = number < by_place and number < slots and number == len(positional)
        if placed and meant and (name != "inplace" or name in own):
            positional.append(value)
            continue
        target = next((n for n in (name, f"{name}_", *SELVES.get(name, ())) if n in own), None)
        if target:
            named[target] = value
            continue
        idle = name in IDLE or name in ("out", "device", "requires_grad", "inplace")
        if not idle and not (value is p.default or (p.default is not ... and value == p.default)):
            raise missing(f"{name}={value!r} of torch.{path}")
    if path in SUMS and isinstance(out, Tensor):
        named.setdefault("dtype", out.dtype)
    extra = args[len(places) :]
    found = act(*before, *positional, *extra, **named)
    if wants:
        found._wanting()
    if isinstance(out, Tensor) and named.get("dtype") not in (None, out.dtype):
        if path in MADE:
            kinds = (_dtype.NAMES[kind.name] for kind in (named["dtype"], out.dtype))
            raise RuntimeError("dtype {} does not match dtype of out parameter ({})".format(*kinds))
        raise _expected(named["dtype"], out)
    return found if out is None else _written(path, out, found)


def _typed(act, kind):
    def start(*args, **kwargs):
        usual = _dtype.get_default_dtype()
        if kind.is_complex:
            raise missing(f"a module of {kind}")
        _dtype.set_default_dtype(kind)
        try:
            return act(*args, **kwargs)
        finally:
            _dtype.set_default_dtype(usual)

    return start


def _made(p: Parameter, value):
    """Give a number for a tensor without axes where a number is wanted."""
    if isinstance(value, Tensor) and p.kind in "ifS":
        return int(value) if p.kind == "i" else value.item()
    if p.many and p.kind == "i" and isinstance(value, tuple | list):
        return [v.__index__() for v in value]
    return value


def _expected(kind, out) -> RuntimeError:
    wanted, came = (_dtype.CNAMES[k.name] for k in (kind, out.dtype))
    return RuntimeError(f"Expected out tensor to have dtype {wanted}, but got {came} instead")


def _written(path: str, out, found):
    """Write results into `out`, which takes their shape where it is empty."""
    if isinstance(out, tuple | list):
        from torch._call import result_type

        kind = result_type(f"{type(found).__name__}_out", found._names)
        if path in PAIRS and found[0].dtype != out[0].dtype:
            raise _expected(found[0].dtype, out[0])
        return kind(_written(path, o, f) for o, f in zip(out, found, strict=True))
    if not isinstance(out, Tensor):
        raise TypeError(f"{path}(): argument 'out' must be Tensor, not {type(out).__name__}")
    if out.requires_grad or found.requires_grad:
        raise RuntimeError(
            f"{path}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad."
        )
    if path in EXACT and found.dtype != out.dtype:
        raise _expected(found.dtype, out)
    if path not in MADE and not _dtype.can_cast(found.dtype, out.dtype):
        came, wanted = (_dtype.NAMES[t.dtype.name] for t in (found, out))
        if path in ("cat", "stack"):
            raise TypeError(f"torch.cat(): input types can't be cast to the desired output type {wanted}")
        raise RuntimeError(f"result type {came} can't be cast to the desired output type {wanted}")
    if out.shape != found.shape:
        if out.numel():
            raise missing(
                f"out= of another shape, {list(out.shape)} for {list(found.shape)}, of torch.{path}"
            )
        out._see(found.to(out.dtype))
        return out
    return out.copy_(found)


def has_no_module(path: str) -> bool:
    """Tell whether PyTorch has no module of a path, as far as its surface is known; its functions are refused by name."""
    above, _, name = path.rpartition(".")
    if LINES.get(path) or (path in LINES) != (path in LINES["modules:"].split()):
        raise missing(f"torch.{path}", ImportError)
    known = any(line.rpartition(".")[0] == above for line in LINES)
    return known and not name.startswith("_") and path not in LINES and path not in _UNLISTED


def absent(space: str, name: str, thing: object = None) -> Exception:
    """Make the error for a name that is not there: PyTorch's own words where PyTorch has not got it either."""
    path = ".".join(part for part in (space.removeprefix("torch").removeprefix("."), name) if part)
    if (
        path in LINES or path in LINES["modules:"].split() or name.startswith("_")
    ):  # who knows what PyTorch keeps for itself?
        return missing(f"torch.{path}", AttributeError)
    owner = "'Tensor' object" if space == "torch.Tensor" else f"module '{space}'"
    begin = path[: -len(name)]
    near = difflib.get_close_matches(name, [n[len(begin) :] for n in LINES if n.startswith(begin)], 1, 0.75)
    hint = f". Did you mean: '{near[0]}'?" if near else ""
    return AttributeError(f"{owner} has no attribute '{name}'{hint}")


def lacking(thing, name: str) -> AttributeError:
    """Make the error for an attribute that a thing of the page's torch has not got."""
    for kind in type(thing).__mro__:
        path = vars(kind).get("_path", "")
        if name in LINES.get(f"{path}:", "").split():
            return missing(f"torch.{path}.{name}", AttributeError)
    return AttributeError(f"'{type(thing).__name__}' object has no attribute '{name}'")


def _lacks(self, name: str):
    raise lacking(self, name)


HOMES = {
    path: home for line in LINES["classes:"].split("\t") for home, *paths in [line.split()] for path in paths
}


METHODS: dict[str, list[str]] = {}  # of a class, those that have options
for _owner, _method in (path.split(":") for path in LINES if ":" in path):
    METHODS.setdefault(_owner, []).extend(filter(None, [_method]))


def _at_home(kind: type, name: str, home: str) -> None:
    """Let a class stand in the module in which PyTorch has it, for its text and for pickle."""
    kind.__module__ = home
    setattr(sys.modules.setdefault(home, types.ModuleType(home)), name, kind)


def hold(space: str, names: dict) -> None:
    """Hold all functions and classes of a module against PyTorch's."""
    for name, value in list(names.items()):
        path = f"{space}.{name}" if space else name
        if isinstance(value, type) and path in HOMES:
            _at_home(value, name, HOMES[path])
        if f"{path}:" in LINES and isinstance(value, type):
            value._path = path
            if not hasattr(value, "__getattr__"):
                value.__getattr__ = _lacks
        for method in METHODS.get(path, ()) if isinstance(value, type) else ():
            if inspect.isfunction(act := getattr(value, method, None)):
                setattr(value, method, held(f"{path}:{method}", act, skip=1))
        if name.startswith("_") or not LINES.get(path) or not callable(value):
            continue
        if not isinstance(value, type):
            names[name] = held(path, value)
        elif "__init__" in vars(value) or any("__init__" in vars(k) for k in value.__mro__[1:-1]):
            value.__init__ = held(path, value.__init__, skip=1)
