"""Exercise of chapter 08: multi-head self-attention from four matrices."""

import torch
from torch import Tensor

from ._answer import Answer
from ._compare import Suspect
from ._exercise import Exercise
from ._inputs import numbers, softmax_rows

__all__ = ["several"]

several = Exercise(
    "multi-head-attention",
    "08_multi_head",
    "Write f(x, W_q, W_k, W_v, W_o, num_heads): x (batch, length, d_model), four matrices (d_model, "
    "d_model) used as "
    "x @ W; head h takes the h-th block of dim columns of W_q, W_k and W_v. Return the output (batch, "
    "length, "
    "d_model) and the weights (batch, heads, queries, keys); no mask.",
    (
        "Project once, then cut: split-heads gives (batch, heads, length, dim).",
        "Each head divides by the root of its own dim.",
        "Put the heads side by side (merge-heads) and multiply by `W_o`.",
    ),
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
    axes = "batch length d_model; batch heads queries keys"
    given = (x, W_q, W_k, W_v, W_o, n)
    answer.gives(*given, wanted=right, axes=axes, suspects=suspects, named="output; weights")


def _cut(x: Tensor, W: Tensor, heads: int) -> Tensor:
    return torch.stack((x @ W).chunk(heads, dim=-1), dim=1)


def _join(heads: Tensor) -> Tensor:
    return torch.cat([heads[:, h] for h in range(heads.shape[1])], dim=2)


@several.wrong("the scores are divided by sqrt(d_model)")
def _by_d_model(x, W_q, W_k, W_v, W_o, num_heads):
    q, k, v = (_cut(x, W, num_heads) for W in (W_q, W_k, W_v))
    weights = (q @ k.mT / x.shape[-1] ** 0.5).softmax(-1)
    return _join(weights @ v) @ W_o, weights


@several.wrong("the scores are not scaled")
def _unscaled(x, W_q, W_k, W_v, W_o, num_heads):
    q, k, v = (_cut(x, W, num_heads) for W in (W_q, W_k, W_v))
    weights = (q @ k.mT).softmax(-1)
    return _join(weights @ v) @ W_o, weights


@several.wrong("the projections are reshaped without a transpose")
def _cut_straight(x, W_q, W_k, W_v, W_o, num_heads):
    q, k, v = ((x @ W).view(len(x), num_heads, x.shape[1], -1) for W in (W_q, W_k, W_v))
    weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
    return (weights @ v).reshape(x.shape) @ W_o, weights


@several.wrong("the heads are put together without a transpose")
def _joined_straight(x, W_q, W_k, W_v, W_o, num_heads):
    weights = attend_in_several_heads(x, W_q, W_k, W_v, W_o, num_heads)[1]
    return (weights @ _cut(x, W_v, num_heads)).reshape(x.shape) @ W_o, weights


@several.wrong("W_o is not used")
def _unmixed(x, W_q, W_k, W_v, W_o, num_heads):
    weights = attend_in_several_heads(x, W_q, W_k, W_v, W_o, num_heads)[1]
    return _join(weights @ _cut(x, W_v, num_heads)), weights


@several.wrong("the keys are averaged, not the values")
def _keys_twice(x, W_q, W_k, W_v, W_o, num_heads):
    return attend_in_several_heads(x, W_q, W_k, W_k, W_o, num_heads)


@several.wrong("the softmax runs over the heads")
def _over_heads(x, W_q, W_k, W_v, W_o, num_heads):
    q, k, v = (_cut(x, W, num_heads) for W in (W_q, W_k, W_v))
    weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(1)
    return _join(weights @ v) @ W_o, weights


@several.wrong("all heads are one: nothing is cut")
def _one_head(x, W_q, W_k, W_v, W_o, num_heads):
    return attend_in_several_heads(x, W_q, W_k, W_v, W_o, 1)


@several.wrong("the weights are averaged over the heads")
def _mean_map(x, W_q, W_k, W_v, W_o, num_heads):
    output, weights = attend_in_several_heads(x, W_q, W_k, W_v, W_o, num_heads)
    return output, weights.mean(1)


@several.wrong("W_o is transposed")
def _like_linear(x, W_q, W_k, W_v, W_o, num_heads):
    return attend_in_several_heads(x, W_q, W_k, W_v, W_o.T, num_heads)


@several.wrong("the matrices are transposed")
def _all_like_linear(x, W_q, W_k, W_v, W_o, num_heads):
    return attend_in_several_heads(x, W_q.T, W_k.T, W_v.T, W_o.T, num_heads)
