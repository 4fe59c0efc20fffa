"""List the small changes of a program that a slip may call for: another sign, number, name, order, axis."""

import ast
import copy
import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

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
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)
_ALIKE = (
    "sin cos",
    "tril triu",
    "argmax argmin",
    "max min amax amin",
    "maximum minimum",
    "sum mean max",
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


Path = tuple[tuple[str, int | None], ...]


class Edit(NamedTuple):
    """One change: the line and the words that say what it concerns, and what makes it in a copy."""

    line: int
    about: str
    make: Callable[[ast.AST], ast.AST | None]  # gets the node's copy; gives its successor
    path: Path


def applied(tree: ast.AST, edit: Edit) -> ast.AST:
    """Give a copy of a program with one change."""
    changed = copy.deepcopy(tree)
    if not edit.path:
        return ast.fix_missing_locations(edit.make(changed) or changed)
    *above, (name, place) = edit.path
    node = changed
    for step, index in above:
        node = getattr(node, step) if index is None else getattr(node, step)[index]
    held = getattr(node, name)
    new = edit.make(held if place is None else held[place])
    if place is None:
        setattr(node, name, new)
    elif new is None:
        held[place : place + 1] = [] if len(held) > 1 else [ast.Pass()]
    else:
        held[place] = new
    return ast.fix_missing_locations(changed)


def edits(tree: ast.FunctionDef | ast.Lambda) -> Iterator[Edit]:
    """Give the changes of a function, the likeliest first."""
    body = [(name, i) for name, i in _children(tree) if name == "body"]
    places = [pair for start in body for pair in _walk(_at(tree, start), (start,))]
    names = sorted(_local_names(tree))
    for kind in (_signs, _numbers, _methods, _orders, _less, _statements, _keywords):
        for path, node in places:
            if isinstance(node, ast.Name) and node.id not in names:
                continue  # a module, a function
            for about, make in kind(node):
                yield Edit(_line(node), about, make, path)
    for path, node in places:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            for other in names:
                if other != node.id:
                    yield Edit(node.lineno, f"`{node.id}`", _put(ast.Name(other, ast.Load())), path)
    for path, node in [((), tree), *places]:
        yield from _neighbours(path, node)
        yield from _exchanges(path, node, names)
    yield from _donors(places, names)


def _children(node: ast.AST) -> Iterator[tuple[str, int | None]]:
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield name, None
        elif isinstance(value, list):
            yield from ((name, i) for i, one in enumerate(value) if isinstance(one, ast.AST))


def _at(node: ast.AST, step: tuple[str, int | None]) -> ast.AST:
    value = getattr(node, step[0])
    return value if step[1] is None else value[step[1]]


def _walk(
    node: ast.AST, path: Path
) -> Iterator[tuple[Path, ast.AST]]:
    yield path, node
    for step in _children(node):
        yield from _walk(_at(node, step), (*path, step))


def _line(node: ast.AST) -> int:
    return getattr(node, "end_lineno", 0) if isinstance(node, ast.BinOp) else getattr(node, "lineno", 0)


def _put(new: ast.AST) -> Callable[[ast.AST], ast.AST]:
    return lambda _: copy.deepcopy(new)


def _local_names(tree: ast.FunctionDef | ast.Lambda) -> set[str]:
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {argument.arg for argument in tree.args.args}


def _signs(node: ast.AST) -> Iterator[tuple[str, Callable]]:
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
        text = _short(node)
        yield f"the sign of {text}", lambda n: ast.UnaryOp(ast.USub(), n)
        yield f"{text}: what it is, or the opposite", lambda n: ast.UnaryOp(ast.Invert(), n)


def _numbers(node: ast.AST) -> Iterator[tuple[str, Callable]]:
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if negative else node
    if not isinstance(inner, ast.Constant):
        return
    value = inner.value
    if isinstance(value, bool):
        yield f"`{value}`", _put(ast.Constant(not value))
    elif isinstance(value, int | float):
        value = -value if negative else value
        for other in dict.fromkeys((value + 1, value - 1, -value, 0, value * 2, value / 2, value**2, 10 * value)):
            if other != value and (isinstance(value, float) or other == int(other)):
                new = other if isinstance(value, float) else int(other)
                yield f"the number {value}", _put(ast.parse(repr(new), mode="eval").body)
    elif isinstance(value, str) and "->" in value:
        letters = sorted(set(filter(str.isalpha, value)))
        for i, one in enumerate(value):
            for other in letters if one.isalpha() else ():
                if other != one:
                    yield f'the letters "{value}"', _put(ast.Constant(value[:i] + other + value[i + 1 :]))


def _methods(node: ast.AST) -> Iterator[tuple[str, Callable]]:
    if isinstance(node, ast.Attribute):
        for family in map(str.split, _ALIKE):
            if node.attr in family:
                yield from ((f"`{node.attr}`", _set(attr=other)) for other in family if other != node.attr)


def _orders(node: ast.AST) -> Iterator[tuple[str, Callable]]:
    if isinstance(node, ast.BinOp):
        sign = _OPERATORS.get(type(node.op), "?")
        if isinstance(node.op, ast.Sub | ast.Div | ast.MatMult | ast.Pow):
            yield f"the order around the `{sign}`", _set(left=node.right, right=node.left)
        if isinstance(node.left, ast.BinOp):  # (a ** 1) / 2 for a ** (1 / 2)
            left = node.left
            inner = ast.BinOp(left.right, node.op, node.right)
            both = f"the brackets around the `{_OPERATORS.get(type(left.op), '?')}` and the `{sign}`"
            yield both, _put(ast.BinOp(left.left, left.op, inner))
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        for i, j in itertools.combinations(range(len(node.slice.elts)), 2):
            yield f"the order inside {_short(node)}", lambda n, i=i, j=j: _swap(n, n.slice.elts, i, j)
    if isinstance(node, ast.Call):
        for i, j in itertools.combinations(range(len(node.args)), 2):
            yield f"the order of the arguments in {_short(node)}", lambda n, i=i, j=j: _swap(n, n.args, i, j)


def _less(node: ast.AST) -> Iterator[tuple[str, Callable]]:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        sign = _OPERATORS[type(node.op)]
        yield f"`{sign} {_bare(node.right)}`", lambda n: n.left
        yield f"`{_bare(node.left)} {sign}`", lambda n: n.right
        if isinstance(node.op, ast.Div | ast.Mult):
            half = ast.Constant(0.5)
            yield f"`{sign} {_bare(node.right)}`", lambda n: _with(n, right=ast.BinOp(n.right, ast.Pow(), half))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield f"`.{node.func.attr}(...)`", lambda n: n.func.value
        if node.args:
            yield f"`{_bare(node.func)}(...)`", lambda n: n.args[0]
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        yield f"`.{node.attr}`", lambda n: n.value
    if isinstance(node, ast.Slice):
        for end in ("lower", "upper"):
            if getattr(node, end) is not None:
                yield f"the end of the slice at `{_bare(getattr(node, end))}`", _set(**{end: None})


def _statements(node: ast.AST) -> Iterator[tuple[str, Callable]]:
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr):
        yield "the whole line", lambda _: None


