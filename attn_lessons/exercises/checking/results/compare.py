"""Compare a reader's result with the right one, and with what the known mistakes would have given."""

from numbers import Real

import torch
from torch import Tensor

from attn_lessons.exercises.checking import words
from attn_lessons.exercises.checking.reply import Found, Reply
from attn_lessons.exercises.checking.results import guess, known
from attn_lessons.exercises.checking.results.case import Case, Parts, quiet
from attn_lessons.exercises.checking.results.close import close
from attn_lessons.exercises.checking.results.properties import broken
from attn_lessons.exercises.checking.results.region import row_factors, where_wrong
from attn_lessons.exercises.checking.results.weights import diagnose

Value = Tensor | tuple[Tensor, ...]


def compare(
    got: Value,
    wanted: Value,
    axes: str,
    *,
    named: str = "result",
    case: Case | None = None,
    notes: dict[str, None] | None = None,
    atol: float = 0.0,
) -> None:
    """Raise `Found` if a result is wrong; return if it is right.

    `axes` names the axes, as in "batch queries keys"; for a function that returns several tensors, the names
    of axes and of results are separated by a semicolon, as in "queries dim; queries keys". `case` knows what
    else may be tried to name the mistake; `notes` takes a word on a dtype that does not matter.
    """
    wants = wanted if isinstance(wanted, tuple) else (wanted,)
    gots = _parts(got, wanted, named)
    labels = guess.Labels(*([part.strip() for part in text.split(";")] for text in (named, axes)))
    parts = list(zip(gots, wants, *labels, strict=True))
    if all(close(one, want, atol) for one, want in zip(gots, wants, strict=True)):
        parts = [part for part in parts if not _noted(*part[:3], notes)]
        if all(one.dtype == want.dtype for one, want, *_ in parts):
            return
    _explained(case, gots, wants, labels)
    for part in parts:
        _same_kind(*part)
    for part in sorted(parts, key=lambda part: "weights" not in part[2]):  # weights first: the output follows
        if not close(part[0], part[1], atol):
            raise Found(_unexplained(*part))


def _explained(case: Case | None, gots: Parts, wants: Parts, labels: guess.Labels) -> None:
    """Raise `Found` with the mistake that gives these numbers, if one is known or can be guessed."""
    if case:
        with quiet():
            mistake = known.recognised(case, gots, wants, labels.names)
        if mistake:
            raise Found(Reply(mistake.what, _first_difference(gots, wants, labels), mistake.nudge))
    for part in zip(gots, wants, *labels, strict=True):
        _same_order(*part)
    if not case or all(map(close, gots, wants)):
        return
    with quiet():
        guessed = guess.explain(case, gots, wants, labels)
        found = None if guessed else known.in_another_dtype(case, gots, wants)
    if guessed:
        raise Found(Reply(guessed.what, _first_difference(gots, wants, labels), guessed.nudge))
    if found:
        mistake, like = found
        raise Found(Reply(mistake.what, _first_difference(like, wants, labels), mistake.nudge))


def _noted(got: Tensor, wanted: Tensor, label: str, notes: dict[str, None] | None) -> bool:
    """Tell whether a result of one float dtype stands for one of another, and note it."""
    floats = got.is_floating_point() and wanted.is_floating_point()
    if notes is None or got.dtype == wanted.dtype or not floats:
        return False
    text = f"for {wanted.dtype} inputs the {words.are(label)} {got.dtype}; that is fine here."
    notes[text.replace("torch.", "")] = None
    return True


def _unexplained(got: Tensor, wanted: Tensor, label: str, axes: str) -> Reply:
    """Say what can be said of a wrong result that no suspect explains."""
    known = diagnose(got, wanted, axes) if "weights" in label else guess.masks(got, wanted, label)
    if known:
        return known
    seen = _difference(got, wanted, label, axes)
    if got.is_floating_point() and got.isnan().any() and not wanted.isnan().any():
        return Reply(f"NaN in the {label}", seen, "Which line divides 0 by 0 or takes inf - inf?", vague=True)
    nudge = "Call it on the inputs of this reply, f(*_.inputs.values()), and print each step."
    rows = row_factors(got, wanted, axes)
    if rows:
        return Reply(f"the {words.are(label)} {rows}", seen, "What is done along that axis?", vague=True)
    if trait := broken(got, wanted, axes):
        return Reply(f"the {words.are(label)} {trait}", seen, nudge, vague=True)
    if there := where_wrong(got, wanted, axes):
        return Reply(f"the {words.are(label)} wrong {there}", seen, nudge, vague=True)
    return Reply(f"the {words.are(label)} not right yet", seen, nudge, vague=True)


