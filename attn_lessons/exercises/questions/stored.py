"""A question as text and as HTML that needs no script."""

import json
import re
from html import escape
from typing import Any

from wcwidth import wcswidth


def question_text(spec: dict[str, Any]) -> str:
    """Return the question, then the answer and the replies, as text."""
    lines = [spec["question"]]
    if spec["kind"] == "choice":
        lines += [f"  {_letter(i)}) {option['text']}" for i, option in enumerate(spec["options"])]
    if "answer" not in spec:  # the students' edition
        return "\n".join(lines)
    if spec["kind"] == "choice":
        right = spec["options"][spec["answer"]]
        lines.append(f"Answer: {_letter(spec['answer'])}) {_stopped(right['text'])} {right['why']}")
    elif spec["kind"] == "number":
        lines.append(f"Answer: {_stopped(spec['shown'])} {spec['explain']}")
        lines += [f"If you got {_short(each['value'])}: {each['why']}" for each in spec["mistakes"]]
    else:
        lines.append(f"Answer (rows: {spec['axes'][0]}, columns: {spec['axes'][1]}):")
        lines += [*_drawn(spec), spec["explain"]]
    return "\n".join(lines)


def question_html(spec: dict[str, Any]) -> str:
    """Return the HTML that a notebook stores: a question with a folded answer, and the JSON beside it."""
    # "<" is escaped everywhere, so that no text in the question can end the script element
    data = json.dumps(spec, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    data = data.replace("<", "\\u003c")
    asked, answer = "", ""
    if spec["kind"] == "choice":
        asked = _letters([f"<li>{_marked(option['text'])}</li>" for option in spec["options"]])
    if "answer" in spec:  # the students' edition has none
        answer = f"<details><summary>Answer</summary>\n{_PARTS[spec['kind']](spec)}</details>\n"
    return (
        f'<div class="livetorch lt-question" data-name="{escape(spec["name"])}">\n'
        f"<p>{_marked(spec['question'])}</p>\n{asked}"
        '<p class="lt-asleep">Run this cell to answer here.</p>\n'
        f"{answer}"
        f'<script type="application/json">{data}</script>\n</div>'
    )


def _choice(spec: dict[str, Any]) -> str:
    replies = [
        f"<li>{'<strong>Right.</strong> ' if i == spec['answer'] else ''}{_marked(option['why'])}</li>"
        for i, option in enumerate(spec["options"])
    ]
    return _letters(replies)


def _number(spec: dict[str, Any]) -> str:
    wrong = [
        f"<p>If you got {_short(each['value'])}: {_marked(each['why'])}</p>\n" for each in spec["mistakes"]
    ]
    return f"<p><strong>{spec['shown']}</strong> {_marked(spec['explain'])}</p>\n" + "".join(wrong)


def _cells(spec: dict[str, Any]) -> str:
    drawing = "\n".join(_drawn(spec))
    axes = escape(f"Rows: {spec['axes'][0]}, columns: {spec['axes'][1]}; x = filled.")
    return f"<p>{axes}</p>\n<pre>{escape(drawing)}</pre>\n<p>{_marked(spec['explain'])}</p>\n"


_PARTS = {"choice": _choice, "number": _number, "cells": _cells}


def _letter(index: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[index]


def _letters(items: list[str]) -> str:
    return '<ol type="a">\n' + "\n".join(items) + "\n</ol>\n"


def _stopped(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."


def _short(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def _marked(text: str) -> str:
    """Return HTML of plain text, with what stands between backquotes as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


def _drawn(spec: dict[str, Any]) -> list[str]:
    """Return the pattern as lines of text: x for a filled cell, a point for an empty one."""
    left = max(map(wcswidth, spec["rows"]))
    widths = [wcswidth(label) for label in spec["cols"]]
    lines = [" " * (left + 4) + " ".join(spec["cols"])]
    for label, row in zip(spec["rows"], spec["answer"], strict=True):
        marks = ("x" if cell == "1" else "." for cell in row)
        cells = " ".join(mark + " " * (width - 1) for mark, width in zip(marks, widths, strict=True))
        lines.append(f"  {label}{' ' * (left - wcswidth(label))}  {cells}".rstrip())
    return lines
