"""Read the package's public names and docstrings from its text, without importing it (or torch).

Public are the names in a module's ``__all__``, else its functions, classes and documented values that do
not start with an underscore. Of a package that is what its ``__init__`` takes from its modules.
"""

from __future__ import annotations

import ast
import copy
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "attn_helpers"
SECTION = re.compile(r"(Formula|Args|Returns|Yields|Raises|Example|Source|Chapter):(?:\s+(.*))?")


@dataclass
class Name:
    """One public name: where it stands, how it is called, what its docstring says."""

    module: str
    name: str
    kind: str  # "function", "class", "method", "property" or "data"
    signature: str
    docstring: str
    line: int
    members: list[Name] = field(default_factory=list)

    @property
    def chapters(self) -> list[str]:
        """The notebooks that the docstring's Chapter line names."""
        return re.findall(r"notebooks/[\w-]+\.ipynb", dict(sections(self.docstring)).get("Chapter", ""))


def sections(docstring: str) -> list[tuple[str, str]]:
    """Split a docstring into its parts; the first, without a name, is the text before them."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for line in docstring.splitlines():
        if found := SECTION.fullmatch(line):
            parts.append((found[1], [found[2] or ""]))
        elif parts[-1][0] and line.strip() and not line.startswith(" "):
            parts.append(("", [line]))  # text that goes on after a section
        else:
            parts[-1][1].append(line)
    return [(name, "\n".join(lines).strip("\n")) for name, lines in parts]


@functools.cache
def documented() -> set[str]:
    """Give the modules that a page of ``book/api`` describes."""
    found: set[str] = set()
    for page in sorted((ROOT / "book" / "api").glob("*.md")):
        for name in re.findall(r"\{module-reference\} (\S+)", page.read_text(encoding="utf-8")):
            found.update(expand(name))
    return found


def expand(name: str) -> list[str]:
    """Give the modules that a reference page means; ``attn_helpers.models.*`` is a whole package."""
    if not name.endswith(".*"):
        return [name]
    return [module for module in modules() if f"{module}.".startswith(name[:-1])]


def path_of(module: str) -> Path:
    """Give the file of a module or package."""
    base = ROOT.joinpath(*module.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


@functools.cache
def modules() -> list[str]:
    """List the public modules; of ``live`` only the package itself: what it exports."""
    found = set()
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = list(path.relative_to(ROOT).with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        name = ".".join(parts)
        if name != PACKAGE and not any(part.startswith("_") or part == "fonts" for part in parts):
            found.add(name if not name.startswith(f"{PACKAGE}.live.") else f"{PACKAGE}.live")
    return sorted(name for name in found if public_names(name))


@functools.cache
def exported(module: str) -> list[str] | None:
    """Give a module's ``__all__``, or None."""
    for node in ast.parse(path_of(module).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    return None


@functools.cache
def public_names(module: str) -> list[Name]:
    """List a module's public names; what a package exports is listed with the package alone."""
    package = module.rpartition(".")[0]
    elsewhere = exported(package) or [] if package not in ("", PACKAGE) else []
    return [entry for entry in _names(module) if entry.name not in elsewhere]


@functools.cache
def _names(module: str) -> tuple[Name, ...]:
    return tuple(_read_names(module))


def _read_names(module: str) -> Iterator[Name]:
    """Give the public names in the order of the module's text (of a package: of its imports)."""
    wanted = exported(module)
    body = ast.parse(path_of(module).read_text(encoding="utf-8")).body
    for node, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.ImportFrom):
            yield from _imported(module, node, wanted)
            continue
        for entry in _entries(module, node, following):
            public = entry.name in wanted if wanted is not None else not entry.name.startswith("_")
            if public and (entry.kind != "data" or entry.docstring or entry.name in exported(PACKAGE)):
                yield entry


def _imported(module: str, node: ast.ImportFrom, wanted: list[str] | None) -> Iterator[Name]:
    """Give what a package takes from its modules, or a module from a private one beside it."""
    is_package = path_of(module).name == "__init__.py"
    if not is_package and not (node.level == 1 and (node.module or "").startswith("_")):
        return
    base = module.split(".") if is_package else module.split(".")[:-1]
    base = base[: len(base) - node.level + 1] if node.level else []
    source = ".".join([*base, *(node.module or "").split(".")]).strip(".")
    if not source.startswith(PACKAGE) or not path_of(source).exists():
        return
    shared = wanted if wanted is not None else exported(PACKAGE)
    there = {entry.name: entry for entry in _names(source)}
    for alias in node.names:
        if (alias.asname or alias.name) in shared and alias.name in there:
            yield there[alias.name]


def _entries(module: str, node: ast.stmt, following: ast.stmt | None) -> Iterator[Name]:
    if isinstance(node, ast.FunctionDef):
        yield Name(
            module, node.name, "function", _signature(node), ast.get_docstring(node) or "", node.lineno
        )
    elif isinstance(node, ast.ClassDef):
        methods = [_method(module, child) for child in node.body if isinstance(child, ast.FunctionDef)]
        shown = [m for m in methods if m.docstring and not m.name.startswith("_")]
        docstring = ast.get_docstring(node) or ""
        yield Name(module, node.name, "class", _class_signature(node), docstring, node.lineno, shown)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        text = following.value if isinstance(following, ast.Expr) else None
        docstring = text.value if isinstance(text, ast.Constant) and isinstance(text.value, str) else ""
        if isinstance(target, ast.Name):
            yield Name(module, target.id, "data", "", docstring, node.lineno)


def _method(module: str, node: ast.FunctionDef) -> Name:
    is_property = any(
        getattr(mark, "id", "") in ("property", "cached_property") for mark in node.decorator_list
    )
    kind, signature = ("property", "") if is_property else ("method", _signature(node, bound=True))
    return Name(module, node.name, kind, signature, ast.get_docstring(node) or "", node.lineno)


def _signature(node: ast.FunctionDef, *, bound: bool = False) -> str:
    arguments = copy.deepcopy(node.args)
    every = [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        arguments.vararg,
        arguments.kwarg,
    ]
    for argument in every:
        if argument is not None:
            argument.annotation = None  # shapes and types stand in the docstring
    if bound and not any(getattr(mark, "id", "") == "staticmethod" for mark in node.decorator_list):
        del (arguments.posonlyargs or arguments.args)[:1]
    return f"({ast.unparse(arguments)})"


def _class_signature(node: ast.ClassDef) -> str:
    for child in node.body:
        if isinstance(child, ast.FunctionDef) and child.name == "__init__":
            return _signature(child, bound=True)
    if not any("dataclass" in ast.unparse(mark) for mark in node.decorator_list):
        return ""
    fields = [
        f for f in node.body if isinstance(f, ast.AnnAssign) and "ClassVar" not in ast.unparse(f.annotation)
    ]
    texts = [ast.unparse(f.target) + (f"={ast.unparse(f.value)}" if f.value else "") for f in fields]
    return f"({', '.join(text for text in texts if not text.startswith('_'))})"
