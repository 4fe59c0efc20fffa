"""Write the graded questions as a Moodle question bank: python -m tools.course.moodle > questions.xml

A choice becomes a question with several answers, a number one with its tolerance; cells are typed as 0
and 1. Every reply of the book goes along as feedback. In Moodle: Question bank, Import, Moodle XML format.
"""

import re
import sys
from html import escape
from typing import Any
from xml.etree import ElementTree

from tools.course.lessons import Lesson, chapters


def formatted(text: str) -> str:
    """Give plain text as HTML, with what stands between backquotes as code."""
    code = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return f"<p>{code}</p>"


def add(parent: Any, name: str, text: str, *, html: bool = True, **more: str) -> Any:
    """Add an element that holds a text, as Moodle nests them."""
    made = ElementTree.SubElement(parent, name, {**({"format": "html"} if html else {}), **more})
    ElementTree.SubElement(made, "text").text = formatted(text) if html else text
    return made


def plain(parent: Any, name: str, text: str) -> None:
    """Add an element that holds a word."""
    ElementTree.SubElement(parent, name).text = text


def answer(
    parent: Any, text: str, fraction: int, why: str, *, html: bool = False, tolerance: float | None = None
) -> None:
    """Add an answer, what it is worth in per cent, and the reply to it."""
    kind = {"format": "html" if html else "moodle_auto_format", "fraction": str(fraction)}
    made = ElementTree.SubElement(parent, "answer", kind)
    ElementTree.SubElement(made, "text").text = formatted(text) if html else text
    add(made, "feedback", why)
    if tolerance is not None:
        plain(made, "tolerance", repr(tolerance))


def question(parent: Any, lesson: Lesson, spec: dict[str, Any]) -> None:
    """Add one question."""
    kind = {"choice": "multichoice", "number": "numerical", "cells": "shortanswer"}[spec["kind"]]
    made = ElementTree.SubElement(parent, "question", type=kind)
    add(made, "name", f"{lesson.number} {spec['name']}", html=False)
    text = spec["question"]
    if spec["kind"] == "cells":
        text += f" Rows ({spec['axes'][0]}): {', '.join(spec['rows'])}."
        text += f" Columns ({spec['axes'][1]}): {', '.join(spec['cols'])}."
        text += f" Write {len(spec['cols'])} digits for each row, 1 for a filled cell, and / between rows."
    add(made, "questiontext", text)
    add(made, "generalfeedback", spec.get("explain", ""))
    plain(made, "defaultgrade", "1")
    plain(made, "penalty", "0.3333333")
    plain(made, "hidden", "0")
    if spec["kind"] == "choice":
        plain(made, "single", "true")
        plain(made, "shuffleanswers", "true")
        plain(made, "answernumbering", "abc")
        for i, option in enumerate(spec["options"]):
            answer(made, option["text"], 100 * (i == spec["answer"]), option["why"], html=True)
    elif spec["kind"] == "number":
        answer(made, repr(spec["answer"]), 100, spec["explain"], tolerance=spec["tolerance"])
        for each in spec["mistakes"]:
            answer(made, repr(each["value"]), 0, each["why"], tolerance=spec["tolerance"])
    else:
        plain(made, "usecase", "0")
        answer(made, "/".join(spec["answer"]), 100, spec["explain"])
        for each in spec["mistakes"]:
            answer(made, "/".join(each["cells"]), 0, each["why"])


def bank() -> bytes:
    """Write all questions, a category for each chapter."""
    quiz = ElementTree.Element("quiz")
    for chapter, found in chapters().items():
        made = ElementTree.SubElement(quiz, "question", type="category")
        add(made, "category", f"$course$/top/Attention, Live/Chapter {int(chapter)}", html=False)
        for lesson in found:
            for spec in lesson.questions:
                question(quiz, lesson, spec)
    ElementTree.indent(quiz)
    return ElementTree.tostring(quiz, xml_declaration=True, encoding="UTF-8")


if __name__ == "__main__":
    sys.stdout.buffer.write(bank())
