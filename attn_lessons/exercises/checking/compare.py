"""Compare a reader's result with the right one, and with what the known mistakes would have given."""

import itertools
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attn_lessons.exercises.checking import guess, words
from attn_lessons.exercises.checking.mistake import Found, Mistake
from attn_lessons.exercises.checking.properties import broken
from attn_lessons.exercises.checking.region import row_factors, where_wrong
from attn_lessons.exercises.checking.weights import diagnose

Value = Tensor | tuple[Tensor, ...]
_TOLERANCE = {torch.float16: 4e-3, torch.bfloat16: 3e-2}


class Suspect(NamedTuple):
    """A known mistake: its name, a nudge, and the result that it would give (None: any) for these inputs."""

    what: str
    nudge: str
    value: Tensor | tuple[Tensor | None, ...]


def close(one: Tensor, other: Tensor) -> bool:
    """Tell whether two results are the same up to rounding (NaN equals NaN)."""
    if one.shape != other.shape:
        return False
    allowed = max(_TOLERANCE.get(one.dtype, 1e-4), _TOLERANCE.get(other.dtype, 1e-4))
    return torch.allclose(one.double(), other.double(), rtol=allowed, atol=allowed / 4, equal_nan=True)


def compare(
    got: Value,
    wanted: Value,
    axes: str,
    *,
    suspects: Sequence[Suspect] = (),
    named: str = "result",
    explain: Callable[..., Any] | None = None,
) -> None:
    """Raise `Found` if a result is wrong; return if it is right.

    `axes` names the axes, as in "batch queries keys"; for a function that returns several tensors, the names
    of axes and of results are separated by a semicolon, as in "queries dim; queries keys". `explain` looks
    for a mistake that no suspect names.
    """
    wants = wanted if isinstance(wanted, tuple) else (wanted,)
    gots = _parts(got, wanted, named)
    labels = [part.strip() for part in named.split(";")]
    axis_names = [part.strip() for part in axes.split(";")]
    _suspects_differ(suspects, wants)
    for suspect in suspects:  # first: a mistake may also change the shape or the dtype
        if _fits(gots, suspect):
            seen = _difference(*_first_difference(gots, wants, labels, axis_names))
            raise Found(Mistake(suspect.what, seen, suspect.nudge))
    for part in zip(gots, wants, labels, axis_names, strict=True):
        _same_order(*part)
    if explain and not all(map(close, gots, wants)):
        known = explain(gots, wants, labels, axis_names)
        if known:
            seen = _difference(*_first_difference(gots, wants, labels, axis_names))
            raise Found(Mistake(known[0], seen, known[1]))
    right = all(map(close, gots, wants))
    for suspect in () if right else suspects:  # the same numbers in another dtype tell the mistake too
        if _fits(gots, suspect, any_dtype=True):
            like = tuple(got.to(want.dtype) for got, want in zip(gots, wants, strict=True))
            seen = _difference(*_first_difference(like, wants, labels, axis_names))
            raise Found(Mistake(suspect.what, seen, suspect.nudge))
    for part in zip(gots, wants, labels, axis_names, strict=True):
        _same_kind(*part)
    parts = zip(gots, wants, labels, axis_names, strict=True)
    for part in sorted(parts, key=lambda part: "weights" not in part[2]):  # weights first: the output follows
        if not close(part[0], part[1]):
            raise Found(_unexplained(*part))


def _unexplained(got: Tensor, wanted: Tensor, label: str, axes: str) -> Mistake:
    """Say what can be said of a wrong result that no suspect explains."""
    known = diagnose(got, wanted, axes) if "weights" in label else guess.masks(got, wanted, label)
    if known:
        return known
    seen = _difference(got, wanted, label, axes)
    if got.is_floating_point() and got.isnan().any() and not wanted.isnan().any():
        return Mistake(
            f"NaN in the {label}", seen, "Which line divides 0 by 0 or takes inf - inf?", vague=True
        )
    nudge = "Call it on the inputs of this reply, f(*_.inputs.values()), and print each step."
    rows = row_factors(got, wanted, axes)
    if rows:
        return Mistake(f"the {words.are(label)} {rows}", seen, "What is done along that axis?", vague=True)
    if trait := broken(got, wanted, axes):
        return Mistake(f"the {words.are(label)} {trait}", seen, nudge, vague=True)
    if there := where_wrong(got, wanted, axes):
        return Mistake(f"the {words.are(label)} wrong {there}", seen, nudge, vague=True)
    return Mistake(f"the {words.are(label)} not right yet", seen, nudge, vague=True)


