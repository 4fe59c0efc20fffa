"""Explain a wrong result by one small change of an argument, or of the right result."""

import functools
import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lessons.exercises.checking.changes import other_arguments, other_results, with_arguments
from attn_lessons.exercises.checking.mistake import Mistake
from attn_lessons.exercises.checking.weights import scaled

Parts = tuple[Tensor, ...]


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


def explain(
    function: Callable[..., Any],
    solved: Callable[..., Any],
    names: tuple[str, ...],
    args: tuple[Any, ...],
    gots: Parts,
    wants: Parts,
    labels: list[str],
    axes: list[str],
    slips: Sequence[Any],
    close: Callable[[Tensor, Tensor], bool],
) -> tuple[str, str] | None:
    """Name the change that gives this result, with a nudge; None if there is none."""
    known = [slip for slip in slips if _gives(slip.function, args, gots, wants, close)]
    exact = not any(want.is_floating_point() for want in wants)  # a few whole numbers may agree by chance
    if exact:
        known = [slip for slip in known if _agree(function, slip.function, args)]
    if known:
        return ", or ".join(slip.what for slip in known[:2]), known[0].nudge
    weights = [pair for *pair, label in zip(gots, wants, labels, strict=True) if "weights" in label]
    for got, want in weights:
        if got.shape == want.shape and (size := scaled(got.double(), want.double())):
            return size.what, f"{size.seen} {size.nudge}"
    if any(got.is_floating_point() and got.isnan().any() for got in gots):
        return None  # NaN has a reply of its own
    if len(wants) > 1:
        order = next(
            (
                o
                for o in itertools.permutations(wants)
                if all(map(close, gots, o)) and any(a is not b for a, b in zip(o, wants, strict=True))
            ),
            None,
        )
        if order:
            return (
                "the results are right, but in another order",
                f"Return {', '.join(labels)}, in this order.",
            )
    found = dict(_other_argument(function if exact else None, solved, names, args, gots, wants, close))
    if found:
        changes = " (or ".join(itertools.islice(found, 2)) + ")" * (len(found) > 1)
        return f"this is the result for {changes}", next(iter(found.values()))
    wrong = [part for part in zip(gots, wants, labels, axes, strict=True) if not close(part[0], part[1])]
    for got, want, label, names_of_axes in sorted(wrong, key=lambda part: "weights" not in part[2]):
        if share := proportional(got, want):
            return (
                f"the numbers of the {label} are {share}",
                "Which factor or term is missing, or one too many?",
            )
        results = (*other_results(want, names_of_axes.split()), *with_arguments(want, names, args))
        for what, other in results:
            if other.shape != got.shape or (other.numel() > 1 and len(other.unique()) == 1):
                continue  # of nothing but 0 or 1, too much would be true
            if close(got, other) and not close(want, other):
                return f"the {label}: {what}", "Which line does that?"
        if name := _same_numbers(got, want, close):
            moves = "Which line moves numbers: a sort, a gather, a scatter, a transpose, a reshape?"
            shapes = "Which axis goes where? Write the shape behind each line."
            return f"the {label}: {name}", moves if got.shape == want.shape else shapes
    return None


def _other_argument(
    function: Callable[..., Any] | None,
    solved: Callable[..., Any],
    names: tuple[str, ...],
    args: tuple[Any, ...],
    gots: Parts,
    wants: Parts,
    close: Callable[[Tensor, Tensor], bool],
) -> Iterator[tuple[str, str]]:
    for i, (change, nudge, other) in enumerate(other_arguments(names, args)):
        if _says_little(gots) or not _gives(solved, other, gots, wants, close):
            continue
        if function is None or _agree(function, functools.partial(_changed_by, i, solved, names), args):
            yield change, nudge


def _says_little(gots: Parts) -> bool:
    """Tell whether a result is a single 0 or 1, which too many changes give."""
    return all(got.numel() == 1 and got.item() in (0, 1) for got in gots)


def _changed_by(i: int, solved: Callable[..., Any], names: tuple[str, ...], *args: Any) -> Any:
    """Give the right result for arguments with one change, the i-th."""
    return solved(*next(itertools.islice(other_arguments(names, args), i, None))[2])


def _gives(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    gots: Parts,
    wants: Parts,
    close: Callable[[Tensor, Tensor], bool],
) -> bool:
    """Tell whether a function gives this wrong result."""
    try:
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = function(*args)
    except Exception:  # it does not take these arguments, and so explains nothing
        return False
    results = results if isinstance(results, tuple) else (results,)
    nan = any(x.is_floating_point() and x.isnan().any() for x in results)
    if nan or len(results) != len(gots) or all(map(close, wants, results)):
        return False
    return all(one.dtype == two.dtype and close(one, two) for one, two in zip(gots, results, strict=True))


def _agree(function: Callable[..., Any], slip: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    """Tell whether a function and a known mistake give the same for other numbers too."""
    changes: list[Callable[[Tensor], Tensor]] = [
        lambda x: x.flip(0),
        lambda x: x.roll(1, -1),
        lambda x: 1 - x,
    ]
    for change in changes:
        other = [change(x) if isinstance(x, Tensor) and x.is_floating_point() else x for x in args]
        try:
            with torch.no_grad():
                one, two = (
                    f(*(x.clone() if isinstance(x, Tensor) else x for x in other)) for f in (function, slip)
                )
        except Exception:
            return False
        if not torch.equal(torch.as_tensor(one), torch.as_tensor(two)):
            return False
    return True


def _same_numbers(got: Tensor, want: Tensor, close: Callable[[Tensor, Tensor], bool]) -> str:
    if got.dtype != want.dtype or got.numel() != want.numel() or got.numel() < 3:
        return ""
    if not got.is_floating_point() or not close(got.flatten().sort().values, want.flatten().sort().values):
        return ""
    if got.shape != want.shape and close(got.flatten(), want.flatten()):
        return "all numbers are right, only the shape is not"
    return "all numbers are right, but they stand in other places"


def masks(got: Tensor, want: Tensor, label: str) -> Mistake | None:
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
    return Mistake(f"the {label} {what}", seen, "Say in words which pair that is. May it be seen?")
