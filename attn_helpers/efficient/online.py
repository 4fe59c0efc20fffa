"""Softmax over keys that come tile by tile: a running maximum, a running sum and a partial output.

Chapter: notebooks/09a_same_answer_less_memory.ipynb
"""

from typing import NamedTuple

import torch
from torch import Tensor

from attn_helpers import _check


class OnlineSoftmax(NamedTuple):
    """What must be known of all the tiles seen so far.

    >>> OnlineSoftmax(*(torch.zeros(2, 1),) * 3)._fields
    ('maximum', 'total', 'output')
    """

    maximum: Tensor
    """(..., queries, 1): the largest score, -inf before the first"""
    total: Tensor
    """(..., queries, 1): sum of exp(score - maximum)"""
    output: Tensor
    """(..., queries, value_dim): sum of exp(score - maximum) v"""


def online_softmax_start(queries: Tensor, value_dim: int) -> OnlineSoftmax:
    """Make the state before any key was seen.

    Formula: maximum = -inf, total = 0, output = 0
    Source: Milakov and Gimelshein 2018, Online normalizer calculation for softmax, algorithm 3.

    Args:
        queries: (..., queries, dim); only shape, dtype and device are read.
    Returns: the state, with (..., queries, 1), (..., queries, 1) and (..., queries, value_dim).

    >>> online_softmax_start(torch.ones(1, 4), value_dim=2).maximum
    tensor([[-inf]])
    """
    _check.floating(queries=queries)
    _check.rank_at_least(2, "(..., {}, dim)", queries=queries)
    _check.count("value_dim", value_dim)
    rows = queries.shape[:-1]
    return OnlineSoftmax(
        queries.new_full((*rows, 1), float("-inf")),
        queries.new_zeros((*rows, 1)),
        queries.new_zeros((*rows, value_dim)),
    )


def online_softmax_step(state: OnlineSoftmax, scores: Tensor, values: Tensor) -> OnlineSoftmax:
    """Take one more tile of keys into account; the tile is not needed again.

    Formula: m' = max(m, max_j s_j), c = exp(m - m'), p_j = exp(s_j - m'),
        total' = c total + sum_j p_j, output' = c output + sum_j p_j v_j
    Source: Dao et al. 2022, FlashAttention, section 3.1; Rabe and Staats 2021, section 2.

    Args:
        state: what the step before returned, at first `online_softmax_start`.
        scores: (..., queries, tile), -inf where a key may not be attended.
        values: (..., tile, value_dim), the values of the tile's keys.

    >>> start = online_softmax_start(torch.zeros(1, 1), value_dim=1)
    >>> scores = torch.tensor([[1.0, 2.0]]).log()  # the second key weighs twice as much
    >>> state = online_softmax_step(start, scores, torch.tensor([[5.0], [8.0]]))
    >>> state.total, state.output  # in units of the largest weight
    (tensor([[1.5000]]), tensor([[10.5000]]))
    """
    _check_tile(scores, values)
    if scores.shape[-1] == 0:
        return state
    # the answer does not depend on the maximum, so it needs no gradient
    maximum = torch.maximum(state.maximum, scores.amax(dim=-1, keepdim=True)).detach()
    # a row without keys subtracts 0: -inf - -inf would be NaN
    finite = torch.where(maximum == float("-inf"), 0.0, maximum)
    correction = torch.exp(state.maximum - finite)  # (..., queries, 1)
    parts = torch.exp(scores - finite)  # (..., queries, tile)
    return OnlineSoftmax(
        maximum,
        correction * state.total + parts.sum(dim=-1, keepdim=True),
        correction * state.output + parts @ values,
    )


def online_softmax_result(state: OnlineSoftmax) -> Tensor:
    """Divide by the sum: the attention output of the keys seen so far.

    Formula: result = output / total, 0 where no key was seen
    Source: Dao et al. 2022, FlashAttention, section 3.1.

    Returns: output (..., queries, value_dim).

    >>> state = online_softmax_start(torch.zeros(1, 1), value_dim=1)
    >>> for scores, value in [([[0.0]], [[1.0]]), ([[0.0]], [[3.0]])]:
    ...     state = online_softmax_step(state, torch.tensor(scores), torch.tensor(value))
    >>> online_softmax_result(state)
    tensor([[2.]])
    """
    empty = state.total == 0
    return torch.where(empty, 0.0, state.output / torch.where(empty, 1.0, state.total))


def _check_tile(scores: Tensor, values: Tensor) -> None:
    _check.floating(scores=scores, values=values)
    if scores.shape[-1] != values.shape[-2]:
        raise ValueError(
            "scores and values must be of the same keys, "
            f"got scores keys={scores.shape[-1]}, values keys={values.shape[-2]}."
        )
