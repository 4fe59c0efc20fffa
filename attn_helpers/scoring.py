"""Scoring functions: how well each key answers each query, as one number per pair.

Chapter: notebooks/02a_scores.ipynb, notebooks/02b_scaling.ipynb
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attn_helpers import _check


def dot_product_scores(queries: Tensor, keys: Tensor) -> Tensor:
    """Score by the dot product.

    Formula: scores[i, j] = q_i . k_j
    Source: Luong et al. 2015, Effective Approaches to Attention-based NMT, section 3.1 (dot).

    Args:
        queries: (..., queries, dim), floating-point.
        keys: (..., keys, dim), same dtype.
    Returns: scores (..., queries, keys).

    >>> dot_product_scores(torch.tensor([[2.0, 3.0]]), torch.tensor([[1.0, 0.0], [1.0, 1.0]]))
    tensor([[2., 5.]])
    """
    _check.queries_and_keys(queries, keys)
    return queries @ keys.transpose(-2, -1)  # (..., queries, keys)


def scaled_dot_product_scores(
    queries: Tensor, keys: Tensor, *, scale: float | Tensor | None = None
) -> Tensor:
    """Score by the dot product divided by sqrt(dim), which keeps its variance at 1 for random vectors.

    Formula: scores[i, j] = q_i . k_j / sqrt(dim)
    Source: Vaswani et al. 2017, Attention Is All You Need, section 3.2.1, equation 1.

    Args:
        queries: (..., queries, dim), floating-point.
        keys: (..., keys, dim), same dtype.
        scale: what the dot product is multiplied by; 1 / sqrt(dim) if left out.
    Returns: scores (..., queries, keys).

    >>> scaled_dot_product_scores(torch.ones(1, 4), torch.ones(3, 4))
    tensor([[2., 2., 2.]])
    """
    _check.queries_and_keys(queries, keys)
    scale = 1 / math.sqrt(queries.shape[-1]) if scale is None else scale
    # scaling the queries first keeps large products inside the range of float16
    return dot_product_scores(queries * scale, keys)


def bilinear_scores(queries: Tensor, keys: Tensor, weight: Tensor) -> Tensor:
    """Score by a learned matrix between query and key, whose sizes may differ.

    Formula: scores[i, j] = q_i^T W k_j
    Source: Luong et al. 2015, section 3.1 (general).

    Args:
        queries: (..., queries, query_size), floating-point.
        keys: (..., keys, key_size), same dtype.
        weight: W (query_size, key_size), same dtype.
    Returns: scores (..., queries, keys).

    >>> bilinear_scores(torch.ones(1, 2), torch.ones(4, 3), torch.ones(2, 3))
    tensor([[6., 6., 6., 6.]])
    """
    _check.queries_and_keys(queries, keys, same_dim=False)
    _check.parameter("weight", weight, queries, query_size=queries.shape[-1], key_size=keys.shape[-1])
    return dot_product_scores(queries @ weight, keys)  # (..., queries, keys)


def additive_scores(queries: Tensor, keys: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """Score by a small network with one hidden layer that sees query and key.

    Formula: scores[i, j] = w_v . tanh(W_q q_i + W_k k_j)
    Source: Bahdanau et al. 2015, Neural Machine Translation by Jointly Learning to Align and Translate.

    Args:
        queries: (..., queries, query_size), floating-point.
        keys: (..., keys, key_size), same dtype.
        w_q: W_q (num_hiddens, query_size), same dtype.
        w_k: W_k (num_hiddens, key_size), same dtype.
        w_v: (num_hiddens,), same dtype.
    Returns: scores (..., queries, keys).

    >>> scores = additive_scores(
    ...     torch.zeros(1, 2), torch.zeros(4, 3), torch.ones(5, 2), torch.ones(5, 3), torch.ones(5))
    >>> scores
    tensor([[0., 0., 0., 0.]])
    """
    _check.queries_and_keys(queries, keys, same_dim=False)
    _check.parameter("w_q", w_q, queries, num_hiddens=None, query_size=queries.shape[-1])
    _check.parameter("w_k", w_k, queries, num_hiddens=w_q.shape[0], key_size=keys.shape[-1])
    _check.parameter("w_v", w_v, queries, num_hiddens=w_q.shape[0])
    from_queries = (queries @ w_q.T).unsqueeze(-2)  # (..., queries, 1, num_hiddens)
    from_keys = (keys @ w_k.T).unsqueeze(-3)  # (..., 1, keys, num_hiddens)
    return torch.tanh(from_queries + from_keys) @ w_v  # (..., queries, keys)


def gaussian_scores(queries: Tensor, keys: Tensor, *, width: float | Tensor = 1.0) -> Tensor:
    """Score by nearness: the exponent of the Gaussian kernel.

    Formula: scores[i, j] = -|q_i - k_j|^2 / (2 width^2)
    Source: Nadaraya 1964; Watson 1964.

    Where all keys have the same length, its weights are those of q_i . k_j / width^2.

    Args:
        queries: (..., queries, dim), floating-point.
        keys: (..., keys, dim), same dtype.
        width: a number, or tensor with one, above 0.
    Returns: scores (..., queries, keys), at most 0.

    >>> gaussian_scores(torch.tensor([[0.0, 0.0]]), torch.tensor([[0.0, 0.0], [1.0, 1.0]]))
    tensor([[-0., -1.]])
    """
    _check.queries_and_keys(queries, keys)
    _check.positive("width", width)
    width = width.reshape(()) if isinstance(width, Tensor) else width
    difference = (queries.unsqueeze(-2) - keys.unsqueeze(-3)) / width  # (..., queries, keys, dim)
    return -difference.square().sum(dim=-1) / 2  # (..., queries, keys)


score_functions: dict[str, Callable[..., Tensor]] = {
    "dot_product": dot_product_scores,
    "scaled_dot_product": scaled_dot_product_scores,
    "bilinear": bilinear_scores,
    "additive": additive_scores,
    "gaussian": gaussian_scores,
}


def score_function(name: str) -> Callable[..., Tensor]:
    """Look up a scoring function by its name.

    Formula: "dot_product" -> q.k, "scaled_dot_product" -> q.k / sqrt(dim), "bilinear" -> q^T W k,
        "additive" -> w_v . tanh(W_q q + W_k k), "gaussian" -> -|q - k|^2 / (2 width^2)
    Source: Luong et al. 2015, section 3.1, compares scoring functions under one interface.

    Returns: a function of (queries, keys, ...) that gives scores (..., queries, keys).

    >>> score_function("dot_product") is dot_product_scores
    True
    """
    _check.choice("score", name, score_functions)
    return score_functions[name]
