"""Exercise of lesson 8a: multi-head self-attention from four matrices."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers, softmax_rows

several = Exercise(
    "multi-head-attention",
    "08a_two_heads",
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


def _by_heads(x: Tensor, W: tuple[Tensor, ...], n: int, size: float) -> tuple[Tensor, Tensor, Tensor]:
    """Scores divided by sqrt(size), weights, and what each head returns: one head at a time."""
    dim = x.shape[-1] // n
    scores, heads = [], []
    for h in range(n):
        q, k, v = (x @ matrix[:, h * dim : (h + 1) * dim] for matrix in W)
        scores.append(torch.einsum("bid,bjd->bij", q, k) / size**0.5)
        heads.append(torch.einsum("bij,bjd->bid", softmax_rows(scores[-1]), v))
    maps = torch.stack([softmax_rows(one) for one in scores], dim=1)
    return torch.stack(scores, dim=1), maps, torch.stack(heads, dim=1)


@several.check
def _three_heads(answer: Answer) -> None:
    """Three heads give the right output and weights."""
    x, n = numbers(2, 5, 21), 3  # dim = 7
    W_q, W_k, W_v, W_o = (numbers(21, 21, seed=seed) / 8 for seed in (1, 2, 3, 4))
    scores, maps, heads = _by_heads(x, (W_q, W_k, W_v), n, 7)
    side = torch.cat(list(heads.unbind(1)), dim=-1)
    right = side @ W_o, maps
    _, flat_maps, flat_heads = _by_heads(x, (W_q, W_k, W_v), n, 21)
    _, raw_maps, raw_heads = _by_heads(x, (W_q, W_k, W_v), n, 1)
    _, one_map, one_head = _by_heads(x, (W_q, W_k, W_v), 1, 21)
    q, k = ((x @ W).reshape(2, n, 5, 7) for W in (W_q, W_k))
    straight = torch.softmax(q @ k.mT / 7**0.5, dim=-1)
    across = scores.softmax(dim=1)
    turned = _by_heads(x, (W_q.T, W_k.T, W_v.T), n, 7)
    suspects = [
        Suspect(
            "the scores are divided by sqrt(d_model)",
            "A head's dot product adds dim products, not d_model: the maps come out too flat.",
            (torch.cat(list(flat_heads.unbind(1)), dim=-1) @ W_o, flat_maps),
        ),
        Suspect(
            "the scores are not scaled",
            "Divide by the root of a head's dim.",
            (torch.cat(list(raw_heads.unbind(1)), dim=-1) @ W_o, raw_maps),
        ),
        Suspect(
            "the projections are reshaped without a transpose",
            "Heads made so hold pieces of several tokens. Does split-heads accept your way of cutting?",
            (None, straight),
        ),
        Suspect(
            "the heads are put together without a transpose",
            "The weights are right. heads.reshape(batch, length, d_model) must come after transpose(1, 2).",
            (heads.reshape(2, 5, 21) @ W_o, maps),
        ),
        Suspect(
            "the keys are averaged, not the values",
            "What is fetched comes from W_v.",
            (
                torch.cat([one @ x @ W_k[:, 7 * h : 7 * h + 7] for h, one in enumerate(maps.unbind(1))], -1)
                @ W_o,
                maps,
            ),
        ),
        Suspect("W_o is not used", "The heads stay unmixed.", (side, maps)),
        Suspect(
            "the softmax runs over the heads",
            "Heads do not compete: each has its own row of weights over the keys.",
            (None, across),
        ),
        Suspect(
            "all heads are one: nothing is cut",
            "num_heads has no effect.",
            (one_head[:, 0] @ W_o, one_map),
        ),
        Suspect(
            "the weights are averaged over the heads",
            "Return every head's map.",
            (right[0], maps.mean(dim=1)),
        ),
        Suspect("W_o is transposed", "side by side @ W_o, as it is given.", (side @ W_o.T, maps)),
        Suspect("the matrices are transposed", "Here x @ W: no .T (nn.Linear stores it).", (None, turned[1])),
    ]
    given = (x, W_q, W_k, W_v, W_o, n)
    answer.gives(*given, wanted=right, suspects=suspects)


@several.also
def _more() -> Iterator[tuple]:
    """other numbers of heads, one too."""
    for d_model, heads in ((8, 4), (6, 1), (6, 6)):
        yield numbers(2, 3, d_model), *(numbers(d_model, d_model, seed=s) / 3 for s in (1, 2, 3, 4)), heads


def _woven(x, W_q, W_k, W_v, W_o, num_heads, back=False):
    q, k, v = ((x @ W).unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2) for W in (W_q, W_k, W_v))
    weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
    heads = (weights @ v).permute(0, 2, 3, 1) if back else (weights @ v).transpose(1, 2)
    return heads.flatten(2) @ W_o, weights


for back in (False, True):
    several.slip(
        "each head takes every third column, or so, in place of a block",
        "unflatten(-1, (num_heads, dim)) gives head h its block; (dim, num_heads) does not.",
        lambda *args, back=back: _woven(*args, back=back),
    )
several.slip(
    "the scores are divided by dim, not by its square root",
    "The variance of a head's score is dim.",
    lambda x, W_q, W_k, W_v, W_o, n: attend_in_several_heads(
        x, W_q * (n / x.shape[-1]) ** 0.5, W_k, W_v, W_o, n
    ),
)
several.slip(
    "W_o is used before the heads are put together",
    "Side by side first, then @ W_o.",
    lambda x, W_q, W_k, W_v, W_o, n: attend_in_several_heads(x, W_q, W_k, W_v @ W_o, torch.eye(len(W_o)), n),
)
several.slip(
    "the tokens are added to the output",
    "That is the block around attention. Here: heads @ W_o.",
    lambda x, *rest: (attend_in_several_heads(x, *rest)[0] + x, attend_in_several_heads(x, *rest)[1]),
)
several.slip(
    "the future is hidden",
    "The task says: no mask.",
    lambda x, W_q, W_k, W_v, W_o, n: _causal(x, W_q, W_k, W_v, W_o, n),
)


def _causal(x, W_q, W_k, W_v, W_o, num_heads):
    q, k, v = ((x @ W).unflatten(-1, (num_heads, -1)).transpose(1, 2) for W in (W_q, W_k, W_v))
    future = torch.ones(x.shape[1], x.shape[1]).triu(1) > 0
    weights = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(future, -torch.inf).softmax(-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ W_o, weights
