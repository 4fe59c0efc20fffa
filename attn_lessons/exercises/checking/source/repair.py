"""Find the one small change that would make a reader's function right, and say where it is."""

import ast
import contextlib
import inspect
import io
import itertools
import linecache
import textwrap
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

from attn_lessons.exercises.checking.source.edits import Edit, applied, edits

_TRIES = 2500  # changed functions, a thousandth of a second each
_LONGEST = 6  # seconds of work for all of them, reached by slow answers only
_FORBIDDEN = {"open", "exec", "eval", "input", "__import__", "compile", "os", "sys", "subprocess"}


class Source(NamedTuple):
    """A function as a program: its definition, the number of its first line, its lines."""

    tree: ast.FunctionDef | ast.Lambda
    lines: list[str]


def read(function: Callable[..., Any]) -> Source | None:
    """Read the source of a reader's function; None if there is none, or if it had better not run changed."""
    if not inspect.isfunction(function):
        return None
    try:
        linecache.checkcache(function.__code__.co_filename)
        source = textwrap.dedent(inspect.getsource(function))
        whole = ast.parse(source)
    except (OSError, TypeError, SyntaxError, IndentationError):
        return None
    kind = ast.Lambda if function.__name__ == "<lambda>" else ast.FunctionDef
    found = [node for node in ast.walk(whole) if isinstance(node, kind)]
    if not found or (kind is ast.Lambda and len(found) > 1):
        return None
    tree = found[0]
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    acts = any(
        isinstance(node, ast.Import | ast.ImportFrom | ast.While | ast.With) for node in ast.walk(tree)
    )
    if acts or used & _FORBIDDEN:
        return None
    if isinstance(tree, ast.FunctionDef):
        tree.decorator_list = []
    return Source(tree, source.splitlines())


def built(function: Callable[..., Any], tree: ast.AST) -> Callable[..., Any]:
    """Make a function of a changed definition, which sees the names that the old one sees."""
    names = function.__code__.co_freevars
    returned: ast.stmt
    if isinstance(tree, ast.Lambda):
        inner: list[ast.stmt] = [ast.Return(tree)]
    else:
        assert isinstance(tree, ast.FunctionDef)
        returned = ast.Return(ast.Name(tree.name, ast.Load()))
        inner = [tree, returned]
    outer = ast.parse(f"def outer({', '.join(names)}): pass").body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body = inner
    module = ast.fix_missing_locations(ast.Module([outer], []))
    space: dict[str, Any] = {}
    exec(compile(module, "<changed>", "exec"), function.__globals__, space)
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    changed: Callable[..., Any] = space["outer"](*cells)
    return changed


def one_change(
    function: Callable[..., Any],
    fits: Callable[[Callable[..., Any]], bool],
    helps: Callable[[Callable[..., Any]], bool],
    passes: Callable[[Callable[..., Any]], bool],
) -> tuple[Edit, Source, bool] | None:
    """Give the first change after which the function passes; else the first that helps elsewhere too."""
    source, second = read(function), None
    if source is None:
        return None
    start = time.process_time()
    for edit in itertools.islice(edits(source.tree), _TRIES):
        if time.process_time() - start > _LONGEST:
            break
        try:
            changed = built(function, applied(source.tree, edit))
        except Exception:  # no program any more
            continue
        if quietly(fits, changed):
            if quietly(passes, changed):
                return edit, source, True
            second = second or ((edit, source, False) if quietly(helps, changed) else None)
    return second


def quietly(fits: Callable[[Callable[..., Any]], bool], changed: Callable[..., Any]) -> bool:
    """Try a changed function without a word on the reader's screen."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), torch.no_grad():
        warnings.simplefilter("ignore")
        try:
            return fits(changed)
        except Exception:
            return False


def words_of(edit: Edit, lines: Sequence[str]) -> tuple[str, str]:
    """Say where the change is, without saying what it is."""
    text = lines[edit.line - 1].strip() if 0 < edit.line <= len(lines) else ""
    where = f"line {edit.line}"
    about = where if edit.about == "the whole line" else f"{edit.about} in {where}"
    return about, f"Line {edit.line} of your function: `{text}`."


def line_text(function: Callable[..., Any], line: int) -> str:
    """Give the text of a line of a function, counted from its first."""
    code = inspect.unwrap(function).__code__
    return linecache.getline(code.co_filename, code.co_firstlineno + line - 1).strip()
