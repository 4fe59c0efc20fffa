"""The claims page itself: enough claims, each with its heading, its place and a property test that exists."""

import re

import nbformat
import pytest
from built_site import ROOT

CELLS = nbformat.read(ROOT / "notebooks/claims_tested.ipynb", as_version=4).cells
TEXT = "\n\n".join(cell.source for cell in CELLS if cell.cell_type == "markdown")
ENTRIES = re.split(r"(?m)^### ", TEXT)[1:]

# threads that report the public bugs: each must be linked from its entry
THREADS = {
    "harvardnlp/annotated-transformer": (37, 137),
    "harvardnlp/harvardnlp.github.io": (6,),
    "bentrevett/pytorch-seq2seq": (118,),
    "hyunwoongko/transformer": (1, 40),
    "pytorch/pytorch": (27968, 41508, 63271, 103749, 108108, 131863, 144858, 152028, 160064),
    "tensorflow/text": (894, 1122),
    "rasbt/LLMs-from-scratch": (1061, 1062),
    "jadore801120/attention-is-all-you-need-pytorch": (19,),
    "phlippe/uvadlc_notebooks": (67,),
    "georg-wolflein/good-features": (1,),
    "fchollet/deep-learning-with-python-notebooks": (261,),
    "SamLynnEvans/Transformer": (25,),
    "BrianPulfer/PapersReimplementations": (9,),
    "Open-Deep-ML/DML-OpenProblem": (595,),
    "yflyzhang/AnnotatedTransformer": (1,),
}


def _verdicts(page):
    return {claim.statement: claim for claim in page["claims"]}


def test_every_entry_is_a_claim_with_a_verdict_in_the_same_order(page):
    assert [entry.splitlines()[0] for entry in ENTRIES] == [claim.statement for claim in page["claims"]]
    assert len(ENTRIES) >= 24


def test_no_claim_is_made_twice(page):
    assert len(_verdicts(page)) == len(page["claims"])


def test_every_entry_links_to_who_says_it_or_where_the_bug_was_seen():
    places = {
        entry.splitlines()[0]: re.findall(r"(?m)^\*(?:Said by|Seen in):\* (.*)", entry) for entry in ENTRIES
    }
    link = re.compile(r"\]\((?:https://|\.\./book/references\.bib#|\w+\.ipynb)")
    assert [head for head, found in places.items() if len(found) != 1 or not link.search(found[0])] == []


def test_every_named_test_exists_and_belongs_to_one_claim(page):
    code = "".join(
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests/claims").glob("test_*.py"))
    )
    written = re.findall(r"(?m)^def (test_\w+)", code)
    named = [claim.test for claim in page["claims"]]
    assert set(named) - set(written) == set()
    assert len(set(named)) == len(named)
    assert len(set(written)) == len(written)


@pytest.mark.parametrize(("repository", "numbers"), THREADS.items())
def test_the_threads_of_public_bugs_are_linked(repository, numbers):
    linked = re.findall(rf"github\.com/{re.escape(repository)}/(?:issues|pull)/(\d+)\)", TEXT)
    assert set(numbers) - set(map(int, linked)) == set()


def _source(test: str) -> str:
    for path in sorted((ROOT / "tests/claims").glob("test_*.py")):
        if found := re.search(rf"(?ms)^def {test}\(.*?(?=^def |^@|\Z)", path.read_text(encoding="utf-8")):
            return found[0]
    raise AssertionError(test)


def test_each_test_runs_the_wrong_version_of_the_page_and_refuses_it(page):
    def refuses(claim):
        code = _source(claim.test)
        refused = "assert not " in code or "== []" in code or "pytest.raises" in code
        return claim.wrong in page and f'page["{claim.wrong}"]' in code and refused

    assert [claim.test for claim in page["claims"] if not refuses(claim)] == []


def test_verdicts_are_decided_by_the_cases(page):
    for claim in page["claims"]:
        if claim.only_if:
            assert claim.kind == "true only if"
            assert claim.cases
            assert all(claim.cases.values())
            assert claim.beyond
            assert not any(claim.beyond.values())
        else:
            assert claim.kind == ("true" if all(claim.cases.values()) else "false")
            assert claim.beyond == {}


@pytest.mark.parametrize(
    ("cases", "beyond"),
    [
        ({"a": True, "b": False}, {"c": False}),
        ({"a": True}, {"c": True}),
        ({"a": True}, {}),
        ({}, {"c": False}),
    ],
    ids=["fails inside", "holds beyond", "nothing beyond", "nothing inside"],
)
def test_a_condition_that_does_not_draw_the_border_is_refused(page, cases, beyond):
    with pytest.raises(ValueError, match="is no border"):
        page["Claim"]("A claim", cases, {}, "it rains", beyond, "test_it", "wrong", "1a")


def test_the_table_has_every_claim_with_its_topic_and_its_entry(page):
    verdicts = page["Verdicts"](page["claims"])
    rows = verdicts._repr_mimebundle_()["text/html"].split("<tr>")[2:]
    assert len(repr(verdicts).splitlines()) == len(rows) == len(page["claims"])
    for claim, line, row in zip(page["claims"], repr(verdicts).splitlines(), rows, strict=True):
        assert f"{claim.statement}: {claim.verdict}" in line
        assert f"#{page['anchor'](claim.statement)}'" in row
        assert f"<td>{claim.topic}</td><td data-value='{claim.kind}'>" in row
    topics = [claim.topic for claim in page["claims"]]
    assert topics == sorted(topics, key=list(dict.fromkeys(topics)).index)  # each topic in one piece
    assert len(set(topics)) == len(re.findall(r"(?m)^## .*\n+### ", TEXT))


def test_the_stored_table_is_filled():
    stored = next(cell for cell in CELLS if cell.id == "recorder").outputs[0]["data"]
    text = next(cell for cell in CELLS if cell.id == "verdicts-as-text").outputs[0]["text"]
    assert stored["text/plain"].strip() == text.strip()
    assert stored["text/html"].count("<td data-value=") == len(text.strip().splitlines()) == len(ENTRIES)
