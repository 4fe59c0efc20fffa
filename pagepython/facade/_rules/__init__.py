"""The table of derivatives, with the rules of all operators in it."""

from torch._rules import activations, elementwise, places, sums
from torch._rules.table import RULES

__all__ = ["RULES", "activations", "elementwise", "places", "sums"]
