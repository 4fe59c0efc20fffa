"""The students' site as `make` builds it: no answer in its pages, search index, notebooks or downloads."""

import subprocess
from pathlib import Path

from test_student import leaks

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "student" / "_build" / "html"

THERE = {"searchindex.js", "contents.bin", "01a_weighted_average.html", "01a_weighted_average.ipynb"}


def test_no_answer_is_left_in_the_built_site():
    subprocess.run(["make", "--no-print-directory", "book", "EDITION=student"], cwd=ROOT, check=True)
    names = {path.name for path in SITE.rglob("*") if path.is_file()}
    assert names >= THERE
    assert not {"solutions.html", "mutation_table.html", "how_to_teach.html"} & names
    assert leaks(SITE) == []
