"""Exercise of lesson 8b: multi-head self-attention from four matrices."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers, softmax_rows

several = Exercise(
    "multi-head-attention",
    "08b_the_layer",
    """Write f(x, W_q, W_k, W_v, W_o, num_heads): x (batch, length, d_model), four matrices (d_model,
    d_model) used as x @ W; head h takes the h-th block of dim columns of W_q, W_k and W_v. Return the output
    (batch, length, d_model) and the weights (batch, heads, queries, keys); no mask.""",
    (
        "Do one head first: take its block of dim columns of each matrix. Then a loop over the heads.",
        "Each head divides by the root of its own dim.",
        "Put the outputs of the heads side by side and multiply by `W_o`; stack the weights on an axis of "
        "their own.",
    ),
    "output (batch, length, d_model); weights (batch, heads, queries, keys)",
)


@several.solution
def attend_in_several_heads(x, W_q, W_k, W_v, W_o, num_heads):
    """Project, cut into heads, attend in each, put them side by side, mix."""
    batch, length, d_model = x.shape
    cut = (batch, length, num_heads, d_model // num_heads)
    q, k, v = ((x @ W).reshape(cut).transpose(1, 2) for W in (W_q, W_k, W_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5  # (batch, heads, queries, keys)
    weights = torch.softmax(scores, dim=-1)
    heads = (weights @ v).transpose(1, 2).flatten(2)
    return heads @ W_o, weights


def _gives(answer: Answer, x: Tensor, W: tuple[Tensor, ...], n: int) -> None:
    """Ask for the weights, and what each head returns, one head at a time."""
    dim, maps, heads = x.shape[-1] // n, [], []
    for h in range(n):
        q, k, v = (x @ matrix[:, h * dim : (h + 1) * dim] for matrix in W[:3])
        maps.append(softmax_rows(torch.einsum("bid,bjd->bij", q, k) / dim**0.5))
        heads.append(torch.einsum("bij,bjd->bid", maps[-1], v))
    answer.gives(x, *W, n, wanted=(torch.cat(heads, dim=-1) @ W[3], torch.stack(maps, dim=1)))


def _matrices(size: int, by: float) -> tuple[Tensor, ...]:
    return tuple(numbers(size, size, seed=seed) / by for seed in (1, 2, 3, 4))


@several.check
def _three_heads(answer: Answer) -> None:
    """Three heads give the right output and weights."""
    _gives(answer, numbers(2, 5, 21), _matrices(21, 8), 3)  # dim = 7


@several.check
def _large_scores(answer: Answer) -> None:
    """scores of a few hundred do not overflow."""
    _gives(
        answer,
        numbers(3, 4, 6, seed=5),
        tuple(8 * W if i < 2 else W for i, W in enumerate(_matrices(6, 1))),
        2,
    )


@several.also
def _more() -> Iterator[tuple]:
    """other numbers of heads, one too."""
    for batch, d_model, heads in ((1, 8, 4), (2, 6, 1), (4, 6, 6)):
        yield numbers(batch, 3, d_model), *_matrices(d_model, 3), heads


def _cut(x: Tensor, W: Tensor, heads: int) -> Tensor:
    return torch.stack((x @ W).chunk(heads, dim=-1), dim=1)


def _join(heads: Tensor) -> Tensor:
    return torch.cat([heads[:, h] for h in range(heads.shape[1])], dim=2)


@several.mistake("the scores are divided by sqrt(d_model)")
def _by_d_model(x, W_q, W_k, W_v, W_o, num_heads):
    """A head's dot product adds dim products, not d_model: the maps come out too flat."""
    q, k, v = (_cut(x, W, num_heads) for W in (W_q, W_k, W_v))
    weights = (q @ k.mT / x.shape[-1] ** 0.5).softmax(-1)
    return _join(weights @ v) @ W_o, weights


@several.mistake("the scores are not scaled")
def _unscaled(x, W_q, W_k, W_v, W_o, num_heads):
    """Divide by the root of a head's dim."""
    q, k, v = (_cut(x, W, num_heads) for W in (W_q, W_k, W_v))
    weights = (q @ k.mT).softmax(-1)
    return _join(weights @ v) @ W_o, weights


@several.mistake("the projections are reshaped without a transpose")
def _cut_straight(x, W_q, W_k, W_v, W_o, num_heads):
    """Heads made so hold pieces of several tokens. Does split-heads accept your way of cutting?"""
    q, k, v = ((x @ W).view(len(x), num_heads, x.shape[1], -1) for W in (W_q, W_k, W_v))
    weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
    return (weights @ v).reshape(x.shape) @ W_o, weights


