"""A lesson's plan: what plans.yml decides, and what is counted and quoted from the lesson."""

from typing import Any

from tools.course.lessons import Lesson, chapters, data, known_mistakes, lessons, minutes, wrong_answers

Stumble = tuple[str, str, str]  # what is asked, the wrong answer, what to say

HEAD = "lt:"  # of a link to a figure's state


def without_plan() -> list[str]:
    """Name the lessons that plans.yml says nothing of."""
    return [name for name in lessons() if not data("plans")["lessons"].get(name, {}).get("aim")]


def aim(lesson: Lesson) -> str:
    """Give what a student can do afterwards; the lesson's question where no plan is written yet."""
    return data("plans")["lessons"].get(lesson.name, {}).get("aim", lesson.title)


def looked_up(lesson: Lesson, reference: str) -> Stumble | None:
    """Give the wrong answer that a plan refers to, if this lesson has its question or exercise."""
    name, _, which = reference.partition(" ")
    question = next((each for each in lesson.questions if each["name"] == name), None)
    if question and which.isdecimal():
        answers = wrong_answers(question)
        if not 1 <= int(which) <= len(answers):
            raise ValueError(f"{reference!r}: {name} has {len(answers)} wrong answers.")
        return (question["question"], *answers[int(which) - 1])
    if name in lesson.exercises and not which.isdecimal():
        if which not in known_mistakes()[name]:
            raise ValueError(f"{reference!r}: {name} knows {', '.join(known_mistakes()[name])}.")
        what, say = known_mistakes()[name][which]
        return f"Code: {name}", what, say
    return None


def stumbles(lesson: Lesson) -> list[Stumble]:
    """Give three wrong answers to expect: those of the plan, then those that open, hunt, and write."""
    plans = data("plans")["lessons"]
    # a lesson that was split off takes along what belongs to its questions
    own = plans.get(lesson.name, {}).get("stumbles", ())
    near = [
        each
        for other in chapters()[lesson.chapter]
        if other is not lesson
        for each in plans.get(other.name, {}).get("stumbles", ())
        if looked_up(other, each) is None
    ]
    bug = next((each["name"] for each in lesson.questions if "Find the bug" in each["question"]), None)
    usual = [f"{lesson.opening[0]['name']} 1", *([f"{bug} 1"] if bug else ())]
    usual += [f"{name} {next(iter(known_mistakes()[name]))}" for name in lesson.exercises]
    usual += [f"{question['name']} 1" for question in lesson.questions]
    found = (looked_up(lesson, each) for each in dict.fromkeys((*own, *near, *usual)))
    return [each for each in found if each and each[2]][:3]  # some mistakes are known without a word to say


def opening_link(lesson: Lesson) -> str:
    """Give the link to the figure that the class predicts, in the state in which it opens."""
    name = lesson.opening[1]
    return f"notebooks/{lesson.name}.html#{HEAD}{name}={data('plans')['states'].get(name, '')}"


def counted(lesson: Lesson) -> dict[str, int]:
    """Give a lesson's minutes, whole."""
    return {what: round(number) for what, number in minutes(lesson.cells).items()}


def named(places: list[str]) -> list[Lesson]:
    """Give the lessons of chapters ("03") and single lessons ("03a"), whatever they are called."""
    found = [lesson for place in places for lesson in lessons().values() if lesson.name.startswith(place)]
    missing = [place for place in places if not any(name.startswith(place) for name in lessons())]
    if missing:
        raise ValueError(f"plans.yml names lessons that do not exist: {', '.join(missing)}.")
    return found


def syllabi() -> list[dict[str, Any]]:
    """Give the syllabi."""
    return data("plans")["syllabi"]
