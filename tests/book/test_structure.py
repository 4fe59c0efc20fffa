"""Package, tests, reference pages and chapters point at each other."""

import ast
import doctest
import importlib
import pkgutil
import re

import public_names
import pytest
import torch
from built_site import ROOT

ENTRIES = [entry for module in public_names.modules() for entry in public_names.public_names(module)]
MODULES = [
    module.name
    for package in public_names.PACKAGES
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}.")
]
CALLED = [entry for entry in ENTRIES if entry.kind in ("function", "class")]


AXES = re.compile(
    r"\(\W*[a-z]\w*[,)]|\([^()]*, [^()]*\)|\([^()]*,\)|shape|any rank|any shape|without axes|one number"
)


def _missing_parts(entry: public_names.Name) -> set[str]:
    parts = dict(public_names.sections(entry.docstring))
    said = entry.docstring.partition(">>>")[0]
    has_axes = "Tensor" in entry.types and entry.kind == "function"
    names_axes = not has_axes or AXES.search(said + _module_says(entry))
    has = {"a sentence": parts[""].strip(), "an example": ">>>" in entry.docstring, "its axes": names_axes}
    return {part for part, there in has.items() if not there}


def _module_says(entry: public_names.Name) -> str:
    return ast.get_docstring(ast.parse(public_names.path_of(entry.module).read_text(encoding="utf-8"))) or ""


def test_every_public_module_has_a_reference_page():
    missing = set(public_names.modules()) - public_names.documented()
    assert missing == set(), "add a page with {module-reference} to book/api and list it in _toc.yml"


def test_no_name_is_described_twice():
    places = [f"{entry.module}.{entry.name}" for entry in ENTRIES]
    assert sorted(places) == sorted(set(places))


def test_what_the_package_exports_is_found_by_reading_it():
    wanted = set(public_names.exported("attn_helpers"))
    assert wanted - {entry.name for entry in ENTRIES} == set()


def test_every_public_function_and_class_has_a_sentence_an_example_and_its_axes():
    missing = {f"{entry.module}.{entry.name}": parts for entry in CALLED if (parts := _missing_parts(entry))}
    assert missing == {}


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_docstrings_run(module):
    result = doctest.testmod(importlib.import_module(module), extraglobs={"torch": torch})
    assert result.failed == 0


def _used(text: str) -> set[str]:
    """List what a test takes from our packages and then uses: names that are imported, parts of modules."""
    tree = ast.parse(text)
    bound: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in public_names.PACKAGES:
            bound |= {alias.asname or alias.name: alias.name for alias in node.names}
        if isinstance(node, ast.Import):
            ours = [alias for alias in node.names if alias.name.split(".")[0] in public_names.PACKAGES]
            bound |= {alias.asname or alias.name.split(".")[0]: alias.name for alias in ours}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in bound}
    parts = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node).split(".")[0] in bound
    }
    return {bound[name] for name in names} | parts


def test_every_public_function_and_class_is_used_by_a_test():
    tests = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")]
    used = set().union(*map(_used, tests))
    used |= {word for entry in CALLED if entry.name in used for word in re.findall(r"\w+", entry.types)}
    assert {f"{entry.module}.{entry.name}" for entry in CALLED if entry.name not in used} == set()


def test_a_name_in_a_text_is_no_test():
    assert _used("from attn_helpers import causal_mask\n# length_mask\nx = 'length_mask'") == set()
    assert _used("import attn_helpers as a\na.causal_mask(2)") >= {"causal_mask"}


def test_every_module_that_chapters_explain_names_them_and_they_exist():
    lessons = ("attn_helpers.", "attn_lessons.studies.")
    explained = [name for name in public_names.modules() if name.startswith(lessons)]
    named = {module: public_names.chapters(module) for module in explained}
    assert [module for module, paths in named.items() if not paths] == []
    assert {path for paths in named.values() for path in paths if not (ROOT / path).is_file()} == set()
