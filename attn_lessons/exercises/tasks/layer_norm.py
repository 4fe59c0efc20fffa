"""Exercise of lesson 8c: normalise each token by itself."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers

normalise = Exercise(
    "layer-norm",
    "08c_transformer_block",
    """Write f(x): x (batch, length, d_model). Return x with the numbers of each token brought to mean 0 and
    variance 1; add 1e-5 to the variance before its root, for tokens whose numbers are all equal.""",
    (
        "Which axis holds the numbers of one token? `x.mean(dim=-1, keepdim=True)` is (batch, length, 1).",
        "Subtract the mean first; the variance is the mean of the squares of what is left.",
        "Divide by the root of (variance + 1e-5).",
    ),
    "result (batch, length, d_model)",
)


@normalise.solution
def bring_to_one_scale(x):
    """Centre each token's numbers, then divide by their spread."""
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.square().mean(dim=-1, keepdim=True)  # (batch, length, 1)
    return centred / (variance + 1e-5).sqrt()


def _normalised(x: Tensor, dims: object = -1, correction: int = 0, eps: float = 1e-5) -> Tensor:
    centred = x - x.mean(dims, keepdim=True)
    return centred / (x.var(dims, correction=correction, keepdim=True) + eps).sqrt()


@normalise.check
def _by_hand(answer: Answer) -> None:
    """Two tokens get the numbers that come out by hand."""
    x = torch.tensor(
        [[[7.0, 1.0, 1.0, -1.0], [4.0, 2.0, 2.0, 4.0]], [[0.0, 3.0, 3.0, 6.0], [1.0, 5.0, 9.0, 1.0]]]
    )
    wanted = _normalised(x)
    centred = x - x.mean(-1, keepdim=True)
    spread = x.std(-1, correction=0, keepdim=True)
    suspects = [
        Suspect(
            "the mean is not subtracted",
            "Numbers of mean 0: take the mean of the token away first.",
            x / spread,
        ),
        Suspect("the spread stays as it was", "Divide by the root of the variance.", centred),
        Suspect(
            "divided by the variance, not by its root",
            "Numbers twice as large must come out the same: the variance is four times as large then.",
            centred / spread**2,
        ),
        Suspect(
            "the variance is divided by d_model - 1",
            "Here it is the plain mean of the squares: torch's std and var need correction=0.",
            _normalised(x, correction=1),
        ),
        Suspect(
            "the mean runs over the tokens, not over the numbers of each",
            "A token must not change when its neighbour does. Which axis holds its own numbers?",
            _normalised(x, 1),
        ),
        Suspect(
            "the mean runs over the batch",
            "That is batch normalisation: it needs the other examples. Use the last axis.",
            _normalised(x, 0),
        ),
        Suspect(
            "the mean runs over all tokens and numbers together",
            "Each token has a mean of its own.",
            _normalised(x, (1, 2)),
        ),
        Suspect(
            "the whole batch has one mean and one variance",
            "Each token has its own.",
            _normalised(x, (0, 1, 2)),
        ),
    ]
    answer.gives(x, wanted=wanted, suspects=suspects)


@normalise.check
def _all_equal(answer: Answer) -> None:
    """a token whose numbers are all equal becomes 0."""
    x = torch.full((1, 2, 3), 5.0)
    suspect = Suspect(
        "equal numbers give NaN",
        "Their variance is 0: add 1e-5 before the root.",
        torch.full_like(x, torch.nan),
    )
    answer.gives(x, wanted=torch.zeros_like(x), suspects=[suspect])


@normalise.check
def _small(answer: Answer) -> None:
    """very small numbers show where the 1e-5 goes."""
    x = torch.tensor([[[0.001, -0.001]]])
    wanted = _normalised(x)
    spread = x.std(-1, correction=0, keepdim=True)
    suspects = [
        Suspect("1e-5 is added to the root", "Add it to the variance, before the root.", x / (spread + 1e-5)),
        Suspect("nothing is added to the variance", "Add 1e-5 before the root.", x / spread),
    ]
    answer.gives(x, wanted=wanted, suspects=suspects)


@normalise.also
def _more() -> Iterator[tuple]:
    """any batch, length and size."""
    yield (numbers(2, 3, 4),)
    yield (numbers(1, 7, 5, seed=1, dtype=torch.float64),)
    yield (100 * numbers(3, 1, 6, seed=2),)


normalise.slip(
    "the tokens are scaled to length 1",
    "The mean of the squares becomes 1, not their sum.",
    lambda x: (x - x.mean(-1, True)) / ((x - x.mean(-1, True)).square().sum(-1, True) + 1e-5).sqrt(),
)
normalise.slip(
    "the mean of the squares of x itself is used (RMS norm)",
    "Take the mean away first, then square.",
    lambda x: x / (x.square().mean(-1, True) + 1e-5).sqrt(),
)
normalise.slip(
    "the mean absolute step is used as the spread",
    "Square the steps, average, take the root.",
    lambda x: (x - x.mean(-1, True)) / ((x - x.mean(-1, True)).abs().mean(-1, True) + 1e-5),
)
