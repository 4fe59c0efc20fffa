"""The real nbgrader on forty pieces of homework: released, graded, fed back (a quarter of an hour)."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import forty
import nbformat
import pytest

from tools.course.answers import answers, squeezed
from tools.course.homework import write

ROOT = Path(__file__).resolve().parents[2]
NBGRADER = ROOT / ".venv-course" / "bin" / "nbgrader"
pytestmark = pytest.mark.skipif(not NBGRADER.exists(), reason="make course sets nbgrader up")


def run(words: list[str], folder: Path, **more: str) -> str:
    """Run a command, and say how long it took."""
    began = time.perf_counter()
    env = {**os.environ, "OMP_NUM_THREADS": "1", **more}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True)
    print(f"{words[1]}: {time.perf_counter() - began:.0f} s")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course")
    write(folder, 7, ["03"])
    path = os.pathsep.join([str(NBGRADER.parent), os.environ["PATH"]])  # nbgrader calls others by name
    places = {"ATTENTION_BOOK": str(ROOT), "JUPYTER_PATH": str(folder / "kernels"), "PATH": path}
    run([str(NBGRADER), "generate_assignment", "chapter_03"], folder, **places)
    forty.write(folder, "03")
    there = os.path.relpath(folder, ROOT)
    said = run(["make", "grade", "--no-print-directory", "CHAPTER=03", f"COURSE={there}"], ROOT)
    assert "Not graded (see grade.log): 'hostile-locks-a-cell'" in said  # and all the others are
    return folder


def best(course: Path) -> float:
    """Count the points that tests give, those of the problems on paper left out."""
    book = nbformat.read(course / "source/chapter_03/chapter_03.ipynb", 4)
    given = [each.metadata.nbgrader.get("points", 0) for each in book.cells if each.cell_type == "code"]
    assert len(given) > 20
    return sum(given)


def test_the_release_holds_no_answer(course):
    text = squeezed((course / "release/chapter_03/chapter_03.ipynb").read_text(encoding="utf-8"))
    assert [where for answer, where in answers().items() if squeezed(answer) in text] == []
    assert "hiddentests" not in text
    assert "beginsolution" not in text


def test_everybody_gets_the_grade_they_earned(course):
    import csv

    with open(course / "grades.csv", encoding="utf-8") as lines:
        got = {row["student_id"]: float(row["score"]) for row in csv.DictReader(lines)}
    assert len(got) == 40
    most = best(course)
    for student, score in got.items():
        kind = student.partition("-")[0]
        if kind == "right":
            assert score == most, student
        elif kind == "empty":
            assert score == 0, student
        elif kind == "one":
            assert score == most - 1, student
        elif kind == "wrong":
            assert most - 4 <= score < most, student
    for name in ("steals-the-solution", "steals-by-name", "edits-the-test", "locks-a-cell", "never-ends"):
        assert got[f"hostile-{name}"] < most, name
    assert not list(course.rglob("stolen"))


def test_the_feedback_says_what_the_book_says(course):
    page = course / "feedback/wrong-top-left/chapter_03/chapter_03.html"
    assert "the first query is lined up with the first key" in page.read_text(encoding="utf-8")
    shutil.rmtree(course / "autograded")
