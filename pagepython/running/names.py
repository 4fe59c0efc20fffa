"""What a cell of Python binds, changes and reads, so that a page runs only what a cell needs.

Python's own `symtable` says which names are a function's and which the cell's. Where the text does not say
whether something changes, the answer is the careful one: it does.
"""

import ast
import copy
import functools
import json
import symtable
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

# Numbers drawn at random hang on every number that was drawn before: one name stands for the generator.
RANDOM = "random numbers"
SEEDS = "manual_seed"
DRAWS = (
    *(
        "rand",
        "randn",
        "randint",
        "randperm",
        "rand_like",
        "randn_like",
        "multinomial",
        "bernoulli",
        "dropout",
    ),
    *(
        "shuffle",
        "sample",
        "normal_",
        "uniform_",
        "Linear",
        "Embedding",
        "Dropout",
        "GRU",
        "LSTM",
        "Parameter",
    ),
    *("MultiheadAttention", "Transformer*"),
)
LOOKS = ("print", "display", "len")
INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
AT_ONCE = ("listcomp", "setcomp", "dictcomp", "genexpr")  # scopes that run where they stand
BODIES = ("body", "orelse", "finalbody")


def names_of(
    source: str, *, looks: Iterable[str] = (), draws: Iterable[str] = (), changes: Iterable[str] = ()
) -> dict[str, list[str]] | None:
    """Give what a cell binds for sure, touches, reads, and reads later (in functions); None: no Python.

    Patterns name functions that change nothing they are given (`looks`), that draw random numbers (`draws`),
    and that change what they are given although their result is taken (`changes`).

    >>> names_of("a, b = f(c)")
    {'binds': ['a', 'b'], 'touches': [], 'reads': ['c', 'f'], 'later': []}
    >>> names_of("def f(x):\\n    return x * scale")
    {'binds': ['f'], 'touches': [], 'reads': [], 'later': ['scale']}
    """
    try:
        tree = ast.parse(source)
        cell = _Cell((*LOOKS, *looks), (*DRAWS, *draws), tuple(changes))
        cell.statements(tree.body, sure=True)  # its table refuses more than the parser does: an await, say
    except (SyntaxError, ValueError, RecursionError):
        return None
    found = {
        "binds": cell.binds,
        "touches": cell.touches,
        "reads": cell.reads,
        "later": cell.later - cell.binds,
    }
    return {kind: sorted(names) for kind, names in found.items()}


def names_of_cells(request: str) -> str:
    """Answer the page: JSON of texts and patterns in, JSON of their names out."""
    asked = json.loads(request)
    return json.dumps([names_of(text, **asked["patterns"]) for text in asked["texts"]])


class _Cell:
    """The names of one cell, gathered statement by statement."""

    def __init__(self, looks: tuple[str, ...], draws: tuple[str, ...], changes: tuple[str, ...]) -> None:
        self._looks, self._draws, self._changes = looks, draws, changes
        self.binds: set[str] = set()
        self.touches: set[str] = set()
        self.reads: set[str] = set()
        self.later: set[str] = set()

    def statements(self, body: list[ast.stmt], *, sure: bool) -> None:
        """Take statements in order; `sure`: they run whenever the cell does."""
        for statement in body:
            head, blocks = _parted(statement)
            self._statement(head, sure=sure and not isinstance(statement, ast.Try | ast.Match))
            for block in blocks:
                self.statements(block, sure=sure and isinstance(statement, ast.With))

    def _statement(self, statement: ast.stmt, *, sure: bool) -> None:
        for node in _here(statement):
            self._changed(node)
        table = symtable.symtable(ast.unparse(statement), "cell", "exec")
        adds = isinstance(statement, ast.AugAssign)
        self._scope(table, now=True)
        for symbol in table.get_symbols():
            name = symbol.get_name()
            if _of_comprehension(symbol):
                continue
            if symbol.is_referenced() or (adds and symbol.is_assigned()):
                self._read(name)
            if symbol.is_assigned() or symbol.is_imported():
                (self.binds if sure and not adds else self.touches).add(name)
        for node in ast.walk(statement):
            self._drawn(node)

    def _scope(self, table: symtable.SymbolTable, *, now: bool) -> None:
        """Take what the functions, classes and comprehensions of a scope read of the cell's names."""
        for child in table.get_children():
            at_once = now and (child.get_name() in AT_ONCE or isinstance(child, symtable.Class))
            for symbol in child.get_symbols():
                name = symbol.get_name()
                if symbol.is_declared_global() and symbol.is_assigned():
                    self.touches.add(name)
                if symbol.is_global() and symbol.is_referenced() and not _of_comprehension(symbol):
                    self._read(name) if at_once else self.later.add(name)
            self._scope(child, now=at_once)

    def _read(self, name: str) -> None:
        if name not in self.binds:
            self.reads.add(name)

    def _changed(self, node: ast.AST) -> None:
        """Take what is changed in place: `x[0] = 1`, `x.add_(1)`, and what a call is given."""
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            self._touch(node)
        taken = isinstance(node, ast.Call)
        call = node.value if isinstance(node, ast.Expr) else node
        if not isinstance(call, ast.Call):
            return
        if isinstance(call.func, ast.Name):
            name = call.func.id
            if _like(name, self._changes) or not (taken or _like(name, self._looks)):
                for given in call.args:
                    if isinstance(given, ast.Name):
                        self.touches.add(given.id)
        elif not taken:
            self._touch(call.func)

    def _touch(self, node: ast.AST) -> None:
        """Take the name that an expression such as `model.weight[0]` starts with."""
        while not isinstance(node, ast.Name):
            inner = next(ast.iter_child_nodes(node), None)
            if inner is None:
                return
            node = inner
        self.touches.add(node.id)

    def _drawn(self, node: ast.AST) -> None:
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name == SEEDS:
            self.binds.add(RANDOM)
        elif _like(name, self._draws):
            self._read(RANDOM)
            self.touches.add(RANDOM)


@functools.cache
def _like(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _of_comprehension(symbol: symtable.Symbol) -> bool:
    """Tell whether a name is a comprehension's own, or Python's: from 3.12 on they stand among the others."""
    return bool(getattr(symbol, "is_comp_iter", lambda: False)()) or symbol.get_name().startswith("__")


def _here(statement: ast.stmt) -> Iterator[ast.AST]:
    """Walk a statement without what waits inside functions."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, INNER)]


def _parted(statement: ast.stmt) -> tuple[ast.stmt, list[list[ast.stmt]]]:
    """Part `if`, `for`, `with`, `try` and `match` into the line that begins them and the blocks below it."""
    if isinstance(statement, (*INNER, ast.ClassDef)):
        return statement, []
    head, blocks = _copied(statement), []
    for old, new in zip(_holders(statement), _holders(head), strict=True):
        for name in BODIES:
            if block := getattr(old, name, None):
                blocks.append(block)
                setattr(new, name, [ast.Pass()])
    return head, blocks


def _copied(statement: ast.stmt) -> ast.stmt:
    """Copy a statement so that the blocks below it can be put in another place."""
    head = copy.copy(statement)
    for name in ("handlers", "cases"):
        if hasattr(head, name):
            setattr(head, name, [copy.copy(each) for each in getattr(head, name)])
    return head


def _holders(statement: ast.stmt) -> list[ast.AST]:
    return [statement, *getattr(statement, "handlers", []), *getattr(statement, "cases", [])]
