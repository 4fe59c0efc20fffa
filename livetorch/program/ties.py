"""`stable_order` under its first name: tools outside this project hold programs against torch with it."""

from livetorch.program.operators import stable_order

__all__ = ["stable_order"]
