"""Does the comparison of stored outputs refuse what a processor cannot have done?

In some notebooks, others each week, in every output: a number changed by two units of its last place, a
word, a whole number, an operator, a constant by a thousandth of its size, a picture. One notebook is
changed in three places and run: exactly the three cells must fail.
"""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from built_site import ROOT
from comparison import output_differences, whole
from nbformat.v4 import new_output
from nbval.plugin import IPyNbFile
from normal_form import IGNORE_TAG
from sampling import sample
from stored_changes import CHANGES, changed, two_units

import notebooks as program

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LESSONS = [path for path in NOTEBOOKS if re.match(r"\d", path.name)]
CHAPTER = ROOT / "notebooks" / "03a_masked_softmax.ipynb"
PICTURES = ("image/svg+xml", "text/html")


@pytest.fixture(scope="module")
def skipped(tmp_path_factory, request):
    """What nbval leaves out of a comparison, asked of nbval itself."""
    return IPyNbFile.from_parent(request.session, path=CHAPTER).skip_compare


def _compared_cells(path: Path):
    for cell in program.read(path).cells:
        if cell.cell_type == "code" and IGNORE_TAG not in cell.metadata.get("tags", []):
            cell["outputs"] = whole(cell.outputs, path.parent)
            yield cell


@pytest.mark.parametrize("path", sample(NOTEBOOKS, 2, [CHAPTER]), ids=lambda path: path.stem)
def test_every_kind_of_change_is_refused_in_every_output(path, skipped):
    tried = dict.fromkeys(CHANGES, 0)
    missed = []
    for cell in _compared_cells(path):
        assert output_differences(cell.outputs, cell.outputs, skipped) == []
        for kind in CHANGES:
            for other in changed(cell.outputs, kind):
                tried[kind] += 1
                if not output_differences(cell.outputs, other, skipped):
                    missed.append(f"{cell.id}: {kind}")
    assert not missed
    wanted = CHANGES if path in LESSONS else ("number", "word")
    assert not [kind for kind in wanted if not tried[kind]]


def test_a_line_that_says_what_is_waited_for_is_no_output(skipped):
    plain, marked = (
        new_output("display_data", {"text/plain": "Recording …"}, metadata=metadata)
        for metadata in ({}, {"livetorch": "progress"})
    )
    assert output_differences([], [plain], skipped)
    assert output_differences([], [marked], skipped) == []


def _is_number(data) -> bool:
    return list(data) == ["text/plain"] and any(two_units(data["text/plain"]))


def _is_picture(data) -> bool:
    return any(kind in data for kind in PICTURES) and any(two_units(data.get("text/plain", "")))


def _is_source(data) -> bool:
    return "def " in data.get("text/markdown", "")


def _change(notebook, wanted, key: str, change) -> int:
    """Change one output of the first cell that fits; gives the place of the cell among the code cells."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for place, cell in enumerate(code):
        for output in cell.outputs:
            if wanted(output.get("data", {})) and IGNORE_TAG not in cell.metadata.get("tags", []):
                before = output.data[key]
                output.data[key] = change(before)
                assert output.data[key] != before
                return place
    raise AssertionError(f"{CHAPTER.name} has no output for {wanted.__name__}")


def _run_nbval(path: Path) -> dict[int, str]:
    """Run one notebook as `make test-notebooks` does; give what was said of each cell, "" if it passed."""
    report = path.with_suffix(".xml")
    options = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=120", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-p", "comparison", *options, "--rootdir", path.parent]
    ours = os.pathsep.join([str(ROOT), str(ROOT / "tools" / "comparison")])  # not what is installed
    subprocess.run(
        [*command, f"--junitxml={report}", path],
        cwd=path.parent,
        env={**os.environ, "PYTHONPATH": ours},
        capture_output=True,
        check=False,
    )
    cases = [case.find("failure") for case in ElementTree.parse(report).iter("testcase")]
    return {place: "" if fault is None else fault.text for place, fault in enumerate(cases)}


def test_a_changed_number_picture_or_source_line_fails_when_the_notebook_is_run(tmp_path):
    notebook = program.read(CHAPTER)
    changes = [
        _change(notebook, _is_number, "text/plain", lambda text: next(two_units(text))),
        _change(notebook, _is_picture, "text/plain", lambda text: next(two_units(text))),
        _change(notebook, _is_source, "text/markdown", lambda text: text.replace("def ", "def  ", 1)),
    ]
    assert len(set(changes)) == 3
    copy = tmp_path / "tampered.ipynb"
    program.write(copy, notebook)
    results = _run_nbval(copy)
    assert len(results) > 10
    assert {place for place, fault in results.items() if fault} == set(changes)
    assert "they differ by" in results[changes[0]]
    assert "other code" in results[changes[2]]
