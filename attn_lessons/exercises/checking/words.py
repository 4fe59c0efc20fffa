"""Numbers, shapes and places as they stand in replies."""

import html
import re
import textwrap

from torch import Tensor

from livetorch import format

_PLURAL = {"is": "are", "has": "have", "says": "say"}
_ONE = {"queries": "query", "keys": "key", "heads": "head", "positions": "position", "length": "position"}
_ONE |= {"layers": "layer", "rows": "row", "columns": "column"}


def number(value: Tensor | float) -> str:
    """Write a number with at most four decimals."""
    return format.number(value.item() if isinstance(value, Tensor) else value, trim=True)


def row(values: Tensor, start: int = 0) -> str:
    """Write a row of numbers, at most eight of them, from `start` on."""
    parts = [number(value) for value in values[start : start + 8]]
    before, after = ["..."] * (start > 0), ["..."] * (len(values) > start + 8)
    return f"[{', '.join(before + parts + after)}]"


def shape(tensor: Tensor, axes: str = "") -> str:
    """Write a shape, with the names of its axes if they fit: (queries=2, keys=3)."""
    names = axes.split()
    if len(names) != tensor.dim():
        return str(tuple(tensor.shape))
    return f"({', '.join(f'{name}={size}' for name, size in zip(names, tensor.shape, strict=True))})"


def a(noun: str) -> str:
    """Put "a" or "an" before a noun."""
    return f"{'an' if noun[0] in 'aeiou' or noun.startswith('nd') else 'a'} {noun}"


def are(label: str) -> str:
    """Put "is" or "are" behind the name of a result."""
    return f"{label} {'are' if label.endswith('s') and label != 'bias' else 'is'}"


def they(label: str, text: str) -> str:
    """Speak of a result in the plural where its name is one: "it is added up" becomes "they are added up"."""
    if not are(label).endswith("are"):
        return text
    text = re.sub(r"\bof it\b", "of them", text).replace("its axes", "their axes")
    return re.sub(r"\bit (is|has|says) ", lambda verb: f"they {_PLURAL[verb[1]]} ", text)


def one(name: str) -> str:
    """Name one place along an axis: key, or place of the dim."""
    return _ONE.get(name, f"place of the {name}")


def place(index: list[int], axes: str) -> str:
    """Write an index with the names of its axes: query 1, key 2."""
    names = axes.split()
    return ", ".join(f"{_ONE.get(name, name)} {i}" for name, i in zip(names, index, strict=False))


def argument(name: str, value: object) -> str:
    """Describe an argument: a tensor by shape and dtype, anything else by its value."""
    if not isinstance(value, Tensor):
        return f"{name}={value!r}"
    return f"{name} {shape(value)} {str(value.dtype).removeprefix('torch.')}"


def held(name: str, value: object) -> str:
    """Say what a name stands for where a line stops: a shape, a dtype that is not float32, a number."""
    return argument(name, value).removesuffix(" float32")


def first_line(error: BaseException) -> str:
    """Give the first sentence of an error's text."""
    first = (str(error).strip().splitlines() or ["(no message)"])[0].split(". ")[0]
    return textwrap.shorten(first, 240, placeholder=" ...")


def paragraph(label: str, text: str) -> str:
    """Wrap a labelled paragraph at 72 columns, which a page shows without scrolling."""
    line = " ".join(f"{label} {text}".split())
    return textwrap.fill(line, width=72, subsequent_indent="  ", break_long_words=False)


def html_paragraph(label: str, text: str) -> str:
    """Write a labelled paragraph as HTML, which a narrow screen wraps where it must."""
    words = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(" ".join(text.split()), quote=False))
    return f"<p><strong>{label}</strong> {words}</p>"
