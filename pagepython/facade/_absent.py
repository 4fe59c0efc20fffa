"""Small modules of what stands in another one, and what is said of that which is not in the page."""

import sys
import types


def missing(what: str, kind: type[Exception] = NotImplementedError) -> Exception:
    """Make the error for what PyTorch has and the page has not."""
    return kind(f"{what} is not in the page's torch; run this notebook in Jupyter.")


def package(space: str) -> None:
    """Let what a module lacks be looked for as a module inside, so that an import says what is missing."""
    if space in sys.modules:
        vars(sys.modules[space]).setdefault("__path__", [])
        vars(sys.modules[space])["__dir__"] = lambda: listing(space)


def listing(space: str) -> list[str]:
    """Give the names of a module, also those that are found when they are asked for."""
    from torch._surface import LINES

    module, begin = sys.modules[space], f"{space}.".removeprefix("torch.")
    names = (path[len(begin) :] for path in LINES if path.startswith(begin))
    return sorted({*vars(module), *(n for n in names if n.isidentifier() and hasattr(module, n))})


def refuser(space: str):
    """Make the ``__getattr__`` of a module, whose names can then be imported or refused one by one."""
    package(space)

    def refuse(name: str):
        from torch import _surface

        if name.startswith("__"):
            raise AttributeError(name)
        raise _surface.absent(space, name)

    return refuse


def namespace(path: str, **names) -> types.ModuleType:
    """Make a small module of what stands in another one."""
    made = sys.modules[path] = types.ModuleType(path)
    vars(made).update({"__getattr__": refuser(path)} | names)
    return made
