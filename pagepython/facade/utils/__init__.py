"""``torch.utils``."""

from torch._absent import refuser

__getattr__ = refuser(__name__)
