"""Package, tests, reference pages and chapters point at each other."""

from __future__ import annotations

import re

import public_names
import pytest
from built_site import ROOT

ENTRIES = [entry for module in public_names.modules() for entry in public_names.public_names(module)]
CALLED = [entry for entry in ENTRIES if entry.kind in ("function", "class")]


def _missing_parts(entry: public_names.Name) -> set[str]:
    parts = dict(public_names.sections(entry.docstring))
    wanted = {"Returns"} if entry.kind == "function" else set()
    wanted |= {"Args"} if entry.signature not in ("", "()") else set()
    return wanted - set(parts) if parts[""].strip() else {"a sentence"}


def test_every_public_module_has_a_reference_page():
    missing = set(public_names.modules()) - public_names.documented()
    assert missing == set(), "add a page with {module-reference} to book/api and list it in _toc.yml"


def test_no_name_is_described_twice():
    places = [f"{entry.module}.{entry.name}" for entry in ENTRIES]
    assert sorted(places) == sorted(set(places))


def test_what_the_package_exports_is_found_by_reading_it():
    wanted = set(public_names.exported("attn_helpers"))
    assert wanted - {entry.name for entry in ENTRIES} == set()


def test_every_public_name_is_on_a_reference_page(site):
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((site / "book/api").glob("*.html")))
    shown = set(re.findall(r'<dt [^>]*id="attn_helpers[\w.]*\.(\w+)"', text))
    assert {entry.name for entry in ENTRIES} - shown == set()


def test_every_public_function_and_class_says_what_it_takes_and_gives():
    missing = {f"{entry.module}.{entry.name}": parts for entry in CALLED if (parts := _missing_parts(entry))}
    assert missing == {}


def test_every_public_function_and_class_is_tested():
    tests = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("test_*.py")))
    words = set(re.findall(r"\w+", tests))
    assert {f"{entry.module}.{entry.name}" for entry in CALLED if entry.name not in words} == set()


def test_every_chapter_that_a_docstring_names_exists():
    named = {path for entry in ENTRIES for path in entry.chapters}
    assert {path for path in named if not (ROOT / path).is_file()} == set()


@pytest.mark.parametrize("module", ["masking", "kernels", "scoring", "attention"])
def test_the_names_of_a_formula_module_name_their_chapter(module):
    entries = public_names.public_names(f"attn_helpers.{module}")
    assert [entry.name for entry in entries if entry.kind != "data" and not entry.chapters] == []


def test_a_chapter_ends_with_links_to_its_functions_and_they_link_back(site):
    reference = "".join(
        path.read_text(encoding="utf-8") for path in sorted((site / "book/api").glob("*.html"))
    )
    missing = set()
    for entry in CALLED:
        for path in entry.chapters:
            page = path.replace(".ipynb", ".html")
            ending = (site / page).read_text(encoding="utf-8").partition('class="chapter-functions"')[2]
            if not re.search(rf'href="[^"]*book/api/\w+\.html#[\w.]*\.{entry.name}"|\.{entry.name}"', ending):
                missing.add(f"{path} does not link to {entry.name}")
            if f'href="../../{page}"' not in reference:
                missing.add(f"no reference page links to {path}")
    assert missing == set()
