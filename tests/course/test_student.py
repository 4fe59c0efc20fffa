"""The students' edition holds none of the book's answers: not in a page, a notebook, a script, an index."""

import gzip
import html
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import weekly

from attn_lessons.exercises.checking.check import all_exercises
from tools.course import student
from tools.course.answers import answers, squeezed
from tools.course.lessons import ROOT, asked, lessons

TEXTS = {".md", ".ipynb", ".py", ".html", ".js", ".json", ".mjs", ".txt", ".yml", ".svg", ".csv"}
PACKED = {".bin", ".gz"}  # what a page's Python reads, and what a host sends small


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    folder = tmp_path_factory.mktemp("edition") / "source"
    student.copy(folder)
    return folder


def leaks(folder: Path) -> list[str]:
    """List the answers that stand in a folder's files; what a task itself says is none."""
    told = squeezed("".join(each.task + "".join(each.hints) for each in all_exercises().values()))
    wanted = {key: where for text, where in answers().items() if (key := squeezed(text)) not in told}
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in TEXTS | PACKED and "node_modules" not in path.parts:
            data = path.read_bytes()
            text = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode(errors="replace")
            plain = squeezed(html.unescape(re.sub(r"\\[nu\"]|<[^>]+>", "", text)))
            found += [f"{path.relative_to(folder)}: {where}" for key, where in wanted.items() if key in plain]
    return found


@weekly
def test_no_answer_is_left(edition):
    assert len(answers()) > 1000
    assert leaks(edition) == []


def test_what_teachers_mark_and_draw_by_is_left_out(edition):
    left = {path.name for path in (edition / "tools").rglob("*") if path.is_file()}
    assert left == {"lessons.py", "plans.py"}  # by which its pages count minutes


def test_the_search_finds_an_answer_that_was_left(tmp_path):
    notebook = (ROOT / "notebooks" / "01a_weighted_average.ipynb").read_bytes()
    (tmp_path / "left.ipynb").write_bytes(notebook)
    (tmp_path / "left.bin").write_bytes(gzip.compress(notebook))
    found = {each.partition(":")[0] for each in leaks(tmp_path) if "question first-guess" in each}
    assert found == {"left.ipynb", "left.bin"}


def test_questions_are_still_asked(edition):
    import json

    for lesson in lessons().values():
        book = json.loads((edition / "notebooks" / f"{lesson.name}.ipynb").read_text(encoding="utf-8"))
        left = [spec for spec in map(asked, book["cells"]) if spec]
        assert [spec["question"] for spec in left] == [spec["question"] for spec in lesson.questions]
        for spec in left:
            assert not spec.keys() & {"answer", "explain", "mistakes", "shown", "tolerance"}
            assert all(option.keys() == {"text"} for option in spec.get("options", ()))


def test_its_exercises_can_be_written_and_are_not_judged(edition):
    code = (
        "from attn_lessons.exercises import check, exercises, hint, solution\n"
        "assert len(exercises()) == int(__import__('sys').argv[1])\n"
        "for name in exercises():\n"
        "    print(hint(name)); print(check(name, lambda *a: 1))\n"
        "try: solution('causal-mask')(1, 2)\n"
        "except NotImplementedError: print('no solution')\n"
    )
    command = [sys.executable, "-c", code, str(len(all_exercises()))]
    done = subprocess.run(
        command, cwd=edition, env={"PYTHONPATH": str(edition)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Not judged here") == len(all_exercises())
    assert "no solution" in done.stdout


def test_no_page_links_to_what_is_left_out(edition):
    for path in [*edition.glob("book/**/*.md"), *edition.glob("notebooks/*.ipynb")]:
        text = path.read_text(encoding="utf-8")
        assert not student.LINK.search(text)
        assert not student.ANCHOR.search(text), path