@several.mistake("the heads are put together without a transpose")
def _joined_straight(x, W_q, W_k, W_v, W_o, num_heads):
    """The weights are right. heads.reshape(batch, length, d_model) must come after transpose(1, 2)."""
    weights = attend_in_several_heads(x, W_q, W_k, W_v, W_o, num_heads)[1]
    return (weights @ _cut(x, W_v, num_heads)).reshape(x.shape) @ W_o, weights


@several.mistake("the keys are averaged, not the values")
def _keys_twice(x, W_q, W_k, W_v, W_o, num_heads):
    """What is fetched comes from W_v."""
    return attend_in_several_heads(x, W_q, W_k, W_k, W_o, num_heads)


@several.mistake("W_o is not used")
def _unmixed(x, W_q, W_k, W_v, W_o, num_heads):
    """The heads stay unmixed."""
    weights = attend_in_several_heads(x, W_q, W_k, W_v, W_o, num_heads)[1]
    return _join(weights @ _cut(x, W_v, num_heads)), weights


@several.mistake("the softmax runs over the heads")
def _over_heads(x, W_q, W_k, W_v, W_o, num_heads):
    """Heads do not compete: each has its own row of weights over the keys."""
    q, k, v = (_cut(x, W, num_heads) for W in (W_q, W_k, W_v))
    weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(1)
    return _join(weights @ v) @ W_o, weights


@several.mistake("all heads are one: nothing is cut")
def _one_head(x, W_q, W_k, W_v, W_o, num_heads):
    """num_heads has no effect."""
    return attend_in_several_heads(x, W_q, W_k, W_v, W_o, 1)


@several.mistake("W_o is transposed")
def _like_linear(x, W_q, W_k, W_v, W_o, num_heads):
    """side by side @ W_o, as it is given."""
    return attend_in_several_heads(x, W_q, W_k, W_v, W_o.T, num_heads)


@several.mistake("the matrices are transposed")
def _all_like_linear(x, W_q, W_k, W_v, W_o, num_heads):
    """Here x @ W: no .T (nn.Linear stores it)."""
    return attend_in_several_heads(x, W_q.T, W_k.T, W_v.T, W_o.T, num_heads)


@several.mistake("each head takes every third column, or so, in place of a block")
def _every_third_column(x, W_q, W_k, W_v, W_o, num_heads):
    """unflatten(-1, (num_heads, dim)) gives head h its block; (dim, num_heads) does not."""
    q, k, v = ((x @ W).unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2) for W in (W_q, W_k, W_v))
    weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ W_o, weights


@several.mistake("the scores are divided by dim, not by its square root")
def _by_dim(x, W_q, W_k, W_v, W_o, num_heads):
    """The variance of a head's score is dim."""
    shrunk = W_q * (num_heads / x.shape[-1]) ** 0.5
    return attend_in_several_heads(x, shrunk, W_k, W_v, W_o, num_heads)


@several.mistake("W_o is used before the heads are put together")
def _mixed_early(x, W_q, W_k, W_v, W_o, num_heads):
    """Side by side first, then @ W_o."""
    return attend_in_several_heads(x, W_q, W_k, W_v @ W_o, torch.eye(len(W_o)), num_heads)


@several.mistake("the tokens are added to the output")
def _tokens_added(x, W_q, W_k, W_v, W_o, num_heads):
    """That is the block around attention. Here: heads @ W_o."""
    output, weights = attend_in_several_heads(x, W_q, W_k, W_v, W_o, num_heads)
    return output + x, weights


@several.mistake("the future is hidden")
def _causal(x, W_q, W_k, W_v, W_o, num_heads):
    """The task says: no mask."""
    q, k, v = (_cut(x, W, num_heads) for W in (W_q, W_k, W_v))
    future = torch.ones(x.shape[1], x.shape[1]).triu(1) > 0
    weights = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(future, -torch.inf).softmax(-1)
    return _join(weights @ v) @ W_o, weights


@several.mistake("the identity in the place of `W_v`")
def _plain_values(x, W_q, W_k, W_v, W_o, num_heads):
    return attend_in_several_heads(x, W_q, W_k, torch.eye(len(W_v)), W_o, num_heads)


@several.mistake("for large scores the weights are NaN")
def _own_softmax(x, W_q, W_k, W_v, W_o, num_heads):
    """e to 89 is more than float32 can hold. `torch.softmax` takes the largest score away first."""
    q, k, v = (_cut(x, W, num_heads) for W in (W_q, W_k, W_v))
    heights = (q @ k.mT / q.shape[-1] ** 0.5).exp()
    weights = heights / heights.sum(-1, keepdim=True)
    return _join(weights @ v) @ W_o, weights
