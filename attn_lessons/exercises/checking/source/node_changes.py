"""List what a slip may have changed in one part of a program: a sign, a number, a name, an order."""

import ast
import copy
import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

Make = Callable[[Any], Any]  # gets the copy of a node; gives its successor, or None to leave it out
Changes = Iterator[tuple[str, Make]]

_OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.And: "and",
    ast.Or: "or",
}
_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.Pow)
_LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)
ALIKE = (
    "sin cos",
    "tril triu",
    "argmax argmin",
    "max min amax amin",
    "maximum minimum logaddexp add",
    "sum mean max prod median",
    "exp log",
    "tanh sigmoid relu",
    "any all",
    "stack cat",
    "rand randn",
    "zeros ones",
    "sqrt square",
    "var std",
    "softmax log_softmax",
    "repeat repeat_interleave",
    "floor ceil",
    "append extend",
)
_KEEPS = {"sum", "mean", "max", "amax", "amin", "min", "var", "std", "norm", "prod", "any", "all"}


def _signs(node: Any) -> Changes:
    if isinstance(node, ast.BinOp | ast.AugAssign):
        for family in (_ARITHMETIC, _LOGICAL, (ast.Mult, ast.MatMult), (ast.Div, ast.FloorDiv)):
            if isinstance(node.op, family):
                others = [one for one in family if not isinstance(node.op, one)]
                yield from ((f"the `{_OPERATORS[type(node.op)]}`", _set(op=other())) for other in others)
    if isinstance(node, ast.Compare):
        for other in _COMPARISONS:
            if not isinstance(node.ops[0], other) and type(node.ops[0]) in _COMPARISONS:
                yield f"the `{_COMPARISONS[type(node.ops[0])]}`", _set(ops=[other(), *node.ops[1:]])
    if isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        sign = {ast.USub: "-", ast.Invert: "~", ast.Not: "not"}.get(type(node.op), "+")
        yield f"the `{sign}`", lambda n: n.operand
    if isinstance(node, ast.Call | ast.Name | ast.Subscript | ast.BinOp | ast.Compare) and isinstance(
        getattr(node, "ctx", ast.Load()), ast.Load
    ):
        text = short(node)
        yield f"the sign of {text}", lambda n: ast.UnaryOp(ast.USub(), n)
        yield f"{text}: what it is, or the opposite", lambda n: ast.UnaryOp(ast.Invert(), n)


def _numbers(node: Any) -> Changes:
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if negative else node
    if not isinstance(inner, ast.Constant):
        return
    value: Any = inner.value
    if isinstance(value, bool):
        yield f"`{value}`", put(ast.Constant(not value))
    elif isinstance(value, int | float):
        value = -value if negative else value
        for other in dict.fromkeys(
            (value + 1, value - 1, -value, 0, value * 2, value / 2, value**2, 10 * value)
        ):
            if other != value and (isinstance(value, float) or other == int(other)):
                new = other if isinstance(value, float) else int(other)
                yield f"the number {value}", put(ast.parse(repr(new), mode="eval").body)
    elif isinstance(value, str) and "->" in value:
        letters = sorted(set(filter(str.isalpha, value)))
        for i, one in enumerate(value):
            for other in letters if one.isalpha() else ():
                if other != one:
                    yield f'the letters "{value}"', put(ast.Constant(value[:i] + other + value[i + 1 :]))


def _methods(node: Any) -> Changes:
    if isinstance(node, ast.Attribute):
        for family in map(str.split, ALIKE):
            if node.attr in family:
                yield from ((f"`{node.attr}`", _set(attr=other)) for other in family if other != node.attr)


