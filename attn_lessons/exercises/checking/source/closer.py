"""Look closer at a wrong answer that no check could name: what is ignored, what one change would mend."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lessons.exercises.checking.answer import Answer
from attn_lessons.exercises.checking.exercise import Exercise
from attn_lessons.exercises.checking.limit import TooLong, time_limit
from attn_lessons.exercises.checking.reply import Reply
from attn_lessons.exercises.checking.results.case import small
from attn_lessons.exercises.checking.results.changes import other_arguments
from attn_lessons.exercises.checking.results.close import close
from attn_lessons.exercises.checking.source import repair
from attn_lessons.exercises.checking.source.steps import last_right_step

_LONGEST = 1  # second for one call of a changed function: it may have become endless


def look_closer(exercise: Exercise, answer: Answer, found: Reply) -> Reply:
    """Put a name to a mistake that has none yet, if one can be shown to be true; else give it back."""
    function, args = answer.function, tuple(answer.inputs.values())
    with torch.random.fork_rng(devices=[]):
        calls = [args, *(one for one in exercise.examples if small(one))]
        unused = ignored(function, exercise.solved, answer.names, calls)
        if unused:
            what = f"`{unused}` has no effect"
            nudge = f"With another `{unused}` your function gives the very same. Where should it come in?"
            return Reply(what, found.seen, nudge)
        wrong = [one for one in calls if not _fits(exercise, function, one)][:2]
        change = repair.one_change(
            function,
            lambda one: _fits(exercise, one, args),
            lambda one: all(_fits(exercise, one, other) for other in wrong),
            lambda one: _passes(exercise, one),
        )
    if change:
        edit, source, whole = change
        about, line = repair.words_of(edit, source.lines)
        what = f"all is right but {about}" if whole else f"{about} is wrong, and not the only thing"
        return Reply(what, found.seen, f"{line} What should stand there, and why?")
    step = last_right_step(function, exercise.solved, args, close)
    if step and "but for" not in found.what:  # that says more already
        text = repair.line_text(function, step.line)
        goes = "what goes" if step.whole else "part of what goes"
        right = f"{goes} into `{step.name}` in line {step.line} is right"
        what = found.what.replace("not right yet", f"wrong, though {right}")
        rest = "Up to there the numbers are right." if step.whole else "What else goes into it?"
        nudge = f"Line {step.line} of your function: `{text}`. {rest}"
        return found._replace(what=what, nudge=nudge)
    return found


def ignored(
    function: Callable[..., Any],
    solved: Callable[..., Any],
    names: tuple[str, ...],
    calls: Sequence[tuple[Any, ...]],
) -> str:
    """Name an argument whose every change leaves all results as they are, though the right ones change."""
    before, seen = _result(function, calls[0]), _moves(function, solved, names, calls[0])
    if before is None or not all(x.double().isfinite().any() for x in before):
        return ""
    deaf = [name for name, same in seen.items() if len(same) > 1 and all(same)]
    if len(deaf) != 1:
        return ""
    again = (_moves(function, solved, names, args).get(deaf[0], []) for args in calls[1:])
    return deaf[0] if all(map(all, again)) else ""


def _moves(
    function: Callable[..., Any], solved: Callable[..., Any], names: tuple[str, ...], args: tuple[Any, ...]
) -> dict[str, list[bool]]:
    """Tell by argument, for each change that matters, whether the function gives the very same as before."""
    before, right = _result(function, args), _result(solved, args)
    seen: dict[str, list[bool]] = {}
    if before is None or right is None:
        return seen
    for _, _, other in other_arguments(names, args):
        moved = [name for name, one, two in zip(names, args, other, strict=True) if one is not two]
        if len(moved) != 1:
            continue
        wanted = _result(solved, other)
        if wanted is None or _alike(wanted, right):
            continue
        after = _result(function, other)
        seen.setdefault(moved[0], []).append(after is not None and _alike(after, before))
    return seen


def _result(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Tensor, ...] | None:
    given = [value.clone() if isinstance(value, Tensor) else value for value in args]
    torch.manual_seed(0)
    results: list[Any] = []

    def call(called: Callable[..., Any]) -> bool:
        results.append(called(*given))
        return True

    try:
        with time_limit(_LONGEST):
            repair.quietly(call, function)
    except TooLong:
        return None
    if not results:
        return None
    parts = tuple(results[0]) if isinstance(results[0], tuple | list) else (results[0],)
    return parts if all(isinstance(part, Tensor) for part in parts) else None


def _alike(one: tuple[Tensor, ...], other: tuple[Tensor, ...]) -> bool:
    return len(one) == len(other) and all(map(close, one, other))


def _fits(exercise: Exercise, changed: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    wanted, got = _result(exercise.solved, args), _result(changed, args)
    return wanted is not None and got is not None and _alike(got, wanted)


def _passes(exercise: Exercise, changed: Callable[..., Any]) -> bool:
    """Tell whether a changed function is right by every check."""
    with torch.enable_grad():
        answer = exercise.answer(changed, plain=True)
        return not any(test(answer) for test in exercise.checks)
