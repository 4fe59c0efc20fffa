"""The packages' public names and docstrings, which griffe reads from the text: torch need not be there.

Public are the names in a module's ``__all__``, else its functions, classes and documented values that do
not start with an underscore. Of a package that is what its ``__init__`` takes from its modules.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import griffe

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("attn_helpers", "attn_lessons", "livetorch")
ONLY_EXPORTS = ("attn_lessons.exercises", "attn_helpers.plotting", "livetorch")  # their modules are inner
SECTION = re.compile(r"(Formula|Args|Returns|Yields|Raises|Example|Source|Chapter):(?:\s+(.*))?")
NOTEBOOK = re.compile(r"notebooks/[\w-]+\.ipynb")


@dataclass
class Name:
    """One public name: where it stands, how it is called, what its docstring says."""

    module: str
    name: str
    kind: str  # "function", "class", "method", "property" or "data"
    signature: str  # without types: shapes and types stand in the docstring
    types: str  # of arguments and result, as one text
    docstring: str
    members: list[Name] = field(default_factory=list)


def sections(docstring: str) -> list[tuple[str, str]]:
    """Split a docstring into its parts; the first, without a name, is the text before them."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    flush = False  # in an example without a headline
    for line in docstring.splitlines():
        flush = flush and bool(line.strip())
        if found := SECTION.fullmatch(line):
            parts.append((found[1], [found[2] or ""]))
        elif line.startswith(">>>") and not flush:
            parts.append(("Example", [line]))
            flush = True
        elif parts[-1][0] and line.strip() and not line.startswith(" ") and not flush:
            parts.append(("", [line]))  # text that goes on after a section
        else:
            parts[-1][1].append(line)
    return [(name, "\n".join(lines).strip("\n")) for name, lines in parts]


@functools.cache
def _packages() -> griffe.ModulesCollection:
    loader = griffe.GriffeLoader(search_paths=[ROOT], allow_inspection=False)
    for name in PACKAGES:
        loader.load(name)
    loader.resolve_aliases()  # also what is imported by a star
    return loader.modules_collection


def _module(name: str) -> griffe.Module:
    return _packages()[name]


def path_of(module: str) -> Path:
    """Give the file of a module or package."""
    return _module(module).filepath


def exported(module: str) -> list[str]:
    """Give the names of a module's ``__all__``; of a package without one, what it takes from its modules."""
    here = _module(module)
    if here.exports is None and here.is_init_module:
        taken = [n for n, m in here.members.items() if m.is_alias and m.target_path.startswith(f"{module}.")]
        return sorted(taken)
    return [str(name) for name in here.exports or ()]


def chapters(module: str) -> list[str]:
    """Give the notebooks that a module's docstring names, of a package those of the modules it exports."""
    docstring = _module(module).docstring
    own = NOTEBOOK.findall(dict(sections(docstring.value)).get("Chapter", "")) if docstring else []
    inner = {entry.module for entry in public_names(module)} - {module}
    return own or sorted({chapter for name in inner for chapter in chapters(name)})


def explained_in(entry: Name, chapter: str) -> bool:
    """Whether a chapter explains a name: the only one of the name's module, or one that uses the name."""
    named = chapters(entry.module)
    text = (ROOT / chapter).read_text(encoding="utf-8") if chapter in named and len(named) > 1 else ""
    return chapter in named and (not text or re.search(rf"\b{entry.name}\b", text) is not None)


@functools.cache
def modules() -> list[str]:
    """List the public modules; of ``livetorch`` only the package itself: what it exports."""
    waiting, found = [_module(name) for name in PACKAGES], []
    while waiting:
        module = waiting.pop()
        found.append(module.path)
        if module.path not in ONLY_EXPORTS:
            waiting += [inner for name, inner in module.modules.items() if not name.startswith("_")]
    return sorted(name for name in found if name not in PACKAGES[:2] and public_names(name))


