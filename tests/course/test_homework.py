"""The homework can be solved, and each hidden test knows right from wrong. No nbgrader is needed."""

import re

import pytest
from sampling import sample

from attn_lessons.exercises.checking.check import all_exercises
from tools.course import grading, homework, otter, word_tasks
from tools.course.lessons import chapters, lessons

EXERCISES = list(all_exercises().values())


@pytest.fixture(scope="module", params=sample([3, 4], 1))
def seed(request):
    return request.param


@pytest.mark.parametrize("chapter", list(chapters()))
def test_who_solves_everything_gets_every_point(chapter, capsys):
    names: dict = {"__name__": "__main__"}
    got = most = 0
    for cell in homework.assignment(chapter, 5).cells:
        if cell.cell_type == "code":
            *before, last = re.split(r"^(?=(?:graded|answered)\()", cell.source, flags=re.MULTILINE)
            exec("".join(before) or last, names)
            if before:
                got += eval(last.partition("\n###")[0], names)
                most += cell.metadata.nbgrader.points
    assert got == most > 0, capsys.readouterr().out


@pytest.mark.parametrize("exercise", sample(EXERCISES, 5), ids=lambda exercise: exercise.name)
def test_a_mistake_costs_points_with_any_numbers(exercise, seed, capsys):
    assert grading.graded(exercise.name, exercise.solved, seed=seed) == len(exercise.checks)
    for mistake in sample(exercise.mistakes, 3):
        assert grading.graded(exercise.name, mistake.function, seed=seed) < len(exercise.checks), (
            mistake.label
        )


@pytest.mark.parametrize("chapter", list(chapters()))
def test_other_seeds_ask_in_other_words_for_other_answers(chapter, capsys):
    made = [word_tasks.drawn(chapter, seed) for seed in range(40)]
    words = [{*re.findall(r"[A-Za-z]{2,}", text)} for text, _ in made]
    assert len({frozenset(each) for each in words}) >= 20
    for i, (_, spec) in enumerate(made):
        assert grading.answered(spec, float(f"{spec['answer']:.3g}")) == 1
        for wrong in spec["mistakes"]:
            assert grading.answered(spec, wrong["value"]) == 0
        others = [other["answer"] for j, (_, other) in enumerate(made) if i != j]
        assert sum(grading.answered(spec, answer) for answer in others) <= 8


def test_names_of_cells_are_unique_and_every_answer_has_a_place():
    for chapter in chapters():
        ids = [cell.metadata.nbgrader.grade_id for cell in homework.assignment(chapter, 1).cells]
        assert len(ids) == len({*ids})


@pytest.mark.parametrize("given", [None, ..., "", "z", [], "ab", 3, object(), float("nan"), ["0"], {}])
def test_any_answer_gets_a_reply(given, capsys):
    for lesson in lessons().values():
        for question in lesson.questions:
            points = grading.answered(question, given)
            assert points in (0, 1)
            assert capsys.readouterr().out.strip()


def test_a_reply_is_the_books():
    lesson = lessons()["03a_masked_softmax"]
    question = next(each for each in lesson.questions if each["name"] == "shorter")
    right, reply = grading._number(question, 0.2)
    assert not right
    assert "`fine` has left the sum" in reply
    crossing = next(each for each in lessons()["06c_what_it_costs"].questions if each["name"] == "crossing")
    right, reply = grading._number(crossing, 341.3)  # the answer is whole, this slip is not
    assert not right
    assert "the projections count three" in reply


def test_otter_asks_the_same_for_the_same_points():
    book = homework.assignment("03", 1)
    cells = otter.for_otter(book, "chapter_03").cells
    raw = [cell.source for cell in cells if cell.cell_type == "raw"]
    asked = [text for text in raw if text.startswith("# BEGIN QUESTION")]
    points = [cell.metadata.nbgrader.get("points", 0) for cell in book.cells]
    assert sum(int(text.rpartition(" ")[2]) for text in asked) == sum(points)
    for kind in ("QUESTION", "SOLUTION", "TESTS"):
        assert sum(f"BEGIN {kind}" in text for text in raw) == raw.count(f"# END {kind}") > 0
    names: dict = {}
    for cell in cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
            if "BEGIN TEST CONFIG" in cell.source:
                for test in [names.pop(name) for name in [*names] if name.startswith("test_")]:
                    test(names)
                    with pytest.raises((AssertionError, NameError, TypeError)):
                        test({"__builtins__": names["__builtins__"]})
