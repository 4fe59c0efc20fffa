"""What a cell binds, changes and reads; js/page_cells.test.mjs asks the page's Python the same."""

import json
from pathlib import Path

import pytest
import yaml

from pagepython.running.names import names_of

ROOT = Path(__file__).resolve().parents[2]
CASES = json.loads((Path(__file__).parent / "names.json").read_text("utf-8"))
PATTERNS = {"looks": ["explore"], "changes": ["train"]}
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("case", CASES, ids=[case["text"] for case in CASES])
def test_what_a_cell_binds_changes_and_reads(case):
    assert {"text": case["text"], **names_of(case["text"], **PATTERNS)} == case


@pytest.mark.parametrize(
    "text",
    ["def f(", "for", "x = [1,", "class", "lambda", "from", "\0((((", "def f(a, a): pass", "nonlocal x"],
)
def test_half_a_line_of_python_is_no_error(text):
    assert names_of(text) is None


def test_what_a_cell_of_the_book_reads_is_bound_above_it_or_python_s_own():
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"]["page_python"]
    patterns = {key: config[key] for key in ("looks", "draws", "changes")}
    for lesson in LESSONS:
        cells = json.loads(lesson.read_text("utf-8"))["cells"]
        bound = {*vars(__builtins__)} if not isinstance(__builtins__, dict) else {*__builtins__}
        bound |= {"display", "random numbers", "__file__", "_"}
        for cell in (cell for cell in cells if cell["cell_type"] == "code"):
            names = names_of("".join(cell["source"]), **patterns)
            assert names is not None, f"{lesson.name}: {cell['id']} is no Python"
            unknown = {*names["reads"]} - bound - {*names["binds"]} - {*names["touches"]}
            assert not unknown, f"{lesson.name}: {cell['id']} reads {unknown}, which no cell above binds"
            bound |= {*names["binds"], *names["touches"]}