def expand(name: str) -> list[str]:
    """Give the modules that a reference page means; ``attn_lessons.studies.*`` is a whole package."""
    if not name.endswith(".*"):
        return [name]
    return [module for module in modules() if f"{module}.".startswith(name[:-1])]


@functools.cache
def documented() -> set[str]:
    """Give the modules that a page of ``book/api`` describes."""
    pages = "".join(page.read_text(encoding="utf-8") for page in sorted((ROOT / "book/api").glob("*.md")))
    return {module for name in re.findall(r"\{module-reference\} (\S+)", pages) for module in expand(name)}


@functools.cache
def public_names(module: str) -> list[Name]:
    """List a module's public names in its order; what a package exports is listed with the package alone."""
    package = module.rpartition(".")[0]
    elsewhere = exported(package) if package not in ("", *PACKAGES) else []
    here = _module(module)
    names = exported(module) if here.is_init_module else [n for n in here.members if n not in elsewhere]
    return [_name(here.members[name]) for name in names if _is_public(here.members[name], here)]


def _is_public(item: griffe.Object | griffe.Alias, module: griffe.Module) -> bool:
    if item.is_alias:
        return module.is_init_module and item.target_path.startswith(PACKAGES)
    listed = module.exports is None or item.name in exported(module.path)
    is_said = bool(item.docstring) or item.name in exported("attn_helpers")
    return (
        listed
        and not item.name.startswith("_")
        and (item.is_function or item.is_class or (item.is_attribute and is_said))
    )


def _name(item: griffe.Object | griffe.Alias) -> Name:
    target = item.final_target if item.is_alias else item
    members = []
    if target.is_class:
        inner = [each for each in target.members.values() if not each.is_alias and each.docstring]
        methods = [each for each in inner if each.is_function or "property" in each.labels]
        members = [_name(each) for each in methods if not each.name.startswith("_")]
    kind = target.kind.value if target.is_class or target.is_function else "data"
    if target.parent.is_class:
        kind = "property" if "property" in target.labels else "method"
    bound = target.is_class or (kind == "method" and "staticmethod" not in target.labels)
    parameters = _parameters(target)[1 if bound and _parameters(target)[:1] else 0 :]
    signature = "" if kind in ("data", "property") or _is_plain(target) else f"({_written(parameters)})"
    types = " ".join(str(parameter.annotation) for parameter in parameters)
    types += f" {getattr(target, 'returns', None) or ''}"
    docstring = target.docstring.value if target.docstring else ""
    return Name(target.module.path, target.name, kind, signature, types, docstring, members)


def _is_plain(target: griffe.Object) -> bool:
    """Whether a class is called without arguments that it names itself."""
    return target.is_class and not _parameters(target)


def _parameters(target: griffe.Object) -> list[griffe.Parameter]:
    if target.is_class and any(str(base) == "NamedTuple" for base in target.bases):
        data = [each for each in target.members.values() if each.is_attribute and each.annotation]
        fields = [each for each in data if "property" not in each.labels]
        kind = griffe.ParameterKind.positional_or_keyword
        made = [griffe.Parameter(each.name, kind=kind, annotation=each.annotation) for each in fields]
        return [griffe.Parameter("self", kind=kind), *made]
    if target.is_class and "__init__" not in target.members:
        return []
    return list(getattr(target, "parameters", ()))


def _written(parameters: Iterable[griffe.Parameter]) -> str:
    """Write parameters as Python does, without their types."""
    kinds, parts, stage = griffe.ParameterKind, [], None
    for parameter in parameters:
        if stage is kinds.positional_only and parameter.kind is not stage:
            parts.append("/")
        if parameter.kind is kinds.keyword_only and stage not in (kinds.keyword_only, kinds.var_positional):
            parts.append("*")
        stage = parameter.kind
        stars = {kinds.var_positional: "*", kinds.var_keyword: "**"}.get(stage, "")
        has_default = parameter.default is not None and not stars
        parts.append(f"{stars}{parameter.name}" + (f"={parameter.default}" if has_default else ""))
    return ", ".join(parts) + (", /" if stage is kinds.positional_only else "")
