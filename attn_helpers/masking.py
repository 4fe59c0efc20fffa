"""Masks (bool, True = may attend) and the softmax that respects them.

Chapter: notebooks/03a_masked_softmax.ipynb, notebooks/03b_minus_infinity.ipynb,
    notebooks/01b_learn_the_width.ipynb
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attn_helpers import _check


def length_mask(valid_lens: Tensor | Sequence[Any] | int, num_keys: int) -> Tensor:
    """Turn the number of valid keys into a mask that is True at the first `valid_lens` keys.

    Formula: mask[..., j] = (j < valid_lens[...])
    Source: Zhang et al., Dive into Deep Learning, section 11.3 (lengths of padded sequences).

    Args:
        valid_lens: whole numbers between 0 and num_keys, any shape: (batch,) for one length per sequence,
            (batch, queries) for one length per query.
        num_keys: number of keys, padding included.
    Returns: bool mask (*valid_lens.shape, keys), on the device of `valid_lens`.

    >>> length_mask(torch.tensor([1, 3]), 4)
    tensor([[ True, False, False, False],
            [ True,  True,  True, False]])
    """
    _check.count("num_keys", num_keys)
    lens = _check.whole_lens(valid_lens)
    _check.lens_in_range(lens, num_keys)
    return torch.arange(num_keys, device=lens.device) < lens.unsqueeze(-1)  # (..., keys)


def causal_mask(
    num_queries: int, num_keys: int | None = None, *, device: torch.device | None = None
) -> Tensor:
    """Let each query attend to itself and to what came before it.

    Formula: mask[i, j] = (j <= i + num_keys - num_queries)
    Source: Vaswani et al. 2017, Attention Is All You Need, section 3.2.3.

    With more keys than queries, the queries are the last ones of the sequence (as when earlier keys are
    cached): the last query may attend to every key. torch's `is_causal=True` lines up the first query with
    the first key instead; the two agree when num_keys = num_queries.

    Args:
        num_keys: number of keys, at least 0; num_queries if left out.
    Returns: bool mask (queries, keys).

    >>> causal_mask(3)
    tensor([[ True, False, False],
            [ True,  True, False],
            [ True,  True,  True]])
    >>> causal_mask(1, 3)
    tensor([[True, True, True]])
    """
    return _distance(num_queries, num_keys, device) <= 0


def window_mask(
    num_queries: int,
    num_keys: int | None = None,
    *,
    reach: int,
    causal: bool = False,
    device: torch.device | None = None,
) -> Tensor:
    """Let each query attend to the keys at most `reach` positions away.

    Formula: mask[i, j] = (|j - i'| <= reach) with i' = i + num_keys - num_queries, and j <= i' if causal
    Source: Beltagy et al. 2020, Longformer, section 3.1 (sliding window).

    Args:
        num_keys: number of keys, at least 0; num_queries if left out. The last query stands at the last key.
        reach: how many positions to each side, at least 0; 0 is the query's own position.
    Returns: bool mask (queries, keys).

    >>> window_mask(4, reach=1)
    tensor([[ True,  True, False, False],
            [ True,  True,  True, False],
            [False,  True,  True,  True],
            [False, False,  True,  True]])
    """
    _check.count("reach", reach)
    distance = _distance(num_queries, num_keys, device)
    near = distance.abs() <= reach
    return near & (distance <= 0) if causal else near


def leave_one_out_mask(num_keys: int, *, device: torch.device | None = None) -> Tensor:
    """Let each point attend to all points but itself.

    Formula: mask[i, j] = (i != j)
    Source: Hastie et al., The Elements of Statistical Learning, section 7.10 (leave-one-out).

    Returns: bool mask (keys, keys).

    >>> leave_one_out_mask(3)
    tensor([[False,  True,  True],
            [ True, False,  True],
            [ True,  True, False]])
    """
    return _distance(num_keys, num_keys, device) != 0


def combine_masks(*masks: Tensor | None) -> Tensor | None:
    """Allow what every one of the masks allows; None allows everything.

    Formula: mask = mask_1 and mask_2 and ...
    Source: Vaswani et al. 2017, section 3.2.3 (padding and causal mask in one decoder).

    Args:
        masks: bool masks whose shapes broadcast as torch broadcasts (last axes aligned). Write a padding mask
            of shape (batch, keys) as mask[:, None, :] here: its batch axis must not be taken for queries.
    Returns: bool mask of the broadcast shape, or None when every argument is None.

    >>> padding = length_mask(torch.tensor([1, 2]), 2)           # (batch, keys) = (2, 2)
    >>> combine_masks(padding[:, None, :], causal_mask(2)).shape  # (batch, queries, keys)
    torch.Size([2, 2, 2])
    """
    combined = None
    for mask in masks:
        if mask is None:
            continue
        _check.bool_mask(mask)
        if combined is not None and not _check.broadcasts(mask.shape, combined.shape, both_ways=True):
            raise ValueError(
                "masks must broadcast against each other, got "
                f"{_check.shape_text(combined)} and {_check.shape_text(mask)}."
            )
        combined = mask if combined is None else combined & mask
    return None if combined is None else combined.clone()


def masked_softmax(
    scores: Tensor, mask: Tensor | None = None, *, valid_lens: Tensor | Sequence[Any] | int | None = None
) -> Tensor:
    """Turn scores into weights over the keys that may be attended; all other keys get weight 0.

    Formula: weights[i, j] = exp(scores[i, j]) / sum over allowed k of exp(scores[i, k])
    Source: Vaswani et al. 2017, section 3.2.3; the row of zeros is this book's own rule.

    Each row sums to 1. A row in which no key may be attended is all 0, with gradient 0. A score of -inf is
    as good as a masked key; +inf takes all the weight, shared among the +inf keys of the row. NaN at an
    allowed key makes the allowed weights of its row NaN; NaN at a masked key has no effect.

    Args:
        scores: floating-point (..., queries, keys).
        mask: bool, True = may attend, of a shape that broadcasts to the scores. Fewer axes are read so:
            (keys,); (queries, keys) the same for the whole batch; (batch, keys) the same for all queries;
            (batch, 1, keys) and (batch, queries, keys) the same for all heads. A two-axis mask that could be
            both (queries, keys) and (batch, keys), as batch = queries > 1, is refused: write mask[None] or
            mask[:, None, :]. torch's scaled_dot_product_attention has the same polarity, torch's
            nn.MultiheadAttention the opposite one (True = blocked).
        valid_lens: whole numbers (batch,) or (batch, queries): only the first so many keys may be attended.
            Scores without a batch axis take one number, or one per query. With `mask`, both must allow a key.
    Returns: weights (..., queries, keys), dtype and device of the scores.
    Raises:
        ValueError: a mask (or lengths) that could be read in two ways, or does not fit the scores.

    >>> scores = torch.zeros(2, 1, 4)
    >>> masked_softmax(scores, valid_lens=torch.tensor([2, 0]))
    tensor([[[0.5000, 0.5000, 0.0000, 0.0000]],
    <BLANKLINE>
            [[0.0000, 0.0000, 0.0000, 0.0000]]])
    """
    _check.floating(scores=scores)
    _check.rank_at_least(1, "(..., queries, keys)", scores=scores)
    allowed = scores != float("-inf")  # NaN counts as allowed, so that it stays visible
    if mask is not None:
        allowed = allowed & _check.fit_mask(mask, scores)
    if valid_lens is not None:
        allowed = allowed & length_mask(_check.fit_lens(valid_lens, scores), scores.shape[-1])
    has_key = allowed.any(dim=-1, keepdim=True)  # (..., queries, 1)
    scores = scores.clamp(max=torch.finfo(scores.dtype).max)  # inf - inf would be NaN
    scores = torch.where(allowed, scores, float("-inf"))
    scores = torch.where(has_key, scores, 0.0)  # any finite number: this row becomes 0 below
    return torch.where(allowed, torch.softmax(scores, dim=-1), 0.0)


def softmax_with_fill(scores: Tensor, mask: Tensor, *, fill: float) -> Tensor:
    """Mask as many libraries and tutorials do it: overwrite masked scores by a number, then softmax.

    Formula: weights = softmax(where(mask, scores, fill))
    Source: the practice measured in the chapter; Vaswani et al. 2017, section 3.2.3, has minus infinity.

    It is here to be compared with `masked_softmax`: what it gives depends on the number, on the dtype and on
    the other scores of the row, and a fully masked row comes out uniform or NaN.

    Args:
        scores: floating-point (..., queries, keys).
        mask: bool, True = may attend, read as in `masked_softmax`.
        fill: the number, such as -1e9 or float("-inf"); it must fit the dtype (-1e9 does not fit float16).
    Returns: weights (..., queries, keys).
    Raises:
        ValueError: a fill that the dtype cannot hold.

    >>> softmax_with_fill(torch.zeros(1, 2), torch.tensor([[False, False]]), fill=-1e9)
    tensor([[0.5000, 0.5000]])
    """
    _check.floating(scores=scores)
    _check.rank_at_least(1, "(..., queries, keys)", scores=scores)
    limit = torch.finfo(scores.dtype).max
    if abs(fill) > limit and abs(fill) != float("inf"):
        raise ValueError(f"fill must fit {scores.dtype} (at most {limit:g} in size), got fill={fill:g}.")
    return torch.softmax(torch.where(_check.fit_mask(mask, scores), scores, fill), dim=-1)


def _distance(num_queries: int, num_keys: int | None, device: torch.device | None) -> Tensor:
    """Position of each key minus position of each query, the last query standing at the last key."""
    num_keys = num_queries if num_keys is None else num_keys
    _check.count("num_queries", num_queries)
    _check.count("num_keys", num_keys)
    queries = torch.arange(num_queries, device=device) + (num_keys - num_queries)
    return torch.arange(num_keys, device=device) - queries.unsqueeze(-1)  # (queries, keys)
