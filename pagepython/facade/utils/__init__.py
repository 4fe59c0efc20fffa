"""``torch.utils``."""

import importlib

from torch._absent import refuser

_refuse = refuser(__name__)


def __getattr__(name: str):
    return importlib.import_module("torch.utils.data") if name == "data" else _refuse(name)
