"""What is missing says so with its full name."""

from __future__ import annotations

import sys
import types


def refuser(module: str):
    """Make the ``__getattr__`` of a module."""

    def refuse(name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"{module}.{name} is not in the page's torch; run this notebook in Jupyter.")

    return refuse


def namespace(path: str, **names) -> types.ModuleType:
    """Make a small module of what stands in another one."""
    made = types.ModuleType(path)
    vars(made).update(names, __getattr__=refuser(path))
    sys.modules[path] = made
    return made
