"""The plans for teachers: complete, counted, and quoting what the book replies."""

import landing
import pytest

from tools.course import plans, rubrics
from tools.course.lessons import chapters, known_mistakes, lessons, wrong_answers

LESSONS = list(lessons().values())


def test_every_lesson_has_a_plan():
    assert plans.without_plan() == []


def test_no_plan_speaks_of_a_lesson_that_is_gone():
    assert plans.data("plans")["lessons"].keys() <= lessons().keys()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)
def test_three_wrong_answers_with_what_to_say(lesson):
    found = plans.stumbles(lesson)
    assert len({*found}) == 3
    for _, wrong, say in found:
        assert wrong
        assert say
        assert wrong != say


def test_what_a_plan_refers_to_stands_in_its_chapter():
    for lesson in LESSONS:
        for each in plans.data("plans")["lessons"].get(lesson.name, {}).get("stumbles", ()):
            assert any(plans.looked_up(other, each) for other in chapters()[lesson.chapter]), each


def test_a_right_answer_is_never_among_the_wrong_ones():
    for lesson in LESSONS:
        for question in lesson.questions:
            if question["kind"] == "choice":
                right = question["options"][question["answer"]]["text"]
                assert right not in dict(wrong_answers(question))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.number)
def test_minutes_are_those_of_the_page(lesson):
    took = plans.minutes(lesson.cells)
    in_view = [cell for cell in lesson.cells if "deeper" not in cell["metadata"].get("tags", ())]
    said = landing.minutes({"cells": lesson.cells})
    assert abs(said - sum(plans.minutes(in_view).values())) <= 2.5
    assert took["code"] >= 10 * len(lesson.exercises)


def test_the_lecture_takes_ninety_minutes_and_longer_courses_read_every_chapter():
    lecture, *longer = plans.syllabi()
    assert sum(session[0] for session in lecture["sessions"]) == 90
    for syllabus in plans.syllabi():
        for _, _, places, _ in syllabus["sessions"]:
            plans.named(places)
    term = {lesson.name for session in longer[-1]["sessions"] for lesson in plans.named(session[2])}
    assert term == lessons().keys()


def test_a_class_opens_with_a_figure_of_the_lesson():
    for lesson in LESSONS:
        question, figure = lesson.opening
        assert question in lesson.questions
        assert figure == lesson.figures[0]


def test_known_mistakes_are_read_as_they_are():
    from attn_lessons.exercises.checking.check import all_exercises

    for name, exercise in all_exercises().items():
        told = {each.label: (each.what, each.nudge) for each in exercise.mistakes}
        assert known_mistakes()[name] == told


def test_every_problem_is_solved_and_has_a_rubric():
    kinds = set()
    for lesson in LESSONS:
        for problem, solution, points in rubrics.solved(lesson):
            kinds.add(rubrics.kind(problem)[0])
            assert solution
            assert len(points) == 4
    assert kinds == {"plan", "derive", "compute", "argue"}