def _keywords(node: ast.AST) -> Iterator[tuple[str, Callable]]:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    extra = {}
    if node.func.attr in _KEEPS and (node.args or node.keywords):
        extra["keepdim"] = True
    if node.func.attr in ("var", "std"):
        extra["correction"] = 0
    for name, value in extra.items():
        if name not in {one.arg for one in node.keywords}:
            new = ast.keyword(name, ast.Constant(value))
            yield f"what `{node.func.attr}` is told", lambda n, new=new: _with(n, keywords=[*n.keywords, new])


def _neighbours(path: Path, node: ast.AST) -> Iterator[Edit]:
    """Two assignments in a row made at once or exchanged, or the last line of a loop behind it."""
    block = getattr(node, "body", None)
    if not isinstance(block, list):
        return
    for i, (one, two) in enumerate(itertools.pairwise(block)):
        both = isinstance(one, ast.Assign) and isinstance(two, ast.Assign)
        if both and all(isinstance(line.targets[0], ast.Name | ast.Subscript) for line in (one, two)):
            about = f"what line {one.lineno} has overwritten already"
            yield Edit(two.lineno, about, lambda n, i=i: _at_once(n, i), path)
            yield Edit(two.lineno, f"the order of the lines {one.lineno} and {two.lineno}",
                       lambda n, i=i: _swap(n, n.body, i, i + 1), path)  # fmt: skip
    if isinstance(node, ast.For) and len(block) > 1:
        yield Edit(block[-1].lineno, "whether the line belongs into the loop", _behind, path)


