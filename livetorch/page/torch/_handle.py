"""The way to the operators: numbers go over as arrays, tensors as handles."""

from __future__ import annotations

import json
from array import array

import livetorch_bridge as bridge
from pyodide.ffi import JsException, to_js

SIGNATURES = {
    name: [(p, kind, required, initial) for p, kind, required, initial in parameters]
    for name, parameters in json.loads(bridge.signatures()).items()
}


def from_numbers(numbers, shape, dtype):
    """Make a handle of Python's numbers."""
    return bridge.make(to_js(memoryview(array("d", numbers))), to_js(list(shape)), dtype)


def to_numbers(handle) -> list:
    """Give all numbers of a handle, one after the other."""
    return bridge.numbers(handle).to_py().tolist()


def view(handle, shape, strides, offset):
    """Give another view of the same storage."""
    return bridge.view(handle, to_js(list(shape)), to_js(list(strides)), offset)


def call(op: str, arguments: list) -> list:
    """Run an operator; a failure is torch's kind of error."""
    try:
        return list(bridge.call(op, *arguments))
    except JsException as error:
        message = str(error.js_error.message)
        kind = IndexError if message.startswith(("index ", "axis must")) else RuntimeError
        raise kind(f"{op.split('.')[0]}: {message}") from None


def plain(value):
    """Make a Python number one for a kernel: 2.0 stays a float."""
    return bridge.plain(value, isinstance(value, float))


def write(handle, source) -> None:
    """Write the numbers of one handle into another of the same shape."""
    bridge.write(handle, source)
