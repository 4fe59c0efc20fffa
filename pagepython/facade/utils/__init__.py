"""``torch.utils``."""

from torch._absent import refuser

__getattr__ = refuser(__name__)


def __getattr__(name: str):
    if name == "data":
        import importlib

        return importlib.import_module("torch.utils.data")
    from torch._surface import absent

    raise absent(__name__, name)
