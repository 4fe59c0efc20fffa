"""Exercise of lesson 8c: normalise each token by itself."""

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn import functional

from attn_lessons.exercises.checking import Answer, Exercise, numbers

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


def _normalised(x: Tensor, dims: int | tuple[int, ...] = -1) -> Tensor:
    centred = x - x.mean(dims, keepdim=True)
    return centred / (x.var(dims, correction=0, keepdim=True) + 1e-5).sqrt()


@normalise.check
def _by_hand(answer: Answer) -> None:
    """Two tokens get the numbers that come out by hand."""
    x = torch.tensor(
        [[[7.0, 1.0, 1.0, -1.0], [4.0, 2.0, 2.0, 4.0]], [[0.0, 3.0, 3.0, 6.0], [1.0, 5.0, 9.0, 1.0]]]
    )
    answer.gives(x, wanted=_normalised(x))


@normalise.check
def _all_equal(answer: Answer) -> None:
    """a token whose numbers are all equal becomes 0."""
    x = torch.full((1, 2, 3), 5.0)
    answer.gives(x, wanted=torch.zeros_like(x), atol=1e-3)  # 1e-6 left of 5 - 5 is 2e-4 after the division


@normalise.check
def _small(answer: Answer) -> None:
    """very small numbers show where the 1e-5 goes."""
    x = torch.tensor([[[0.001, -0.001]]])
    answer.gives(x, wanted=_normalised(x))


@normalise.check
def _large_mean(answer: Answer) -> None:
    """numbers far from 0 lose nothing."""
    x = 3000 + numbers(1, 2, 5)
    answer.gives(x, wanted=_normalised(x.double()).float(), atol=1e-2)


@normalise.also
def _more() -> Iterator[tuple]:
    """any batch, length and size."""
    yield (numbers(2, 3, 4),)
    yield (numbers(1, 7, 5, seed=1, dtype=torch.float64),)
    yield (100 * numbers(3, 1, 6, seed=2),)


@normalise.mistake("the mean is not subtracted")
def _not_centred(x):
    """Numbers of mean 0: take the mean of the token away first."""
    return x / (x.var(-1, correction=0, keepdim=True) + 1e-5).sqrt()


@normalise.mistake("the spread stays as it was")
def _centred_only(x):
    """Divide by the root of the variance."""
    return x - x.mean(-1, keepdim=True)


@normalise.mistake("divided by the variance, not by its root")
def _no_root(x):
    """Numbers twice as large must come out the same: the variance is four times as large then."""
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, correction=0, keepdim=True) + 1e-5)


@normalise.mistake("the variance is divided by d_model - 1")
def _torchs_default(x):
    """Here it is the plain mean of the squares: torch's std and var need correction=0."""
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + 1e-5).sqrt()


@normalise.mistake("the mean runs over the tokens, not over the numbers of each")
def _over_tokens(x):
    """A token must not change when its neighbour does. Which axis holds its own numbers?"""
    return functional.layer_norm(x.mT, x.shape[1:2]).mT


@normalise.mistake("the mean runs over the batch")
def _batch_norm(x):
    """That is batch normalisation: it needs the other examples. Use the last axis."""
    return (x - x.mean(0)) / (x.var(0, correction=0) + 1e-5).sqrt()


@normalise.mistake("the mean runs over all tokens and numbers together")
def _whole_sentence(x):
    """Each token has a mean of its own."""
    return functional.layer_norm(x, x.shape[1:])


@normalise.mistake("the whole batch has one mean and one variance")
def _whole_batch(x):
    """Each token has its own."""
    return _normalised(x, (0, 1, 2))


@normalise.mistake("equal numbers give NaN")
def _no_epsilon(x):
    """Their variance is 0: add 1e-5 before the root."""
    return (x - x.mean(-1, keepdim=True)) / x.std(-1, correction=0, keepdim=True)


@normalise.mistake("1e-5 is added to the root")
def _epsilon_outside(x):
    """Add it to the variance, before the root."""
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, correction=0, keepdim=True) + 1e-5)


@normalise.mistake("nothing is added to the variance")
def _nothing_added(x):
    """Add 1e-5 before the root."""
    return (x - x.mean(-1, keepdim=True)) / x.std(-1, correction=0, keepdim=True).clamp(min=1e-12)


@normalise.mistake("the tokens are scaled to length 1")
def _length_1(x):
    """The mean of the squares becomes 1, not their sum."""
    return (x - x.mean(-1, True)) / ((x - x.mean(-1, True)).square().sum(-1, True) + 1e-05).sqrt()


@normalise.mistake("the mean of the squares of x itself is used (RMS norm)")
def _root_mean_square(x):
    """Take the mean away first, then square."""
    return torch.nn.functional.rms_norm(x, x.shape[-1:], eps=1e-5)


@normalise.mistake("the mean absolute step is used as the spread")
def _mean_absolute_step(x):
    """Square the steps, average, take the root."""
    return (x - x.mean(-1, True)) / ((x - x.mean(-1, True)).abs().mean(-1, True) + 1e-05)


@normalise.mistake(
    "the variance is the mean square minus the squared mean, which far from 0 loses its digits"
)
def _two_large_numbers(x):
    """Little is left of the difference of two large numbers. Take the mean away first, then square."""
    mean = x.mean(-1, keepdim=True)
    return (x - mean) / (x.square().mean(-1, keepdim=True) - mean.square() + 1e-5).sqrt()


@normalise.mistake("1e-6 is added to the variance, not 1e-5")
def _smaller_epsilon(x):
    """Very small numbers show it. The task says 1e-5."""
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, correction=0, keepdim=True) + 1e-6).sqrt()
