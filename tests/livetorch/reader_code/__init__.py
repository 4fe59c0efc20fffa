"""Functions as readers write them, with example inputs: traced, run in torch and run in Node by the tests."""

from reader_code import algebra, attention, decoding, gradients, modules, odd, package, tensors, writing
from reader_code._examples import EXAMPLES, Example

__all__ = [
    "EXAMPLES",
    "Example",
    "algebra",
    "attention",
    "decoding",
    "gradients",
    "modules",
    "odd",
    "package",
    "tensors",
    "writing",
]
