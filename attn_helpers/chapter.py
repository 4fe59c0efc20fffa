"""What every chapter starts with, and a way to show the package's own code.

Chapter: notebooks/01a_weighted_average.ipynb
"""

import ast
import html
import inspect
import logging
import os
import random
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from attn_helpers._folding import closed, in_lab


def setup(seed: int = 0) -> None:
    """Make a notebook give the same numbers on every run, and on every machine to about six digits.

    It sets the seeds of Python, NumPy and torch, one torch thread (unless the environment has
    OMP_NUM_THREADS), and how torch prints: 4 decimals, no powers of ten.

    >>> setup()
    >>> torch.tensor(1 / 3)
    tensor(0.3333)
    """
    random.seed(seed)
    np.random.seed(seed)  # for libraries that draw from NumPy's global generator
    torch.manual_seed(seed)
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(1)
    torch.set_printoptions(precision=4, sci_mode=False, linewidth=100)
    # a notice about building a list of fonts, the first time on a machine, is not part of a chapter
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


class Source:
    """Code to be shown: Markdown in a notebook, the plain code as its repr.

    Args:
        secret: what opens the code in a running JupyterLab, where it is closed; "" if it is no secret.

    >>> Source("x = 1")
    x = 1
    """

    def __init__(self, code: str, secret: str = "") -> None:
        self.code, self.secret = code, secret

    def __repr__(self) -> str:
        return self.code

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        if self.secret and in_lab():
            code = f"<pre><code>{html.escape(self.code)}</code></pre>"
            return {"text/plain": self.code, "text/html": closed(code, self.secret)}
        return {"text/plain": self.code, "text/markdown": f"```python\n{self.code}\n```"}


def show_source(*objects: Callable[..., Any], docstring: bool = False) -> Source:
    """Show the code of functions or classes as it stands in the package.

    A chapter that shows code this way shows what is tested and what runs.

    Returns: a `Source`: Markdown in a notebook, the code as its repr.

    >>> from attn_helpers import triangular
    >>> show_source(triangular)
    # attn_helpers/kernels.py
    def triangular(u: Tensor) -> Tensor:
        _check.floating(u=u)
        return (1 - u.abs()).clamp(min=0)
    """
    if not objects:
        raise TypeError("show_source needs at least one function or class, got none.")
    parts, last = [], None
    for item in objects:
        place, code = _place(item), _code(item)
        code = code if docstring else _without_docstrings(code)
        parts.append(code if place == last else f"# {place}\n{code}")
        last = place
    solves = any(getattr(item, "solves", False) for item in objects)
    return Source("\n\n\n".join(parts), "Show the solution" if solves else "")


def _place(item: Callable[..., Any]) -> str:
    """File of an object as a path from the folder that holds the book's packages; no machine's own path."""
    module = getattr(item, "__module__", "") or ""
    try:
        path = Path(inspect.getsourcefile(item) or "")
    except TypeError:
        return module
    home = Path(__file__).parents[1]
    return (
        path.relative_to(home).as_posix() if path.is_relative_to(home / module.partition(".")[0]) else module
    )


def _code(item: Callable[..., Any]) -> str:
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
            end = first.end_lineno or first.lineno
            cut.update(range(first.lineno - 1, end))
            if end < len(lines) and not lines[end].strip():
                cut.add(end)
    return "\n".join(line for number, line in enumerate(lines) if number not in cut)