def _orders(node: Any) -> Changes:
    if isinstance(node, ast.BinOp):
        sign = _OPERATORS.get(type(node.op), "?")
        if isinstance(node.op, ast.Sub | ast.Div | ast.MatMult | ast.Pow):
            yield f"the order around the `{sign}`", _set(left=node.right, right=node.left)
        if isinstance(node.left, ast.BinOp):  # (a ** 1) / 2 for a ** (1 / 2)
            left = node.left
            inner = ast.BinOp(left.right, node.op, node.right)
            both = f"the brackets around the `{_OPERATORS.get(type(left.op), '?')}` and the `{sign}`"
            yield both, put(ast.BinOp(left.left, left.op, inner))
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        for i, j in itertools.combinations(range(len(node.slice.elts)), 2):
            yield f"the order inside {short(node)}", functools.partial(_inside, i=i, j=j)
    if isinstance(node, ast.Call):
        for i, j in itertools.combinations(range(len(node.args)), 2):
            yield f"the order of the arguments in {short(node)}", functools.partial(_arguments, i=i, j=j)


def _less(node: Any) -> Changes:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        sign = _OPERATORS[type(node.op)]
        yield f"`{sign} {bare(node.right)}`", lambda n: n.left
        yield f"`{bare(node.left)} {sign}`", lambda n: n.right
        if isinstance(node.op, ast.Div | ast.Mult):
            half = ast.Constant(0.5)
            yield (
                f"`{sign} {bare(node.right)}`",
                lambda n: changed(n, right=ast.BinOp(n.right, ast.Pow(), half)),
            )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield f"`.{node.func.attr}(...)`", lambda n: n.func.value
        if node.args:
            yield f"`{bare(node.func)}(...)`", lambda n: n.args[0]
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript):
        inner = node.value
        last = node.slice.elts[-1] if isinstance(node.slice, ast.Tuple) else node.slice
        pair = ast.Tuple([inner.slice, last], ast.Load())
        yield f"`{bare(node)}`: two steps or one", put(ast.Subscript(inner.value, pair, node.ctx))
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        yield f"`.{node.attr}`", lambda n: n.value
    if isinstance(node, ast.Slice):
        for end in ("lower", "upper"):
            if getattr(node, end) is not None:
                yield f"the end of the slice at `{bare(getattr(node, end))}`", _set(**{end: None})


def _statements(node: Any) -> Changes:
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr):
        yield "the whole line", lambda _: None


def _keywords(node: Any) -> Changes:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    extra: dict[str, int] = {}
    if node.func.attr in _KEEPS and (node.args or node.keywords):
        extra["keepdim"] = True
    if node.func.attr in ("var", "std"):
        extra["correction"] = 0
    for name, value in extra.items():
        if name not in {one.arg for one in node.keywords}:
            new = ast.keyword(name, ast.Constant(value))
            yield (
                f"what `{node.func.attr}` is told",
                functools.partial(_told, new=new),
            )


def _inside(node: Any, i: int, j: int) -> Any:
    return swapped(node, node.slice.elts, i, j)


def _arguments(node: Any, i: int, j: int) -> Any:
    return swapped(node, node.args, i, j)


def _told(node: Any, new: ast.keyword) -> Any:
    return changed(node, keywords=[*node.keywords, new])


def put(new: Any) -> Make:
    """Put another node in the place of one."""
    return lambda _: copy.deepcopy(new)


def _set(**changes: object) -> Make:
    return lambda node: changed(node, **changes)


def changed(node: Any, **changes: object) -> Any:
    """Give a node other fields."""
    for name, value in changes.items():
        setattr(node, name, copy.deepcopy(value))
    return node


def swapped(node: Any, items: list[Any], i: int, j: int) -> Any:
    """Exchange two items of a list that belongs to a node."""
    items[i], items[j] = items[j], items[i]
    return node


def bare(node: Any) -> str:
    """Write a node as a reader would, cut off where it is long."""
    text = ast.unparse(node)
    return text if len(text) <= 30 else text[:27] + "..."


def short(node: Any) -> str:
    """Write a node as code."""
    return f"`{bare(node)}`"


KINDS = (_signs, _numbers, _methods, _orders, _less, _statements, _keywords)
