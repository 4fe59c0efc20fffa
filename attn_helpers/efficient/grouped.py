"""Grouped queries: several query heads share one head of keys and values, so that there is less to keep.

Chapter: notebooks/09a_same_answer_less_memory.ipynb
"""

from torch import Tensor

from attn_helpers import _check
from attn_helpers.masking import masked_softmax
from attn_helpers.scoring import scaled_dot_product_scores


def grouped_query_attention(
    queries: Tensor, keys: Tensor, values: Tensor, *, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Attend with more query heads than key heads: neighbouring query heads share keys and values.

    Formula: head_h = softmax(Q_h K_g^T / sqrt(dim)) V_g with g = h // (heads / kv_heads), rounded down
    Source: Ainslie et al. 2023, GQA, section 2.2; Shazeer 2019, Fast Transformer Decoding, section 3.

    As many key heads as query heads is multi-head attention, a single one multi-query attention. The keys are
    read where they are: nothing is repeated in memory.

    Args:
        queries: (batch, heads, queries, dim), floating-point.
        keys: (batch, kv_heads, keys, dim), same dtype; heads must be divisible by kv_heads.
        values: (batch, kv_heads, keys, value_dim), same dtype.
        mask: bool, True = may attend, read as in `masked_softmax` for scores (batch, heads, queries, keys).
    Returns: output (batch, heads, queries, value_dim) and weights (batch, heads, queries, keys).

    >>> queries, keys = torch.ones(1, 4, 3, 8), torch.ones(1, 2, 5, 8)
    >>> output, weights = grouped_query_attention(queries, keys, keys)
    >>> output.shape, weights.shape
    (torch.Size([1, 4, 3, 8]), torch.Size([1, 4, 3, 5]))
    """
    _check_heads(queries, keys, values)
    groups = keys.shape[1]
    # (batch, kv_heads, heads per group, queries, dim) against (batch, kv_heads, 1, keys, dim)
    grouped = queries.unflatten(1, (groups, queries.shape[1] // groups))
    scores = scaled_dot_product_scores(grouped, keys.unsqueeze(2)).flatten(
        1, 2
    )  # (batch, heads, queries, keys)
    weights = masked_softmax(scores, mask)
    output = weights.unflatten(1, grouped.shape[1:3]) @ values.unsqueeze(2)
    return output.flatten(1, 2), weights  # (batch, heads, queries, value_dim)


def _check_heads(queries: Tensor, keys: Tensor, values: Tensor) -> None:
    _check.floating(queries=queries, keys=keys, values=values)
    _check.rank("(batch, heads, {}, dim)", queries=queries, keys=keys, values=values)
    heads, groups = queries.shape[1], keys.shape[1]
    if groups == 0 or heads == 0 or heads % groups:
        raise ValueError(
            "the heads of queries must be divisible by those of keys, "
            f"got queries heads={heads}, keys heads={groups}."
        )
    if keys.shape[:3] != values.shape[:3]:
        raise ValueError(
            "keys and values must have the same batch, heads and length, "
            f"got keys {_check.shape_text(keys)}, values {_check.shape_text(values)}."
        )
    _check.queries_and_keys(queries[:, :1], keys[:, :1])
