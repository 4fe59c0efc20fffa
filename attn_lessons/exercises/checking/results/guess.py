"""Explain a wrong result by one small change of an argument, or of the right result.

A guess is told only when it holds for two inputs: of a few numbers, much is true by chance.
"""

import itertools
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attn_lessons.exercises.checking import words
from attn_lessons.exercises.checking.reply import Reply
from attn_lessons.exercises.checking.results.case import Case, Parts, results
from attn_lessons.exercises.checking.results.changes import other_arguments, other_results, with_arguments
from attn_lessons.exercises.checking.results.close import close, same
from attn_lessons.exercises.checking.results.weights import scaled

Call = tuple[tuple[Any, ...], Parts, Parts]  # arguments, what a function gives for them, what is right


class Guess(NamedTuple):
    """What a wrong result may come from, where to look, and what must be guessed of another input too."""

    what: str
    nudge: str
    kind: str


class Labels(NamedTuple):
    """The names of the results, and of the axes of each."""

    names: list[str]
    axes: list[str]


def explain(case: Case, gots: Parts, wants: Parts, labels: Labels) -> Guess | None:
    """Give the first guess that holds for another input too; None if there is none."""
    guesses = list(_guesses(case, case.args, gots, wants, labels))
    if not guesses or case.right_elsewhere:
        return next((one for one in guesses if not one.kind), None)
    wrong = [other for other in case.others if not same(other[1], other[2])]
    return next((one for one in guesses if not one.kind or _holds(case, one.kind, wrong, labels)), None)


def _holds(case: Case, kind: str, wrong: list[Call], labels: Labels) -> bool:
    """Tell whether a guess holds for half of the other wrong results; one will do where it names a size.

    Of whole numbers and of True and False it must hold for all: few of them say little.
    """
    again = [bool(next(_guesses(case, *other, labels, only=kind), None)) for other in wrong]
    if wrong and not any(part.is_floating_point() for part in wrong[0][1]):
        return all(again)
    return not wrong or (any(again) if re.search(r"\d", kind) else 2 * sum(again) >= len(wrong))


def _guesses(
    case: Case, args: tuple[Any, ...], gots: Parts, wants: Parts, labels: Labels, only: str | None = None
) -> Iterator[Guess]:
    """Give what a wrong result may come from, the likeliest first; `only` of one kind."""
    if len(gots) != len(wants):
        return
    found = itertools.chain(
        _sizes(gots, wants, labels),
        _orders(gots, wants, labels),
        _multiples(gots, wants, labels),
        _other_argument(case, args, gots, wants, only),
        _other_result(case, args, gots, wants, labels),
    )
    yield from (guess for guess in found if only is None or guess.kind == only)


def _sizes(gots: Parts, wants: Parts, labels: Labels) -> Iterator[Guess]:
    for got, want, label in zip(gots, wants, labels.names, strict=True):
        if "weights" in label and got.shape == want.shape and (size := scaled(got.double(), want.double())):
            yield Guess(size.what, f"{size.seen} {size.nudge}", size.what)


def _multiples(gots: Parts, wants: Parts, labels: Labels) -> Iterator[Guess]:
    """Say so before an argument is blamed: half of the output is half of one of them too."""
    parts = [part for part in zip(gots, wants, labels.names, strict=True) if not close(part[0], part[1])]
    for got, want, label in sorted(parts, key=lambda part: "weights" not in part[2]):
        if share := proportional(got, want):
            nudge = "Which factor or term is missing, or one too many?"
            yield Guess(f"the numbers of the {label} are {share}", nudge, share)


def _orders(gots: Parts, wants: Parts, labels: Labels) -> Iterator[Guess]:
    for order in itertools.permutations(wants) if len(wants) > 1 else ():
        moved = any(a is not b for a, b in zip(order, wants, strict=True))
        if moved and all(map(close, gots, order)):
            nudge = f"Return {', '.join(labels.names)}, in this order."
            yield Guess("the results are right, but in another order", nudge, "")


