"""Say what holds of the right result and not of a wrong one: zeros, sums, means, spreads, signs, order."""

from collections.abc import Callable, Iterator

from torch import Tensor

from attn_lessons.exercises.checking import words


def broken(got: Tensor, want: Tensor, axes: str) -> str:
    """Name a property of the right result that a wrong one does not have; "" if none is known.

    >>> import torch
    >>> broken(torch.tensor([[1.0, 3, 5]] * 2), torch.tensor([[-1.0, 0, 1]] * 2), "tokens dim")
    'wrong: the mean along the dim is 3, expected 0'
    """
    names = axes.split()
    fits = got.shape == want.shape and want.is_floating_point() and len(names) == want.dim() > 0
    if not fits or want.numel() < 3 or not (got.isfinite().all() and want.isfinite().all()):
        return ""
    return next(_all(got.double(), want.double(), names), "")


def _all(got: Tensor, want: Tensor, names: list[str]) -> Iterator[str]:
    for axis in reversed(range(want.dim())):
        if want.shape[axis] > 2:
            yield from _along(got, want, axis, names[axis])
    yield from _zeros(got, want, names)
    if (want >= 0).all() and (got < -1e-4).any():
        yield f"wrong: {words.number(got.min())} is among them, and of the right ones none is below 0"
    if want.abs().max() <= 1 + 1e-4 < 1.01 < got.abs().max() and want.abs().max() > 0.9:
        largest = words.number(got.abs().max())
        yield f"wrong: {largest} is among them, and of the right ones none is larger than 1"


def _zeros(got: Tensor, want: Tensor, names: list[str]) -> Iterator[str]:
    zero, mine = want.abs() < 1e-6, got.abs() < 1e-6
    if not 0.05 < zero.double().mean() < 0.95:
        return
    texts = ((zero & ~mine, "not 0 where 0 is right"), (mine & ~zero, "0 where another number is right"))
    for wrong, text in texts:
        if wrong.any():
            index = wrong.nonzero()[0].tolist()
            yield f"{text}: at {words.place(index, ' '.join(names))}"


def _along(got: Tensor, want: Tensor, axis: int, name: str) -> Iterator[str]:
    measures: dict[str, Callable[[Tensor], Tensor]] = {
        "sum": lambda x: x.sum(axis),
        "mean": lambda x: x.mean(axis),
        "variance": lambda x: x.var(axis, correction=0),
    }
    for what, measure in measures.items():
        right, mine = measure(want).flatten(), measure(got).flatten()
        fixed = bool((right - right.round()).abs().max() < 1e-2) and len(right.round().unique()) == 1
        if not fixed or len(right) < 2 or (what == "sum" and abs(right[0]) < 0.5):
            continue
        gap = (mine - right).abs()
        if gap.max() > 0.02:
            worst = int(gap.argmax())
            yield (
                f"wrong: the {what} along the {name} is {words.number(mine[worst])}, "
                f"expected {words.number(right[worst].round())}"
            )
