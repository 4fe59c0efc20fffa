"""The claims page itself: enough claims, each with its heading, its place and a property test that exists."""

from __future__ import annotations

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


def test_every_entry_says_where_the_statement_is_made():
    assert [entry.splitlines()[0] for entry in ENTRIES if "*Where:*" not in entry] == []


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


def test_verdicts_are_decided_by_the_cases(page):
    for claim in page["claims"]:
        good = [case for case, holds in claim.cases.items() if holds]
        kind = claim.verdict.partition(" if")[0]
        some = "false" if claim.universal else "true only"
        assert kind == ("true" if len(good) == len(claim.cases) else some if good else "false")


def test_the_table_at_the_end_has_every_claim(page):
    table = repr(page["Verdicts"](page["claims"]))
    assert len(table.splitlines()) == len(page["claims"])
    assert all(claim.statement in table and claim.verdict in table for claim in page["claims"])