def _parts(got: Value, wanted: Value, named: str) -> tuple[Tensor, ...]:
    if not isinstance(wanted, tuple):
        if isinstance(got, Tensor):
            return (got,)
        if wanted.dim() == 0 and isinstance(got, Real) and not isinstance(got, bool):
            return (torch.as_tensor(float(got)).to(wanted.dtype),)  # of one number, the number itself will do
        seen = f"It is {_kind(got)}."
        raise Found(Reply(f"the {words.are(named)} not a tensor", seen, "Return one torch.Tensor."))
    wish = " and ".join(part.strip() for part in named.split(";"))
    several = isinstance(got, tuple | list) and len(got) == len(wanted)
    for part, name in zip(got, named.split(";"), strict=True) if several else ():
        if not isinstance(part, Tensor):
            what = f"the {words.are(name.strip())} not a tensor"
            raise Found(
                Reply(what, f"It is {_kind(part)}.", "Return torch.Tensors: torch.as_tensor makes one.")
            )
    if several:
        return tuple(got)
    seen = f"It returned {_kind(got)}."
    raise Found(Reply(f"the function must return {wish}", seen, "Return them in this order."))


def _kind(got: object) -> str:
    if isinstance(got, Tensor):
        return f"one tensor of shape {words.shape(got)}"
    name = "nothing (None)" if got is None else words.a(type(got).__name__)
    return name + (f" of {len(got)}" if isinstance(got, tuple | list) else "")


def _first_difference(gots: Parts, wants: Parts, labels: guess.Labels) -> str:
    for got, want, label, names in zip(gots, wants, *labels, strict=True):
        if got.dtype != want.dtype or not close(got, want):
            return _difference(got, want, label, names)
    raise AssertionError("no difference")


def _same_order(got: Tensor, wanted: Tensor, label: str, axes: str) -> None:
    permuted = got.shape != wanted.shape and sorted(got.shape) == sorted(wanted.shape)
    if permuted and len(set(got.shape)) == got.dim():
        order = [axes.split()[list(wanted.shape).index(size)] for size in got.shape]
        what = f"the axes of the {label} are in the wrong order: ({', '.join(order)})"
        nudge = "Write the shape behind each line as a comment: where does it first differ?"
        raise Found(Reply(what, _difference(got, wanted, label, axes), nudge))


def _same_kind(got: Tensor, wanted: Tensor, label: str, axes: str) -> None:
    if got.shape != wanted.shape:
        seen = f"It has shape {words.shape(got)}, expected {words.shape(wanted, axes)}."
        nudge = "Write the shape behind each line as a comment: where does it first differ?"
        raise Found(Reply(f"the shape of the {label} is wrong", seen, nudge))
    if got.dtype != wanted.dtype:
        seen = f"It is {got.dtype}, expected {wanted.dtype}."
        nudge = "Which tensor that you made has a dtype of its own?"
        raise Found(Reply(f"the dtype of the {label} is wrong", seen, nudge))


def _difference(got: Tensor, wanted: Tensor, label: str, axes: str) -> str:
    """Show the row that is most wrong."""
    if got.shape != wanted.shape:
        return f"The shape of the {label} is {words.shape(got)}, expected {words.shape(wanted, axes)}."
    if got.dtype != wanted.dtype:
        return f"The {words.are(label)} {got.dtype}, expected {wanted.dtype}."
    if got.dim() == 0:
        return f"The {words.are(label)} {words.number(got)}, expected {words.number(wanted)}."
    gap = (got.double() - wanted.double()).abs().nan_to_num(float("inf"))
    gap[(got == wanted)] = 0  # inf - inf where both are infinite
    *index, worst = (gap >= gap.max() * (1 - 1e-4)).nonzero()[0].tolist()  # of several, the first everywhere
    start = max(0, min(worst - 4, gap.shape[-1] - 8))  # of a long row, what lies around the worst number
    row = f"{label}[{words.place(index, axes)}] is" if index else f"The {words.are(label)}"
    return f"{row} {words.row(got[tuple(index)], start)}, expected {words.row(wanted[tuple(index)], start)}."
