"""Small data sets that need no network: the same on every machine."""

from .curves import Points, curve, mcycle, synthetic_curve

__all__ = ["Points", "curve", "mcycle", "synthetic_curve"]
