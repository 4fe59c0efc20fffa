"""Make small mechanical changes to a solution, one at a time: what a slip of the keyboard could do."""

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator

from attn_lessons.exercises.checking import Exercise, Found

_SWAPS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
}
_METHODS = {"sin": "cos", "cos": "sin", "tril": "triu", "triu": "tril", "any": "all"}


def mutants(function: Callable) -> Iterator[tuple[str, Callable]]:
    """Give each changed version of a function, with the text of its changed line."""
    source = textwrap.dedent(inspect.getsource(function))
    tree = ast.parse(source)
    tree.body[0].decorator_list = []
    for number in range(len(_changes(tree))):
        changed = copy.deepcopy(tree)
        node, change = _changes(changed)[number]
        before = ast.unparse(changed)
        change(node)
        ast.fix_missing_locations(changed)
        after = ast.unparse(changed)
        pairs = zip(before.splitlines(), after.splitlines(), strict=True)
        line = next((new for old, new in pairs if old != new), "").strip()
        names = dict(function.__globals__)
        exec(compile(changed, "<mutant>", "exec"), names)
        yield line, names[function.__name__]


def accepts(exercise: Exercise, function: Callable) -> bool:
    """Tell whether every check lets a function pass; what is wrong with it is not asked."""
    answer = exercise.answer(function, plain=True)
    try:
        return not any(test(answer) for test in exercise.checks)
    except (Found, RuntimeError, TypeError, IndexError, ValueError):
        return False


def _changes(tree: ast.AST) -> list[tuple[ast.AST, Callable]]:
    """List what can be changed, as pairs of a node and a function that changes it."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and type(node.op) in _SWAPS:
            found.append((node, _swap_operator))
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPS:
            found.append((node, _swap_comparison))
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            found.append((node, _raise_number))
        elif isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
            found.append((node, _drop_sign))  # of a constant: dim=-1 would become dim=1, often the same axis
        elif isinstance(node, ast.Attribute) and node.attr in _METHODS:
            found.append((node, _other_method))
    return found


def _swap_operator(node: ast.BinOp) -> None:
    node.op = _SWAPS[type(node.op)]()


def _swap_comparison(node: ast.Compare) -> None:
    node.ops[0] = _SWAPS[type(node.ops[0])]()


def _raise_number(node: ast.Constant) -> None:
    node.value = node.value * 2 if node.value > 2 else node.value + 1


def _drop_sign(node: ast.UnaryOp) -> None:
    node.op = ast.UAdd()


def _other_method(node: ast.Attribute) -> None:
    node.attr = _METHODS[node.attr]
