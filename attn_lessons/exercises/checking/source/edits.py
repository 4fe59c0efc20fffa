"""List the small changes of a program that would undo a slip, the likeliest first."""

import ast
import copy
import functools
import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

from attn_lessons.exercises.checking.source.node_changes import (
    ALIKE,
    KINDS,
    Make,
    changed,
    put,
    short,
    swapped,
)

Path = tuple[tuple[str, int | None], ...]


class Edit(NamedTuple):
    """One change: the line and the words that say what it concerns, and what makes it in a copy."""

    line: int
    about: str
    make: Make  # gets the node's copy; gives its successor
    path: Path


def applied(tree: Any, edit: Edit) -> Any:
    """Give a copy of a program with one change."""
    copied: Any = copy.deepcopy(tree)
    if not edit.path:
        return ast.fix_missing_locations(edit.make(copied) or copied)
    *above, (name, place) = edit.path
    node = copied
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
    return ast.fix_missing_locations(copied)


def edits(tree: ast.FunctionDef | ast.Lambda) -> Iterator[Edit]:
    """Give the changes of a function, the likeliest first."""
    body = [(name, i) for name, i in _children(tree) if name == "body"]
    places = [pair for start in body for pair in _walk(_at(tree, start), (start,))]
    names = sorted(_local_names(tree))
    for kind in KINDS:
        for path, node in places:
            if isinstance(node, ast.Name) and node.id not in names:
                continue  # a module, a function
            if any(name in ("targets", "target") for name, _ in path) and kind is KINDS[0]:
                continue  # a sign there would only undo the assignment
            for about, make in kind(node):
                yield Edit(_line(node), about, make, path)
    for path, node in places:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            for other in names:
                if other != node.id:
                    yield Edit(node.lineno, f"`{node.id}`", put(ast.Name(other, ast.Load())), path)
    for path, node in [((), tree), *places]:
        yield from _neighbours(path, node)
        yield from _exchanges(path, node, names)
    yield from _donors(places, names)


def _children(node: Any) -> Iterator[tuple[str, int | None]]:
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield name, None
        elif isinstance(value, list):
            yield from ((name, i) for i, one in enumerate(value) if isinstance(one, ast.AST))


def _at(node: Any, step: tuple[str, int | None]) -> Any:
    value = getattr(node, step[0])
    return value if step[1] is None else value[step[1]]


def _walk(node: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    yield path, node
    for step in _children(node):
        yield from _walk(_at(node, step), (*path, step))


def _line(node: Any) -> int:
    return getattr(node, "end_lineno", 0) if isinstance(node, ast.BinOp) else getattr(node, "lineno", 0)


def _local_names(tree: ast.FunctionDef | ast.Lambda) -> set[str]:
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {argument.arg for argument in tree.args.args}


def _neighbours(path: Path, node: Any) -> Iterator[Edit]:
    """Two assignments in a row made at once or exchanged, or the last line of a loop behind it."""
    block = getattr(node, "body", None)
    if not isinstance(block, list):
        return
    for i, (one, two) in enumerate(itertools.pairwise(block)):
        both = isinstance(one, ast.Assign) and isinstance(two, ast.Assign)
        if both and all(isinstance(line.targets[0], ast.Name | ast.Subscript) for line in (one, two)):
            about = f"what line {one.lineno} has overwritten already"
            yield Edit(two.lineno, about, functools.partial(_at_once, i=i), path)
            yield Edit(two.lineno, f"the order of the lines {one.lineno} and {two.lineno}",
                       functools.partial(_later, i=i), path)  # fmt: skip
    if isinstance(node, ast.For) and len(block) > 1:
        yield Edit(block[-1].lineno, "whether the line belongs into the loop", _behind, path)


def _at_once(node: Any, i: int) -> Any:
    one, two = node.body[i : i + 2]
    targets = ast.Tuple([one.targets[0], two.targets[0]], ast.Store())
    node.body[i : i + 2] = [ast.Assign([targets], ast.Tuple([one.value, two.value], ast.Load()))]
    return node


def _later(node: Any, i: int) -> Any:
    return swapped(node, node.body, i, i + 1)


def _behind(node: Any) -> Any:
    *block, last = node.body
    return ast.If(ast.Constant(True), [changed(node, body=block), last], [])


def _exchanges(path: Path, node: Any, local: list[str]) -> Iterator[Edit]:
    """Two names, or two methods that are alike, in each other's place in one statement."""
    if not isinstance(node, ast.Assign | ast.AugAssign | ast.Return | ast.Expr):
        return
    names = [n.id if isinstance(n, ast.Name) else n.attr for n in _named(node)]
    for i, j in itertools.combinations(range(len(names)), 2):
        one, two = _named(node)[i], _named(node)[j]
        if (
            names[i] != names[j]
            and type(one) is type(two)
            and (
                {names[i], names[j]} <= {*local} or any({names[i], names[j]} <= set(f.split()) for f in ALIKE)
            )
        ):
            yield Edit(two.lineno, f"which of `{names[i]}` and `{names[j]}` stands where",
                       functools.partial(_exchange, i=i, j=j), path)  # fmt: skip


def _named(node: Any) -> list[ast.Name | ast.Attribute]:
    return [
        n for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute) and isinstance(n.ctx, ast.Load)
    ]


def _exchange(node: Any, i: int, j: int) -> Any:
    found = _named(node)
    field = "id" if isinstance(found[i], ast.Name) else "attr"
    one, two = getattr(found[i], field), getattr(found[j], field)
    setattr(found[i], field, two)
    setattr(found[j], field, one)
    return node


def _donors(places: list[tuple[Path, Any]], names: list[str]) -> Iterator[Edit]:
    """Something that stands elsewhere in the function, in the place of a name or of a part."""
    kinds = (ast.Subscript, ast.Attribute, ast.BinOp, ast.Call)
    whole = [
        n for _, n in places if isinstance(n, kinds) and isinstance(getattr(n, "ctx", ast.Load()), ast.Load)
    ]
    donors = {ast.unparse(one): one for one in whole if len(ast.unparse(one)) < 25}
    for path, node in places:
        if isinstance(node, ast.Name | ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Load):
            if isinstance(node, ast.Name) and node.id not in names:
                continue
            for text, donor in donors.items():
                if text != ast.unparse(node):
                    yield Edit(node.lineno, short(node), put(donor), path)