def _at_once(node: ast.AST, i: int) -> ast.AST:
    one, two = node.body[i : i + 2]
    targets = ast.Tuple([one.targets[0], two.targets[0]], ast.Store())
    node.body[i : i + 2] = [ast.Assign([targets], ast.Tuple([one.value, two.value], ast.Load()))]
    return node


def _behind(node: ast.AST) -> ast.AST:
    *block, last = node.body
    return ast.If(ast.Constant(True), [_with(node, body=block), last], [])


def _exchanges(path: Path, node: ast.AST, local: list[str]) -> Iterator[Edit]:
    """Two names, or two methods that are alike, in each other's place in one statement."""
    if not isinstance(node, ast.Assign | ast.AugAssign | ast.Return | ast.Expr):
        return
    names = [n.id if isinstance(n, ast.Name) else n.attr for n in _named(node)]
    for i, j in itertools.combinations(range(len(names)), 2):
        one, two = _named(node)[i], _named(node)[j]
        if names[i] != names[j] and type(one) is type(two) and (
            {names[i], names[j]} <= {*local} or any({names[i], names[j]} <= set(f.split()) for f in _ALIKE)
        ):
            yield Edit(two.lineno, f"which of `{names[i]}` and `{names[j]}` stands where",
                       lambda n, i=i, j=j: _exchange(n, i, j), path)  # fmt: skip


def _named(node: ast.AST) -> list[ast.Name | ast.Attribute]:
    return [n for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute) and isinstance(n.ctx, ast.Load)]


def _exchange(node: ast.AST, i: int, j: int) -> ast.AST:
    found = _named(node)
    field = "id" if isinstance(found[i], ast.Name) else "attr"
    one, two = getattr(found[i], field), getattr(found[j], field)
    setattr(found[i], field, two)
    setattr(found[j], field, one)
    return node


def _donors(
    places: list[tuple[Path, ast.AST]], names: list[str]
) -> Iterator[Edit]:
    """Something that stands elsewhere in the function, in the place of a name or of a part."""
    kinds = (ast.Subscript, ast.Attribute, ast.BinOp, ast.Call)
    whole = [n for _, n in places if isinstance(n, kinds) and isinstance(getattr(n, "ctx", ast.Load()), ast.Load)]
    donors = {ast.unparse(one): one for one in whole if len(ast.unparse(one)) < 25}
    for path, node in places:
        if isinstance(node, ast.Name | ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Load):
            if isinstance(node, ast.Name) and node.id not in names:
                continue
            for text, donor in donors.items():
                if text != ast.unparse(node):
                    yield Edit(node.lineno, _short(node), _put(donor), path)


def _set(**changes: object) -> Callable[[ast.AST], ast.AST]:
    return lambda node: _with(node, **changes)


def _with(node: ast.AST, **changes: object) -> ast.AST:
    for name, value in changes.items():
        setattr(node, name, copy.deepcopy(value))
    return node


def _swap(node: ast.AST, items: list, i: int, j: int) -> ast.AST:
    items[i], items[j] = items[j], items[i]
    return node


def _bare(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 30 else text[:27] + "..."


def _short(node: ast.AST) -> str:
    return f"`{_bare(node)}`"
