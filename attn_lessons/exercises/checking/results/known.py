"""Find which of the known mistakes gives a wrong result."""

from collections.abc import Callable

from torch import Tensor

from attn_lessons.exercises.checking.results.case import Case, Known, Parts, results
from attn_lessons.exercises.checking.results.close import close, same


def recognised(case: Case, gots: Parts, wants: Parts, labels: list[str]) -> Known | None:
    """Name the mistake that gives these numbers and most of those of other calls; of several, the nearest."""
    given = {i: results(one.function, case.args) for i, one in enumerate(case.mistakes) if one.nudge}
    made = {i: parts for i, parts in given.items() if parts and not same(parts, wants)}
    fitting = [i for i, parts in made.items() if same(gots, parts)]
    if not fitting:  # the output follows from the weights: these alone will do
        fitting = [i for i, parts in made.items() if _same_weights(gots, wants, parts, labels)]
    few = all(map(_says_little, gots)) or any(got.is_floating_point() and got.isnan().any() for got in gots)
    scores = {i: _agreement(case, case.mistakes[i].function, labels) for i in fitting}
    best = max(scores, key=lambda i: scores[i], default=None)
    several = not few and len(fitting) > 1  # each gives all these numbers
    return None if best is None or not (scores[best][0] or several) else case.mistakes[best]


def _says_little(got: Tensor) -> bool:
    """Tell whether this may come out by chance: whole numbers, or one or two numbers."""
    return not got.is_floating_point() or got.numel() < 3


def in_another_dtype(case: Case, gots: Parts, wants: Parts) -> tuple[Known, Parts] | None:
    """Name the mistake that gives these numbers in another dtype, with the numbers in the right one."""
    if all(got.dtype == want.dtype for got, want in zip(gots, wants, strict=True)):
        return None
    like = tuple(got.to(want.dtype) for got, want in zip(gots, wants, strict=True))
    for one in case.mistakes:
        parts = results(one.function, case.args) if one.nudge else None
        if parts and same(like, parts) and not same(parts, wants):
            return one, like
    return None


def _same_weights(gots: Parts, wants: Parts, parts: Parts, labels: list[str]) -> bool:
    if not len(gots) == len(parts) == len(labels) > 1:
        return False
    rows = [i for i, label in enumerate(labels) if "weights" in label]
    return bool(rows) and all(
        close(gots[i], parts[i]) and gots[i].dtype == parts[i].dtype and not close(gots[i], wants[i])
        for i in rows
    )


def _agreement(case: Case, mistake: Callable[..., object], labels: list[str]) -> tuple[bool, int]:
    """Tell whether most of the other calls speak for it, and count those on which both do the same."""
    agreed, shown, told = 0, 0, 0
    for args, got, want in case.others:
        parts = results(mistake, args)
        if parts is None:
            continue
        wrong, alike = not same(parts, want), same(got, parts) or _same_weights(got, want, parts, labels)
        agreed, shown, told = agreed + alike, shown + wrong, told + (wrong and alike)
    return 2 * told >= shown, agreed
