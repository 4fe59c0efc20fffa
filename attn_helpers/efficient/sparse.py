"""Sparse attention that computes the allowed scores only; a mask alone computes them all.

Chapter: notebooks/09b_another_answer_cheaper.ipynb
"""

import torch
from torch import Tensor

from attn_helpers import _check
from attn_helpers.masking import masked_softmax


def pattern_keys(pattern: Tensor) -> tuple[Tensor, Tensor]:
    """List for each query the keys that a pattern allows.

    Formula: indices[i] = the j with pattern[i, j], in order, filled up with 0

    Args:
        pattern: bool (queries, keys), True = may attend.
    Returns: indices, int64 (queries, most), and valid, bool (queries, most): which of them count. `most` is
        the largest number of keys that one query may attend to.

    >>> from attn_helpers.efficient import local_pattern
    >>> pattern_keys(local_pattern(3, window=2, causal=True))
    (tensor([[0, 0],
            [0, 1],
            [1, 2]]), tensor([[ True, False],
            [ True,  True],
            [ True,  True]]))
    """
    _check.bool_mask(pattern)
    _check.rank("(queries, keys)", pattern=pattern)
    counts = pattern.sum(dim=-1)  # (queries,)
    most = int(counts.max()) if pattern.numel() else 0
    rows, keys = pattern.nonzero(as_tuple=True)  # one entry for each True
    first = (counts.cumsum(0) - counts)[rows]  # the entry at which the row begins
    places = torch.arange(len(rows), device=pattern.device) - first
    indices = torch.zeros(len(pattern), most, dtype=torch.int64, device=pattern.device)
    indices[rows, places] = keys
    return indices, torch.arange(most, device=pattern.device) < counts[:, None]


def sparse_attention(
    queries: Tensor, keys: Tensor, values: Tensor, indices: Tensor, valid: Tensor
) -> tuple[Tensor, Tensor]:
    """Attend to listed keys only, at a cost of queries times listed keys.

    Formula: output_i = sum over listed j of softmax(q_i k_j / sqrt(dim)) v_j
    Source: Child et al. 2019, Sparse Transformers, section 4.2.

    Equal to `scaled_dot_product_attention` with the pattern as its mask.

    Args:
        queries: (..., queries, dim), floating-point.
        keys: (..., keys, dim), same dtype.
        values: (..., keys, value_dim), same dtype.
        indices: int64 (queries, most), which keys, see `pattern_keys`.
        valid: bool (queries, most), which of the indices count.
    Returns: output (..., queries, value_dim), and the weights of the listed keys (..., queries, most). A
        query without valid keys has weights 0 and output 0.

    >>> x, listed = torch.eye(2), torch.tensor([[0], [0]])
    >>> sparse_attention(x, x, x, listed, torch.tensor([[True], [False]]))[0]
    tensor([[1., 0.],
            [0., 0.]])
    """
    _check.queries_and_keys(queries, keys)
    _check.keys_and_values(keys, values)
    _check_lists(indices, valid, queries.shape[-2], keys.shape[-2])
    near_keys = keys[..., indices, :]  # (..., queries, most, dim)
    near_values = values[..., indices, :]  # (..., queries, most, value_dim)
    # one row of scores per query: (..., queries, most)
    scores = (near_keys @ (queries * queries.shape[-1] ** -0.5).unsqueeze(-1)).squeeze(-1)
    weights = masked_softmax(scores, valid.expand(scores.shape))
    return (weights.unsqueeze(-2) @ near_values).squeeze(-2), weights  # (..., queries, value_dim)


def _check_lists(indices: Tensor, valid: Tensor, num_queries: int, num_keys: int) -> None:
    if not isinstance(indices, Tensor) or indices.dtype != torch.int64:
        kind = getattr(indices, "dtype", type(indices).__name__)
        raise TypeError(f"indices must be an int64 torch.Tensor, got {kind}.")
    if not isinstance(valid, Tensor) or valid.dtype != torch.bool:
        raise TypeError(
            f"valid must be a bool torch.Tensor, got {getattr(valid, 'dtype', type(valid).__name__)}."
        )
    if indices.dim() != 2 or indices.shape[0] != num_queries or indices.shape != valid.shape:
        raise ValueError(
            f"indices and valid must have shape (queries={num_queries}, most), "
            f"got indices {_check.shape_text(indices)}, valid {_check.shape_text(valid)}."
        )
    if _check.values_known(indices, valid) and indices.numel():
        low, high = indices.min().item(), indices.max().item()
        if low < 0 or high >= num_keys:
            raise ValueError(
                f"indices must lie between 0 and keys - 1 = {num_keys - 1}, got {low} to {high}."
            )
