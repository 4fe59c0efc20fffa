"""Solutions and rubrics of the problems on paper, for teachers."""

import re

from tools.course.lessons import Lesson, data, solved_problems


def kind(problem: str) -> tuple[str, list[str]]:
    """Give the kind of a problem, and what its four points are for."""
    found = next(each for each in data("rubrics") if re.search(each["pattern"], problem))
    return found["kind"], found["points"]


def solved(lesson: Lesson) -> list[tuple[str, str, list[str]]]:
    """Give each problem with its solution and what its points are for."""
    solutions = solved_problems().get(lesson.name, [])
    if len(solutions) != len(lesson.problems):
        raise ValueError(
            f"book/solutions.md solves {len(solutions)} of {lesson.name}'s {len(lesson.problems)} problems."
        )
    return [(one, two, kind(one)[1]) for one, two in zip(lesson.problems, solutions, strict=True)]


def written(lesson: Lesson) -> str:
    """Write a lesson's rubrics as Markdown."""
    lines = [f"## {lesson.number}. {lesson.title}", ""]
    for number, (problem, solution, points) in enumerate(solved(lesson), 1):
        lines += [f"**{number}.** {problem}", "", f"*Solution.* {solution}", ""]
        lines += [f"- [ ] 1 point: {point}" for point in points] + [""]
    return "\n".join(lines)
