"""``torch.utils``."""

import importlib

from torch._absent import refuser

_refuse = refuser(__name__)


def __getattr__(name: str):
    return importlib.import_module(f"torch.utils.{name}") if name in ("data", "checkpoint") else _refuse(name)
