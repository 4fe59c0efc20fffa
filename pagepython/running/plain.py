"""The commonest errors in a reader's words, with the shapes and values of the line."""

import difflib
import linecache
import re
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

MOST = 3  # names whose shape is told
Names = Mapping[str, Any]


def _matmul(_: str, inner: str, other: str, columns: str) -> str:
    turned = " With .mT after the right one they fit." if inner == columns else ""
    return f"{PRODUCT}: here {inner} and {other}.{turned}"


def _inside(_: str, inner: str, other: str, __: str) -> str:
    return f"Inside, a product meets rows of {inner} and takes rows of {other} (of a layer: its in_features)."


def _batches(first: str, inner: str, second: str, other: str) -> str:
    if first != second:
        return f"The two need the same number of matrices: here {first} and {second}."
    return f"{PRODUCT}: here {inner} and {other}. Often .mT after the right one is missing."


def _dim(low: str, high: str, got: str) -> str:
    axes = int(high) + 1
    has = "one axis" if axes == 1 else f"{axes} axes"
    return f"This tensor has {has}, so dim can be {low} to {high}, and -1 is the last axis: {got} is too far."


def _index(got: str, axis: str, size: str) -> str:
    if size == "0":
        return f"Axis {axis} is empty: it has no entry {got}."
    last = int(size) - 1
    return f"Axis {axis} has {size} entries, counted from 0, so the last is {last} (or -1): {got} is too far."


def _name(name: str, near: str) -> str:
    instead = f" Did you mean {near}?" if near else " If a cell below makes it, run that cell first."
    return f"No line that has run so far makes {name}.{instead}"


def _attribute(kind: str, name: str, near: str) -> str:
    if kind == "NoneType":
        return "What stands before the dot is None: often a function that gave it ends without return."
    if kind in ("list", "tuple", "int", "float"):
        return f"What stands before the dot is a {kind}, not a tensor: write torch.tensor(...) around it."
    return f"{kind} has no {name}." + (f" Did you mean {near}?" if near else "")


def _operands(sign: str, left: str, right: str) -> str:
    pair = {left, right}
    if "Tensor" in pair and (lists := pair & {"list", "tuple"}):
        kind = lists.pop()
        return (
            f"One side of {sign} is a tensor, the other a {kind}: write torch.tensor(...) around the {kind}."
        )
    return f"{sign} cannot join a {left} and a {right}: both sides have to be numbers or tensors."


PRODUCT = "For @, the last size at the left must equal the last but one at the right"
# what Python or torch says -> what the reader is told, from the groups of the first
TABLE: list[tuple[str, str | Callable[..., str]]] = [
    (r"shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)", _matmul),
    (
        r"batch2 tensor to be: \[(\d+), (\d+)\] but got: \[(\d+), (\d+)\]",
        _batches,
    ),
    (
        r"tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)",
        lambda left, right, axis: (
            f"These two meet number by number, so axis {axis} needs the same size in both, or 1 in one: "
            f"here {left} and {right}."
        ),
    ),
    (r"expected to be in range of \[(-?\d+), (\d+)\], but got (-?\d+)", _dim),
    (r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)", _index),
    (
        r"too many indices for tensor of dimension (\d+)",
        lambda axes: f"The brackets hold more indices than the tensor has axes ({axes}).",
    ),
    (
        r"^IndexError: (list|tuple) index out of range",
        lambda kind: f"The {kind} is shorter. Entries are counted from 0, and -1 is the last.",
    ),
    (
        r"Tensors must have same number of dimensions: got (\d+) and (\d+)",
        lambda one, two: f"All tensors need equally many axes: here {one} and {two}. [None] adds an axis.",
    ),
    (r"^NameError: name '(\w+)'", _name),
    (
        r"^UnboundLocalError: .*?'(\w+)'",
        lambda name: f"The function reads {name} before its own line that gives it a value has run.",
    ),
    (r"^AttributeError: (?:module )?'?([\w.]+)'? (?:object )?has no attribute '(\w+)'$", _attribute),
    (r"unsupported operand type\(s\) for (\S+): '(\w+)' and '(\w+)'", _operands),
    (
        r"can only concatenate (list|tuple|str) \(not \"(\w+)\"\)",
        lambda left, right: _operands("+", left, right),
    ),
    (
        r"must be Tensor, not (list|tuple|int|float)",
        lambda kind: f"This function takes tensors, not a {kind}: write torch.tensor(...) around it.",
    ),
    (
        r"missing \d+ required (?:positional|keyword-only) arguments?: (.+)",
        lambda names: f"The call leaves out what the function needs: {names}.",
    ),
    (
        r"takes (?:from \d+ to )?(\d+) positional arguments? but (\d+) w",
        lambda few, many: f"{many} arguments came, and the function takes {few}. A method's self counts.",
    ),
    (
        r"'(\w+)' object is not callable",
        lambda kind: f"Round brackets call a function, and this is a {kind}. Square brackets take an entry.",
    ),
    (
        r"Boolean value of Tensor with more than one value",
        "if, while, and, or need one True or False, and this tensor holds several: add .all() or .any().",
    ),
    (
        r"Tensor with (\d+) elements cannot be converted to Scalar",
        lambda many: f"One number is wanted, and the tensor holds {many}: take one by its index.",
    ),
    (
        r"(\w+) must have shape \(\), got \((.+)\)\.",
        lambda name, sizes: (
            f"{name} is shown as one number, and it is a tensor: take one by its index, "
            f"as in {name}[{', '.join('0' * len(re.findall(r'[0-9]+', sizes)))}]."
        ),
    ),
    (
        r"not enough values to unpack \(expected (\d+), got (\d+)\)",
        lambda left, right: f"There are {left} names at the left of =, and {right} values at the right.",
    ),
    (
        r"too many values to unpack \(expected (\d+)",
        lambda left: f"There are {left} names at the left of =, and more values at the right.",
    ),
    (
        r"shape '\[(.+?)\]' is invalid for input of size (\d+)",
        lambda shape, size: f"The sizes of the new shape, {shape}, must multiply to {size} numbers.",
    ),
    (
        r"expected sequence of length (\d+) at dim \d+ \(got (\d+)\)",
        lambda one, two: f"All rows of a tensor are equally long: here one holds {one}, another {two}.",
    ),
    (r"only supports boolean masks", "A mask holds True and False: write == 1 or .bool() after it."),
    (r"tensors used as indices must be long", "An index is a whole number: write .long() after it."),
    (
        r"have the same dtype, but got: (\S+) != (\S+)",
        lambda left, right: f"The left holds {left} numbers, the right {right}: write .float() after both.",
    ),
    (r"^ZeroDivisionError", "The number after / or % is 0."),
    (
        r"'(.+)' was never closed",
        lambda sign: f"Nothing up to the cell's end closes this {sign}: add the missing bracket.",
    ),
    (
        r"unmatched '(.+)'",
        lambda sign: f"No bracket is open that this {sign} could close: remove it, or open one before it.",
    ),
    (
        r"expected an indented block after .+? on line (\d+)",
        lambda line: f"After the colon of line {line}, its own lines begin four spaces further in.",
    ),
    (
        r"^IndentationError: unexpected indent",
        "This line begins further in than the one above it, which has no colon: remove its first spaces.",
    ),
    (
        r"^IndentationError: unindent does not match",
        "This line begins where no line above it begins: count its first spaces.",
    ),
    (r"expected ':'", "A line that begins with if, for, while, def or class ends with a colon."),
    (r"Maybe you meant '=='", "One = gives a value a name. To compare, write ==."),
    (r"Perhaps you forgot a comma", "A comma, or a sign such as *, is missing between two entries."),
    (
        r"^SyntaxError: invalid syntax$",
        "Python cannot go on at the marked sign: often a bracket or a comma is missing before it.",
    ),
    (r"unterminated string literal", "A quotation mark opens a text here, and none closes it in this line."),
]
SHAPED = range(8)  # the rows of the table for which the sizes in the line are told
OF_MASKS = " A mask needs the shape of the scores, (..., queries, keys)."


