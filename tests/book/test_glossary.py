"""The glossary: sorted, in both languages, and each term linked to a place that uses it."""

import re

import nbformat
import pytest
from built_site import ROOT, pages
from docutils.nodes import fully_normalize_name

TEXT = (ROOT / "book/glossary.md").read_text(encoding="utf-8")
TERM = re.compile(r"^(?P<english>[^\n·]+) · (?P<chinese>.+)\n  (?P<meaning>.+)$", re.MULTILINE)
BLOCKS = re.findall(r"```\{glossary\}\n(.*?)```", TEXT, re.DOTALL)
TERMS = [match for block in BLOCKS for match in TERM.finditer(block)]
LINK = re.compile(r"\[[^\]]+\]\(\.\./notebooks/(\w+)\.ipynb(?:#([\w-]+))?\)$")
# words that are in every chapter say nothing about a place
COMMON = {"attention", "encoding", "function", "network", "number", "score", "softmax", "token", "weight"}


def _anchor(heading: str) -> str:
    plain = re.sub(r"[^\w\s-]", "", re.sub(r"\$[^$]*\$", lambda m: m[0], heading.lower()))
    return plain.strip().replace(" ", "-")


def _sections(notebook: str) -> dict[str, str]:
    cells = nbformat.read(ROOT / f"notebooks/{notebook}.ipynb", as_version=4).cells
    whole = "\n\n".join(
        cell.source if cell.cell_type == "markdown" else f"    {cell.source}" for cell in cells
    )
    parts = re.split(r"(?m)^#{2,3} (.+)$", whole)
    return {_anchor(head): f"{head}\n{body}" for head, body in zip(parts[1::2], parts[2::2], strict=True)}


def test_there_are_enough_terms_each_with_a_link_at_the_end():
    assert len(TERMS) >= 60
    assert [term["english"] for term in TERMS if not LINK.search(term["meaning"])] == []
    assert len(TERMS) == sum(len(re.findall(r"(?m)^\S", block)) for block in BLOCKS)


def test_terms_are_sorted_and_unique():
    names = [term["english"].lower() for term in TERMS]
    assert names == sorted(names)
    assert len(set(names)) == len(names)


def test_each_term_says_in_one_sentence_what_it_means():
    for term in TERMS:
        meaning = LINK.sub("", term["meaning"]).strip()
        assert meaning.endswith("."), term["english"]
        assert meaning.count(". ") == 0, term["english"]
        assert len(meaning) < 180, term["english"]


@pytest.mark.parametrize("term", TERMS, ids=lambda term: fully_normalize_name(term["english"]))
def test_the_linked_place_uses_the_word(term):
    notebook, anchor = LINK.search(term["meaning"]).groups()
    sections = _sections(notebook)
    text = sections[anchor] if anchor else "\n".join(sections.values())
    name = term["english"].lower()
    stems = [word[:5] for word in re.findall(r"[a-z]{3,}", name) if word not in COMMON] or [
        name.split()[-1][:5]
    ]
    assert any(stem in text.lower().replace("-", "") for stem in stems)


def test_every_chinese_word_is_in_the_list_at_the_end():
    listed = set(re.findall(r"(?m)^\| (\S[^|]*) \| \{term\}", TEXT))
    words = {word for term in TERMS for word in term["chinese"].split("、")}
    assert listed == words


def test_every_chapter_introduces_words():
    numbered = {name for name in pages() if re.fullmatch(r"notebooks/\d\d[a-z]?_\w+", name)}
    linked = {f"notebooks/{LINK.search(term['meaning'])[1]}" for term in TERMS}
    assert numbered - linked == set()
