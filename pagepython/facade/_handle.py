"""The way to the operators: numbers go over as arrays, tensors as handles."""

import itertools
import json
import re
from array import array

import page_bridge as bridge
from pyodide.ffi import JsArray, JsException, to_js

SIGNATURES = {
    name: [(p, kind, required, initial) for p, kind, required, initial in parameters]
    for name, parameters in json.loads(bridge.signatures()).items()
}


_call, _single, _plain = bridge.call, {}, {}  # operators with one result; numbers that went over


def from_numbers(numbers, shape, dtype):
    """Make a handle of Python's numbers; beyond 2^53 no float64 holds whole ones."""
    if dtype == "int64" and any(abs(n) > 2**53 for n in numbers):
        try:
            whole = array("q", map(int, numbers))
        except OverflowError:
            raise ValueError("Overflow when unpacking long long") from None
        return bridge.makeExact(to_js(memoryview(whole)), to_js(list(shape)), dtype)
    return bridge.make(to_js(memoryview(array("d", numbers))), to_js(list(shape)), dtype)


def to_numbers(handle) -> list:
    """Give all numbers of a handle, one after the other."""
    return bridge.numbers(handle).to_py().tolist()


def view(handle, shape, strides, offset):
    """Give another view of the same storage."""
    return bridge.view(handle, to_js([*shape, *strides]), offset)


def call(op: str, arguments: list) -> list:
    """Run an operator; a failure is torch's kind of error."""
    try:
        found = _call(op, *arguments)
        if op not in _single:
            _single[op] = not isinstance(found, JsArray)
        return [found] if _single[op] else list(found)
    except JsException as error:
        raise _as_torch_says(op, str(error.js_error.message)) from None


def _as_torch_says(op: str, message: str) -> Exception:
    """Put the runtime's complaint in PyTorch's words, where PyTorch has words of its own for it."""
    if found := re.fullmatch(r"axis must be in (\[.*\]), got (.*)\.", message):
        return IndexError(
            f"Dimension out of range (expected to be in range of {found[1]}, but got {found[2]})"
        )
    if found := re.fullmatch(r"shapes (\[[\d,]*\](?: and \[[\d,]*\])+) do not broadcast together\.", message):
        shapes = [[int(n) for n in re.findall(r"\d+", text)] for text in found[1].split(" and ")]
        shapes = _apart(op, shapes)
        rank = max(map(len, shapes))
        first, second = ([1] * (rank - len(shape)) + shape for shape in shapes)
        axis = next(
            k for k in reversed(range(rank)) if first[k] != second[k] and 1 not in (first[k], second[k])
        )
        return RuntimeError(
            f"The size of tensor a ({first[axis]}) must match the size of tensor b ({second[axis]}) at "
            f"non-singleton dimension {axis}"
        )
    if found := re.fullmatch(r"index (-?\d+) is outside an axis of length (\d+)\.", message):
        return IndexError(f"index {found[1]} is out of bounds for dimension 0 with size {found[2]}")
    if message == "an integer cannot be divided by 0.":
        return RuntimeError("ZeroDivisionError")
    kind = IndexError if message.startswith("index ") else RuntimeError
    return kind(f"{op.split('.')[0]}: {message}")


def _apart(op: str, shapes: list) -> list:
    """Give two of several shapes that do not fit together, in the order in which PyTorch looks at them."""
    if op.startswith("masked_fill"):
        shapes = [shapes[0], shapes[-1]]
    elif op.startswith("where"):
        shapes = [*shapes[1:], shapes[0]]
    for one, other in itertools.combinations(shapes, 2):
        if any(m != n and 1 not in (m, n) for m, n in zip(reversed(one), reversed(other), strict=False)):
            return [one, other]
    return shapes[:2]


def plain(value):
    """Make a Python number one for a kernel: 2.0 stays a float."""
    key = (
        (value.__class__, value) if value else (value.__class__, str(value))
    )  # -0.0 is another number than 0.0
    found = _plain.get(key)
    if found is None:
        if len(_plain) > 1000:
            _plain.clear()
        found = _plain[key] = bridge.plain(value, isinstance(value, float))
    return found


def write(handle, source) -> None:
    """Write the numbers of one handle into another of the same shape."""
    bridge.write(handle, source)