def _parts(got: Value, wanted: Value, named: str) -> tuple[Tensor, ...]:
    if not isinstance(wanted, tuple):
        if isinstance(got, Tensor):
            return (got,)
        if wanted.dim() == 0 and isinstance(got, Real) and not isinstance(got, bool):
            return (torch.as_tensor(float(got)).to(wanted.dtype),)  # of one number, the number itself will do
        seen = f"It is {_kind(got)}."
        raise Found(Mistake(f"the {words.are(named)} not a tensor", seen, "Return one torch.Tensor."))
    wish = " and ".join(part.strip() for part in named.split(";"))
    several = isinstance(got, tuple | list) and len(got) == len(wanted)
    for part, name in zip(got, named.split(";"), strict=True) if several else ():
        if not isinstance(part, Tensor):
            what = f"the {words.are(name.strip())} not a tensor"
            raise Found(
                Mistake(what, f"It is {_kind(part)}.", "Return torch.Tensors: torch.as_tensor makes one.")
            )
    if several:
        return tuple(got)
    seen = f"It returned {_kind(got)}."
    raise Found(Mistake(f"the function must return {wish}", seen, "Return them in this order."))


def _kind(got: object) -> str:
    if isinstance(got, Tensor):
        return f"one tensor of shape {words.shape(got)}"
    name = "nothing (None)" if got is None else words.a(type(got).__name__)
    return name + (f" of {len(got)}" if isinstance(got, tuple | list) else "")


def _fits(gots: tuple[Tensor, ...], suspect: Suspect, *, any_dtype: bool = False) -> bool:
    values = suspect.value if isinstance(suspect.value, tuple) else (suspect.value,)
    pairs = zip(gots, values, strict=True)
    return all(
        value is None or (close(got, value) and (any_dtype or got.dtype == value.dtype))
        for got, value in pairs
    )


def _suspects_differ(suspects: Sequence[Suspect], wants: tuple[Tensor, ...]) -> None:
    """Refuse a check that could not tell a mistake from the right answer (our error, not the reader's)."""
    for suspect in suspects:
        if _fits(wants, suspect):
            raise AssertionError(f"These inputs do not show the mistake: {suspect.what}")
    for one, other in itertools.combinations(suspects, 2):
        values = one.value if isinstance(one.value, tuple) else (one.value,)
        whole = tuple(value for value in values if value is not None)
        if len(whole) == len(values) and _fits(whole, other):
            raise AssertionError(f"These inputs do not tell apart: {one.what}; {other.what}")


def _first_difference(
    gots: tuple[Tensor, ...], wants: tuple[Tensor, ...], labels: list[str], axes: list[str]
) -> tuple[Tensor, Tensor, str, str]:
    for got, want, label, names in zip(gots, wants, labels, axes, strict=True):
        if got.dtype != want.dtype or not close(got, want):
            return got, want, label, names
    raise AssertionError("no difference")


def _same_order(got: Tensor, wanted: Tensor, label: str, axes: str) -> None:
    permuted = got.shape != wanted.shape and sorted(got.shape) == sorted(wanted.shape)
    if permuted and len(set(got.shape)) == got.dim():
        order = [axes.split()[list(wanted.shape).index(size)] for size in got.shape]
        what = f"the axes of the {label} are in the wrong order: ({', '.join(order)})"
        nudge = "Write the shape behind each line as a comment: where does it first differ?"
        raise Found(Mistake(what, _difference(got, wanted, label, axes), nudge))


def _same_kind(got: Tensor, wanted: Tensor, label: str, axes: str) -> None:
    if got.shape != wanted.shape:
        seen = f"It has shape {words.shape(got)}, expected {words.shape(wanted, axes)}."
        nudge = "Write the shape behind each line as a comment: where does it first differ?"
        raise Found(Mistake(f"the shape of the {label} is wrong", seen, nudge))
    if got.dtype != wanted.dtype:
        seen = f"It is {got.dtype}, expected {wanted.dtype}."
        nudge = "Which tensor that you made has a dtype of its own?"
        raise Found(Mistake(f"the dtype of the {label} is wrong", seen, nudge))


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
    *index, worst = (int(i) for i in torch.unravel_index(gap.argmax(), gap.shape))
    start = max(0, min(worst - 4, gap.shape[-1] - 8))  # of a long row, what lies around the worst number
    row = f"{label}[{words.place(index, axes)}] is" if index else f"The {words.are(label)}"
    return f"{row} {words.row(got[tuple(index)], start)}, expected {words.row(wanted[tuple(index)], start)}."
