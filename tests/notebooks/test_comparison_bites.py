"""Does the comparison of stored outputs notice a changed number, a changed picture, a changed line of code?

A copy of a chapter is changed in three places by one character each, and run under nbval: exactly the three
changed cells must fail.
"""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from built_site import ROOT
from normal_form import IGNORE_TAG

import notebooks as program

CHAPTER = ROOT / "notebooks" / "03_masked_softmax.ipynb"
PICTURES = ("image/svg+xml", "text/html")


def _other_digit(text: str) -> str:
    """Change the last digit of a text."""
    return re.sub(r"\d(?=\D*$)", lambda found: str((int(found.group()) + 1) % 10), text)


def _is_number(data) -> bool:
    return list(data) == ["text/plain"] and re.search(r"\d", data["text/plain"]) is not None


def _is_picture(data) -> bool:
    return any(kind in data for kind in PICTURES) and re.search(r"\d", data.get("text/plain", "")) is not None


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


def _run_nbval(path: Path) -> dict[int, bool]:
    """Run one notebook under nbval; gives for each code cell whether it passed."""
    report = path.with_suffix(".xml")
    options = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=120", "-p", "no:cacheprovider"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        *options,
        "--rootdir",
        path.parent,
        f"--junitxml={report}",
        path,
    ]
    subprocess.run(command, cwd=path.parent, capture_output=True, check=False)
    cases = list(ElementTree.parse(report).iter("testcase"))
    return {place: case.find("failure") is None for place, case in enumerate(cases)}


def test_a_changed_number_picture_or_source_line_is_noticed(tmp_path):
    notebook = program.read(CHAPTER)
    changed = {
        _change(notebook, _is_number, "text/plain", _other_digit),
        _change(notebook, _is_picture, "text/plain", _other_digit),
        _change(notebook, _is_source, "text/markdown", lambda text: text.replace("def ", "def  ", 1)),
    }
    assert len(changed) == 3
    copy = tmp_path / "tampered.ipynb"
    program.write(copy, notebook)
    results = _run_nbval(copy)
    assert len(results) > 10
    assert {place for place, passed in results.items() if not passed} == changed
