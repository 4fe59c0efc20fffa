"""Questions that are answered in the page: one of several answers, a number, the cells of a heatmap."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lessons.exercises.questions.pieces import (
    as_number,
    bits,
    checked_name,
    checked_text,
    labels,
    rounded,
    shown,
    usual_tolerance,
)
from attn_lessons.exercises.questions.widget import Question


def ask_choice(question: str, options: Mapping[str, str], *, answer: str, name: str) -> Question:
    """Ask a question with a few possible answers, of which one is right.

    Args:
        question: plain text; a part between backquotes is shown as code.
        options: answer to the reply it gets: why it is right, or what the mistake is. At least two.
        answer: the right one, a key of `options`.
        name: small letters, digits and hyphens; unique on its page.

    >>> ask_choice(
    ...     "Which axis does the softmax of attention run over?",
    ...     {"queries": "Then each column adds up to 1.", "keys": "Each query shares out 1."},
    ...     answer="keys",
    ...     name="softmax-axis",
    ... )
    Which axis does the softmax of attention run over?
      a) queries
      b) keys
    Answer: b) keys. Each query shares out 1.
    """
    if len(options) < 2:
        raise ValueError(f"options must hold at least two answers, got {len(options)}.")
    if answer not in options:
        raise ValueError(f"answer must be one of the options, got answer={answer!r}, options={[*options]}.")
    choices = [
        {"text": checked_text("options", text), "why": checked_text(f"the reply to {text!r}", why)}
        for text, why in options.items()
    ]
    return Question(
        _head("choice", question, name) | {"options": choices, "answer": [*options].index(answer)}
    )


def ask_number(
    question: str,
    answer: float | Tensor,
    *,
    explain: str,
    name: str,
    tolerance: float | None = None,
    mistakes: Mapping[str, float | Tensor] | None = None,
) -> Question:
    """Ask for a number.

    The reader may write 0.25, 0,25, 1/4 or 25%.

    Args:
        question: plain text; a part between backquotes is shown as code.
        answer: the right number, computed; a tensor of one number will do.
        name: small letters, digits and hyphens; unique on its page.
        tolerance: how far off still counts as right. By default nothing for a whole number, else what
            rounding to two decimals needs.
        mistakes: the reply to a typical wrong number, to that number.

    >>> ask_number(
    ...     "Two keys have scores 0 and 0. What is the weight of the first?",
    ...     torch.softmax(torch.zeros(2), dim=-1)[0],
    ...     explain="Equal scores share 1 equally.",
    ...     mistakes={"The exponential of 0 is 1, but the weights must add up to 1.": 1.0},
    ...     name="equal-scores",
    ... )
    Two keys have scores 0 and 0. What is the weight of the first?
    Answer: 0.5. Equal scores share 1 equally.
    If you got 1: The exponential of 0 is 1, but the weights must add up to 1.
    """
    right = rounded(as_number("answer", answer))
    allowed = usual_tolerance(right) if tolerance is None else as_number("tolerance", tolerance)
    if allowed < 0:
        raise ValueError(f"tolerance must be at least 0, got {allowed}.")
    wrong = {
        checked_text("mistakes", why): rounded(as_number("mistakes", value))
        for why, value in (mistakes or {}).items()
    }
    _check_apart(right, [*wrong.values()], allowed)
    return Question(
        _head("number", question, name)
        | {"answer": right, "tolerance": rounded(allowed), "shown": shown(right, allowed)}
        | {"explain": checked_text("explain", explain)}
        | {"mistakes": [{"value": value, "why": why} for why, value in wrong.items()]}
    )


def ask_cells(
    question: str,
    answer: Tensor,
    *,
    explain: str,
    name: str,
    rows: Sequence[str] | None = None,
    cols: Sequence[str] | None = None,
    axes: tuple[str, str] = ("query", "key"),
    mistakes: Mapping[str, Tensor] | None = None,
) -> Question:
    """Ask the reader to draw a heatmap of yes and no: click the cells.

    Args:
        question: plain text; a part between backquotes is shown as code.
        answer: bool (rows, cols), True where a cell must be filled; at most 12 rows and 12 columns.
        name: small letters, digits and hyphens; unique on its page.
        rows: a label for each row; by default 1, 2, 3, ...
        cols: a label for each column.
        axes: what a row and a column stand for.
        mistakes: the reply to a typical wrong pattern, to that pattern, bool (rows, cols).

    >>> from attn_helpers import causal_mask
    >>> ask_cells(
    ...     "Which keys may each query see under the causal mask?",
    ...     causal_mask(3),
    ...     explain="Itself and what came before.",
    ...     mistakes={"That is the future.": ~causal_mask(3)},
    ...     name="causal",
    ... )
    Which keys may each query see under the causal mask?
    Answer (rows: query, columns: key):
         1 2 3
      1  x . .
      2  x x .
      3  x x x
    Itself and what came before.
    """
    pattern = bits("answer", answer)
    wrong = {
        checked_text("mistakes", why): bits("mistakes", tensor) for why, tensor in (mistakes or {}).items()
    }
    for why, tensor in wrong.items():
        if tensor == pattern:
            raise ValueError(f"a mistake must differ from the answer, got the answer for {why!r}.")
        if list(map(len, tensor)) != list(map(len, pattern)):
            raise ValueError(f"mistakes must have the shape of answer, got another one for {why!r}.")
    spec: dict[str, Any] = _head("cells", question, name)
    spec |= {"rows": labels("rows", rows, answer.shape[0]), "cols": labels("cols", cols, answer.shape[1])}
    spec |= {"axes": list(axes), "answer": pattern, "explain": checked_text("explain", explain)}
    return Question(spec | {"mistakes": [{"cells": cells, "why": why} for why, cells in wrong.items()]})


def _head(kind: str, question: str, name: str) -> dict[str, Any]:
    return {
        "format": "attn-lessons/question",
        "version": 1,
        "kind": kind,
        "name": checked_name(name),
        "question": checked_text("question", question),
    }


def _check_apart(right: float, wrong: Sequence[float], tolerance: float) -> None:
    """Refuse mistakes that the page could not tell from the answer or from each other."""
    numbers = [right, *wrong]
    for i, one in enumerate(numbers):
        for other in numbers[i + 1 :]:
            if not torch.tensor(abs(one - other), dtype=torch.float64) > tolerance:
                raise ValueError(
                    f"answer and mistakes must be more than the tolerance {tolerance:g} apart, "
                    f"got {one:g} and {other:g}."
                )
