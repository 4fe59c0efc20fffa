"""The text of a tensor, as torch prints it."""

import math

from torch import _dtype, _slices

OPTIONS = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}
_DEFAULT = dict(OPTIONS)


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None
) -> None:
    if profile is not None:
        OPTIONS.update(_DEFAULT)
        OPTIONS["threshold"] = math.inf if profile == "full" else 1000
        if profile == "short":
            OPTIONS.update(precision=2, edgeitems=2)
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    OPTIONS.update({name: value for name, value in given.items() if value is not None})
    OPTIONS["sci_mode"] = sci_mode


def select(tensor, axis: int, place: int):
    return tensor[place] if tensor.dtype.is_complex else _slices.select(tensor, axis, place)


def slice_(tensor, axis: int, place: slice):
    return tensor[place] if tensor.dtype.is_complex else _slices.slice_(tensor, axis, place)


class _Formatter:
    """One width and one notation for all numbers of a tensor."""

    def __init__(self, numbers: list, kind) -> None:
        self.floating, self.whole, self.scientific = kind.is_floating_point, True, False
        precision = self.precision = OPTIONS["precision"]
        if not self.floating:
            self.width = max((len(str(x)) for x in numbers), default=1)
            return
        finite = [x for x in numbers if math.isfinite(x) and x != 0]
        self.width = 1
        if not finite:
            return
        sizes = [abs(x) for x in finite]
        least, most = min(sizes), max(sizes)
        self.whole = all(x == math.ceil(x) for x in finite)
        if self.whole:
            self.scientific = most / least > 1000.0 or most > 1.0e8
        else:
            self.scientific = most / least > 1000.0 or most > 1.0e8 or least < 1.0e-4
        if OPTIONS["sci_mode"] is not None:
            self.scientific = OPTIONS["sci_mode"]
        if self.scientific:
            self.width = max(len(f"{x:.{precision}e}") for x in finite)
        elif self.whole:
            self.width = max(len(f"{x:.0f}") + 1 for x in finite)
        else:
            self.width = max(len(f"{x:.{precision}f}") for x in finite)

    def of(self, x, *, bare: bool = False) -> str:
        if not self.floating:
            text = str(x)
        elif self.scientific:
            text = f"{x:.{self.precision}e}"
        elif self.whole:
            text = f"{x:.0f}" + ("." if math.isfinite(x) else "")
        else:
            text = f"{x:.{self.precision}f}"
        return text if bare else text.rjust(self.width)


class _Pair:
    """The notation of complex numbers: one for the real parts, one for the imaginary ones."""

    def __init__(self, numbers: list) -> None:
        self.real, self.imag = (
            _Formatter(part, _dtype.float32)
            for part in ([z.real for z in numbers], [z.imag for z in numbers])
        )
        self.width = self.real.width + self.imag.width + 1

    def of(self, z) -> str:
        imag = self.imag.of(z.imag).lstrip()
        return f"{self.real.of(z.real)}{imag if imag[0] == '-' else '+' + imag}j"


def _shown(tensor) -> list:
    """Give the numbers that will be seen: all, or those at the edges."""
    edge = OPTIONS["edgeitems"]
    if tensor.numel() <= OPTIONS["threshold"]:
        return tensor._flat()
    for axis, length in enumerate(tensor.shape):
        if length > 2 * edge:
            spots = [*range(edge), *range(length - edge, length)]
            from torch._call import call
            from torch._create import tensor as make

            tensor = call("index_select", tensor, axis, make(spots))
    return tensor._flat()


def _row(tensor, indent: int, short: bool, formatter: _Formatter) -> str:
    width = formatter.width + 2
    per_line = max(1, (OPTIONS["linewidth"] - indent) // width)
    edge = OPTIONS["edgeitems"]
    if short and tensor.shape[0] > 2 * edge:
        ends = [slice_(tensor, 0, slice(0, edge)), slice_(tensor, 0, slice(-edge, None))]
        words = (
            [formatter.of(x) for x in ends[0]._flat()] + [" ..."] + [formatter.of(x) for x in ends[1]._flat()]
        )
    else:
        words = [formatter.of(x) for x in tensor._flat()]
    lines = [", ".join(words[k : k + per_line]) for k in range(0, len(words), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _block(tensor, indent: int, short: bool, formatter: _Formatter) -> str:
    if tensor.dim() == 0:
        return formatter.of(tensor._flat()[0])
    if tensor.dim() == 1:
        return _row(tensor, indent, short, formatter)
    edge, rows = OPTIONS["edgeitems"], range(tensor.shape[0])
    if short and tensor.shape[0] > 2 * edge:
        rows = [*range(edge), None, *range(tensor.shape[0] - edge, tensor.shape[0])]
    parts = ["..." if k is None else _block(select(tensor, 0, k), indent + 1, short, formatter) for k in rows]
    between = "," + "\n" * (tensor.dim() - 1) + " " * (indent + 1)
    return "[" + between.join(parts) + "]"


def text(tensor) -> str:
    """Give the text of a tensor, with its type and what else torch says."""
    plain = tensor.detach()
    name = "Parameter containing:\ntensor(" if type(tensor).__name__ == "Parameter" else "tensor("
    indent = len("tensor(")
    notes = []
    if plain.numel() == 0:
        body = "[]"
        if plain.dim() != 1:
            notes.append(f"size={tuple(plain.shape)}")
        if plain.dtype != _dtype.get_default_dtype():
            notes.append(f"dtype={plain.dtype}")
    else:
        formatter = (
            _Formatter(_shown(plain), plain.dtype) if not plain.dtype.is_complex else _Pair(_shown(plain))
        )
        body = _block(plain, indent, plain.numel() > OPTIONS["threshold"], formatter)
        usual = {_dtype.get_default_dtype(), _dtype.int64, _dtype.bool_, _dtype.of_python(complex)}
        if plain.dtype not in usual:
            notes.append(f"dtype={plain.dtype}")
    if tensor.grad_fn is not None:
        notes.append(f"grad_fn=<{tensor.grad_fn.name()}>")
    elif tensor.requires_grad:
        notes.append("requires_grad=True")
    out = name + body
    width = len(out) - out.rfind("\n") + 1  # as torch counts it
    for note in notes:
        if width + len(note) + 2 > OPTIONS["linewidth"]:
            out, width = f"{out},\n{' ' * indent}{note}", indent + len(note)
        else:
            out, width = f"{out}, {note}", width + len(note) + 2
    return out + ")"
