"""How to draw a call of every operator of the JavaScript runtime, by topic."""

# Importing a topic enters its operators in CASES.
from operator_cases import (  # noqa: F401
    activation,
    binary,
    compare,
    fourier,
    index,
    layer,
    product,
    reduce,
    sorting,
    three,
    unary,
    view,
)
from operator_cases.create import EMPTY
from operator_cases.registry import CASES

__all__ = ["CASES", "EMPTY"]