def _other_argument(
    case: Case, args: tuple[Any, ...], gots: Parts, wants: Parts, only: str | None
) -> Iterator[Guess]:
    if _unknown(gots):
        return
    for change, nudge, other in other_arguments(case.names, args):
        what = f"this is the result for {change}"
        if only is not None and only != what:
            continue
        parts = results(case.solved, other)
        if parts and same(gots, parts) and not all(map(close, parts, wants)):
            yield Guess(what, nudge, what)


def _other_result(
    case: Case, args: tuple[Any, ...], gots: Parts, wants: Parts, labels: Labels
) -> Iterator[Guess]:
    parts = [part for part in zip(gots, wants, *labels, strict=True) if not close(part[0], part[1])]
    if _unknown(gots):
        return
    for got, want, label, axes in sorted(parts, key=lambda part: "weights" not in part[2]):
        others = (*other_results(want, axes.split()), *with_arguments(want, case.names, args))
        for what, other in others:
            if other.shape != got.shape or (other.numel() > 1 and len(other.unique()) == 1):
                continue  # of nothing but 0 or 1, too much would be true
            if close(got, other) and not close(want, other):
                yield Guess(f"the {label}: {words.they(label, what)}", "Which line does that?", what)
        if name := _same_numbers(got, want):
            moves = "Which line moves numbers: a sort, a gather, a scatter, a transpose, a reshape?"
            shapes = "Which axis goes where? Write the shape behind each line."
            yield Guess(f"the {label}: {name}", moves if got.shape == want.shape else shapes, name)


def _unknown(gots: Parts) -> bool:
    """Tell whether nothing can be guessed: NaN has a reply of its own, one 0 or 1 comes from too much."""
    one = all(got.numel() == 1 and got.item() in (0, 1) for got in gots)
    return one or any(got.is_floating_point() and bool(got.isnan().any()) for got in gots)


def proportional(got: Tensor, right: Tensor) -> str:
    """Say that a result is the right one times a number, or plus a number, if it is."""
    if got.shape != right.shape or right.dtype == torch.bool or right.numel() < 2:
        return ""
    got, right = got.double(), right.double()
    seen = right.abs() > 1e-6
    if seen.any() and got.isfinite().all() and right.isfinite().all():
        ratio = (got[seen] / right[seen]).median().item()
        if abs(ratio) > 1e-6 and torch.allclose(got, ratio * right, rtol=1e-3, atol=1e-5):
            return f"{ratio:.4g} times what they should be"
        step = (got - right).median().item()
        if abs(step) > 1e-6 and torch.allclose(got, right + step, rtol=1e-3, atol=1e-5):
            return f"{abs(step):.4g} too {'large' if step > 0 else 'small'}, all of them"
    return ""


def _same_numbers(got: Tensor, want: Tensor) -> str:
    if got.dtype != want.dtype or got.numel() != want.numel() or got.numel() < 3:
        return ""
    if not got.is_floating_point() or not close(got.flatten().sort().values, want.flatten().sort().values):
        return ""
    if got.shape != want.shape and close(got.flatten(), want.flatten()):
        return "all numbers are right, only the shape is not"
    return "all numbers are right, but they stand in other places"


def masks(got: Tensor, want: Tensor, label: str) -> Reply | None:
    """Say whether a mask allows too much or too little."""
    if got.dtype != torch.bool or want.dtype != torch.bool or got.shape != want.shape:
        return None
    extra, missing = (got & ~want), (want & ~got)
    first = (extra if extra.any() else missing).nonzero()[0].tolist()
    counts = f"{int(extra.sum())} pairs too many are True, {int(missing.sum())} too few."
    what = "allows what it must not" if not missing.any() else "forbids what it must allow"
    if extra.any() and missing.any():
        what = "allows what it must not and forbids what it must allow"
    seen = f"{counts} {label}{first} is {got[tuple(first)].item()}, expected {want[tuple(first)].item()}."
    return Reply(f"the {label} {what}", seen, "Say in words which pair that is. May it be seen?", vague=True)
