"""What every chapter starts with, and a way to show the package's own code."""

import ast
import inspect
import logging
import random
import re
import textwrap
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch


def setup(seed: int = 0) -> None:
    """Make a notebook give the same numbers on every run and every machine.

    Formula: none. It sets the seeds of Python, NumPy and torch, one torch thread (sums in one order), and how
    torch prints: 4 decimals, no powers of ten.

    Args:
        seed: any whole number.

    Returns:
        None.

    Example:
        >>> setup()
        >>> torch.tensor(1 / 3)
        tensor(0.3333)

    Source: this book.
    Chapter: notebooks/01_kernel_pooling.ipynb
    """
    random.seed(seed)
    np.random.seed(seed)  # for libraries that draw from NumPy's global generator
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    torch.set_printoptions(precision=4, sci_mode=False, linewidth=100)
    # a notice about building a list of fonts, the first time on a machine, is not part of a chapter
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


class Source:
    """Code to be shown: Markdown in a notebook, the plain code as its repr.

    Formula: none; see `show_source`.

    Args:
        code: Python code.

    Example:
        >>> Source("x = 1")
        x = 1

    Source: this book.
    Chapter: notebooks/01_kernel_pooling.ipynb
    """

    def __init__(self, code: str) -> None:
        self.code = code

    def __repr__(self) -> str:
        return self.code

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.code, "text/markdown": f"```python\n{self.code}\n```"}


def show_source(*objects: Callable, docstring: bool = False) -> Source:
    """Show the code of functions or classes as it stands in the package.

    Formula: none. A chapter that shows code this way shows what is tested and what runs.

    Args:
        objects: functions or classes.
        docstring: also show their docstrings.

    Returns:
        a `Source`: Markdown in a notebook, the code as its repr.

    Raises:
        TypeError: nothing to show, or something without Python source.

    Example:
        >>> from attn_helpers import triangular
        >>> show_source(triangular)
        # attn_helpers/kernels.py
        def triangular(u: Tensor) -> Tensor:
            _check.floating(u=u)
            return (1 - u.abs()).clamp(min=0)

    Source: this book.
    Chapter: notebooks/01_kernel_pooling.ipynb
    """
    if not objects:
        raise TypeError("show_source needs at least one function or class, got none.")
    parts, last = [], None
    for item in objects:
        place, code = _place(item), _code(item)
        code = code if docstring else _without_docstrings(code)
        parts.append(code if place == last else f"# {place}\n{code}")
        last = place
    return Source("\n\n\n".join(parts))


def _place(item: Callable) -> str:
    """File of an object as a path from the folder that holds its package; no machine's own path."""
    module = getattr(item, "__module__", "") or ""
    if module.partition(".")[0] != __package__:
        return module
    path = Path(inspect.getsourcefile(item)).relative_to(Path(__file__).parent.parent)
    return path.as_posix()


def _code(item: Callable) -> str:
    try:
        code = textwrap.dedent(inspect.getsource(item)).rstrip()
        return re.sub(r"\A@\w+\.solution\n", "", code)  # how an exercise takes its solution is no part of it
    except (TypeError, OSError) as error:
        name = getattr(item, "__name__", type(item).__name__)
        raise TypeError(f"objects must be functions or classes with Python source, got {name}.") from error


def _without_docstrings(code: str) -> str:
    """Cut every docstring, and the empty line after it."""
    lines = code.splitlines()
    cut: set[int] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node
        ):
            first = node.body[0]
            cut.update(range(first.lineno - 1, first.end_lineno))
            if first.end_lineno < len(lines) and not lines[first.end_lineno].strip():
                cut.add(first.end_lineno)
    return "\n".join(line for number, line in enumerate(lines) if number not in cut)
