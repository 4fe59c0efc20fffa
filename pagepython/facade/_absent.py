"""Small modules of what stands in another one, and what a module answers for a name that it lacks."""

from __future__ import annotations

import sys
import types


def refuser(space: str):
    """Make the ``__getattr__`` of a module."""

    def refuse(name: str):
        from torch import _surface

        if name.startswith("__"):
            raise AttributeError(name)
        raise _surface.absent(space, name)

    return refuse


def namespace(path: str, **names) -> types.ModuleType:
    """Make a small module of what stands in another one."""
    made = types.ModuleType(path)
    vars(made).update({"__path__": [], "__getattr__": refuser(path)} | names)
    sys.modules[path] = made
    return made