def in_words(fault: BaseException, mine: Callable[[str], bool]) -> str:
    """Say what an error means for a reader's line, or ""; ``mine`` knows the files of cells."""
    said = f"{type(fault).__name__}: {getattr(fault, 'msg', None) or fault}"
    names, piece = _where(fault.__traceback__, mine)
    if isinstance(fault, KeyError):
        return _keys(fault, names, piece)
    for row, (pattern, words) in enumerate(TABLE):
        if found := re.search(pattern, said):
            groups = list(found.groups())
            if words in (_name, _attribute):
                groups.append(
                    _near(groups[-1], names if words is _name else dir(getattr(fault, "obj", None)))
                )
            if words is _matmul and not re.search(r"@|matmul|mm\b", piece):
                words = _inside
            told = words if isinstance(words, str) else words(*groups)
            masked = OF_MASKS if row in SHAPED and "number by number" in told and "mask" in piece else ""
            return f"{told}{masked}{_shapes(names, piece) if row in SHAPED else ''}"
    return ""


def _where(trace: TracebackType | None, mine: Callable[[str], bool]) -> tuple[dict[str, Any], str]:
    """Give the names that the reader's last line sees, and the piece of it that went wrong."""
    names: dict[str, Any] = {}
    piece = ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if mine(code.co_filename):
            names = {**trace.tb_frame.f_globals, **trace.tb_frame.f_locals}
            first, last, begin, end = list(code.co_positions())[trace.tb_lasti // 2]
            lines = linecache.getlines(code.co_filename)[(first or 1) - 1 : last or first or 1]
            if first is not None and lines:
                lines[-1] = lines[-1].encode()[:end].decode(errors="ignore")
                lines[0] = lines[0].encode()[begin or 0 :].decode(errors="ignore")
            piece = "".join(lines)
        trace = trace.tb_next
    return names, piece


def _shapes(names: Names, piece: str) -> str:
    """Tell the shapes of the tensors that a piece of a line names."""
    named = dict.fromkeys(re.findall(r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", piece))
    told = []
    for name in named:
        first, *rest = name.split(".")
        value = names.get(first)
        for part in rest:
            value = value if hasattr(value, "shape") else getattr(value, "__dict__", {}).get(part)
        whole = first if hasattr(names.get(first), "shape") else name
        if isinstance(shape := getattr(value, "shape", None), tuple):
            told.append(f"{whole} has shape {tuple(shape)}")
        elif isinstance(value, (list, tuple)):
            told.append(f"{name} has {len(value)} entries")
    told = list(dict.fromkeys(told))[:MOST]
    return f" In this line, {' and '.join(told)}." if told else ""


def _near(name: str, known: Any) -> str:
    return next(
        iter(
            difflib.get_close_matches(
                name, [one for one in known if one != name and not one.startswith("_")], 1
            )
        ),
        "",
    )


def _keys(fault: KeyError, names: Names, piece: str) -> str:
    """Say which keys the dictionary of a line has."""
    tables = [names.get(name) for name in re.findall(r"[A-Za-z_]\w*", piece)]
    keys = next((list(one) for one in tables if isinstance(one, dict)), None)
    if keys is None or not fault.args:
        return ""
    has = ", ".join(map(repr, keys[:8])) + (", ..." if len(keys) > 8 else "")
    return f"The dictionary has no {fault.args[0]!r}. It has {has or 'nothing yet'}."
