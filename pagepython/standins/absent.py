"""Packages that the page does not have: they can be imported, and say so when they are used.

A lesson imports what draws its pictures beside what computes; only the cells that draw are not run then.
"""

import importlib.abc
import importlib.machinery
import sys

# no lesson needs them beside what computes
REFUSED = {
    "accelerate", "cv2", "datasets", "einops", "jax", "keras", "networkx", "nltk", "pandas", "plotly",
    "pytest", "requests", "scipy", "seaborn", "sentencepiece", "sklearn", "spacy", "sympy", "tensorflow",
    "tiktoken", "timm", "tokenizers", "torchaudio", "torchvision", "transformers",
}  # fmt: skip

LIBRARY = {name for name in sys.stdlib_module_names if not name.startswith("_")}  # of which pages have most
LIBRARY |= {"http.cookiejar", "http.server", "logging.config", "xml.dom", "xml.etree"}


class NotInPage(ImportError):
    """What a cell wants that the page does not have."""


class _Absent(type):
    def __getattr__(cls, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return make(f"{cls.path}.{name}")

    def __call__(cls, *args, **kwargs):
        if cls.path is None:
            return super().__call__(*args, **kwargs)
        raise NotInPage(f"{cls.path} is not in the page; run this notebook in Jupyter.")

    def __or__(cls, other):
        return cls

    __ror__ = __or__


# nothing that is done with it gives an answer: it says that it is not there
_ACTS = "getitem iter len repr add radd sub rsub mul rmul truediv rtruediv lt gt le ge enter"
for _act in _ACTS.split():
    setattr(_Absent, f"__{_act}__", lambda cls, *_: cls())


def make(path: str):
    """Give a name that stands for what is absent."""
    return _Absent(path.rpartition(".")[2], (), {"path": path, "__module__": "absent"})


class _Loader(importlib.abc.Loader):
    def create_module(self, spec):
        return None

    def exec_module(self, module) -> None:
        module.__path__ = []

        def attribute(name: str):
            if name.startswith("__") and name != "__version__":
                raise AttributeError(name)
            return make(f"{module.__name__}.{name}")

        module.__getattr__ = attribute


class Finder(importlib.abc.MetaPathFinder):
    """Finds what nothing else found, if it belongs to one of the packages."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def find_spec(self, fullname: str, path=None, target=None):
        package = fullname.partition(".")[0]
        if package in REFUSED or fullname in LIBRARY:
            name = package if package in REFUSED else fullname
            raise NotInPage(f"{name} is not in the page; run this notebook in Jupyter.")
        if fullname.startswith("torch."):
            from torch import _surface  # type: ignore[attr-defined]

            if _surface.has_no_module(fullname.removeprefix("torch.")):
                return None
        if any(fullname == name or fullname.startswith(f"{name}.") for name in self.names):
            return importlib.machinery.ModuleSpec(fullname, _Loader(), is_package=True)
        return None


def install(names: list[str]) -> None:
    """Let packages be imported that are not there."""
    sys.meta_path.append(Finder(tuple(names)))
