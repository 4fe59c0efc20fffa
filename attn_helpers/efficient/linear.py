"""Linear attention: another weighting than softmax, one that costs time in proportion to the length.

Chapter: notebooks/09b_another_answer_cheaper.ipynb
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from attn_helpers import _check
from attn_helpers.masking import causal_mask

_CHUNK = 64  # positions whose weights are made explicit at a time in the causal form


class LinearState(NamedTuple):
    """What causal linear attention remembers of all past positions, whatever their number.

    >>> LinearState(products=torch.zeros(2, 3), total=torch.zeros(2)).total
    tensor([0., 0.])
    """

    products: Tensor
    """(..., features, value_dim): sum of phi(k_j) v_j^T"""
    total: Tensor
    """(..., features): sum of phi(k_j)"""


def elu_plus_one(x: Tensor) -> Tensor:
    """Map numbers to positive ones: x + 1 above zero, exp(x) below.

    Formula: phi(x) = elu(x) + 1
    Source: Katharopoulos et al. 2020, Transformers are RNNs, equation 7.

    Args:
        x: any shape, floating-point.
    Returns: features of the shape of x, all at least 0.

    >>> elu_plus_one(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([0.3679, 1.0000, 3.0000])
    """
    _check.floating(x=x)
    # not elu(x) + 1: for x below -17 in float32 that is 0, and its precision is lost long before
    return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))


def linear_attention(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    *,
    causal: bool = False,
    feature_map: Callable[[Tensor], Tensor] = elu_plus_one,
    key_mask: Tensor | None = None,
) -> Tensor:
    """Average the values by products of features, in time and memory proportional to the length.

    Formula: output_i = phi(q_i)^T (sum_j phi(k_j) v_j^T) / phi(q_i)^T (sum_j phi(k_j)), j <= i if causal
    Source: Katharopoulos et al. 2020, Transformers are RNNs, equations 5 and 6.

    This is not softmax attention, nor an approximation of it: the weights differ, and by how much depends on
    the size of the scores. See `linear_attention_weights` for the weights themselves.

    Args:
        queries: (..., queries, dim), floating-point.
        keys: (..., keys, dim), same dtype.
        values: (..., keys, value_dim), same dtype.
        causal: each query sees the keys up to its own position; needs as many queries as keys.
        feature_map: phi, a function of (..., dim) that returns (..., features), all at least 0.
        key_mask: bool (..., keys), True = may be attended, the same for all queries. Another mask is not
            possible without computing all the weights.
    Returns: output (..., queries, value_dim), 0 where the features meet no key.

    >>> q, k, v = torch.zeros(2, 1), torch.zeros(2, 1), torch.tensor([[1.0], [3.0]])
    >>> linear_attention(q, k, v), linear_attention(q, k, v, causal=True)
    (tensor([[2.],
            [2.]]), tensor([[1.],
            [2.]]))
    """
    q, k = _features(queries, keys, values, causal, feature_map, key_mask)
    v = values.to(k.dtype)
    if causal:
        return _causal(q, k, v).to(values.dtype)
    sums = k.mT @ v  # (..., features, value_dim)
    total = k.sum(dim=-2).unsqueeze(-1)  # (..., features, 1)
    return _divided(q @ sums, q @ total).to(values.dtype)


def linear_attention_weights(
    queries: Tensor,
    keys: Tensor,
    *,
    causal: bool = False,
    feature_map: Callable[[Tensor], Tensor] = elu_plus_one,
    key_mask: Tensor | None = None,
) -> Tensor:
    """Make the weights of `linear_attention` explicit, at the cost that it avoids.

    Formula: weights[i, j] = phi(q_i)^T phi(k_j) / sum_l phi(q_i)^T phi(k_l), j and l <= i if causal
    Source: Katharopoulos et al. 2020, Transformers are RNNs, equation 4.

    Args:
        queries: (..., queries, dim), floating-point.
        keys: (..., keys, dim), same dtype.
    Returns: weights (..., queries, keys); a row sums to 1, or is 0 where the features meet no key.

    >>> linear_attention_weights(torch.tensor([[1.0]]), torch.tensor([[0.0], [2.0]]))
    tensor([[0.2500, 0.7500]])
    """
    q, k = _features(queries, keys, keys, causal, feature_map, key_mask)
    products = q @ k.mT  # (..., queries, keys)
    if causal:
        products = products * causal_mask(products.shape[-1], device=products.device)
    return _divided(products, products.sum(dim=-1, keepdim=True)).to(queries.dtype)


def linear_attention_step(
    state: LinearState | None,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *,
    feature_map: Callable[[Tensor], Tensor] = elu_plus_one,
) -> tuple[LinearState, Tensor]:
    """Take one position further: causal linear attention as a recurrence with a state of fixed size.

    Formula: S_i = S_{i-1} + phi(k_i) v_i^T, z_i = z_{i-1} + phi(k_i),
        output_i = S_i^T phi(q_i) / z_i^T phi(q_i)
    Source: Katharopoulos et al. 2020, Transformers are RNNs, equations 16 to 20.

    Args:
        state: what the last step returned; None at the first position.
        query: (..., dim), of this position.
        key: (..., dim).
        value: (..., value_dim).
    Returns: the new state and the output (..., value_dim).

    >>> zero = torch.zeros(1)
    >>> state, first = linear_attention_step(None, zero, zero, torch.tensor([1.0]))
    >>> state, second = linear_attention_step(state, zero, zero, torch.tensor([3.0]))
    >>> first, second
    (tensor([1.]), tensor([2.]))
    """
    one_query, one_key, one_value = (tensor.unsqueeze(-2) for tensor in (query, key, value))
    features = _features(one_query, one_key, one_value, False, feature_map, None)
    q, k = (x.squeeze(-2) for x in features)
    products, total = k.unsqueeze(-1) * value.to(k.dtype).unsqueeze(-2), k
    if state is not None:
        products, total = state.products + products, state.total + total
    top = (q.unsqueeze(-2) @ products).squeeze(-2)  # (..., value_dim)
    below = (q * total).sum(dim=-1, keepdim=True)  # (..., 1)
    return LinearState(products, total), _divided(top, below).to(value.dtype)


def _causal(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Explicit weights within a chunk, the fixed-size state for all that lies before it."""
    ones = torch.ones_like(v[..., :1])
    v = torch.cat([v, ones], dim=-1)  # the last column collects the sum of the weights
    state, outputs = 0.0, []
    for q_part, k_part, v_part in zip(*(x.split(_CHUNK, dim=-2) for x in (q, k, v)), strict=True):
        past = causal_mask(q_part.shape[-2], device=q.device)
        inside = (q_part @ k_part.mT * past) @ v_part
        before = 0.0 if isinstance(state, float) else q_part @ state
        outputs.append(inside + before)
        state = state + k_part.mT @ v_part  # (..., features, value_dim + 1)
    both = torch.cat(outputs, dim=-2)
    return _divided(both[..., :-1], both[..., -1:])


def _divided(top: Tensor, below: Tensor) -> Tensor:
    """Divide, 0 where there is nothing to divide by; with a finite gradient there."""
    empty = below == 0
    return torch.where(empty, 0.0, top / torch.where(empty, 1.0, below))


def _features(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    causal: bool,
    feature_map: Callable[[Tensor], Tensor],
    key_mask: Tensor | None,
) -> tuple[Tensor, Tensor]:
    """Check, and give the features of queries and keys in a dtype that can hold long sums."""
    _check.queries_and_keys(queries, keys)
    _check.keys_and_values(keys, values)
    if causal and queries.shape[-2] != keys.shape[-2]:
        raise ValueError(
            f"causal needs as many queries as keys, got queries={queries.shape[-2]}, keys={keys.shape[-2]}."
        )
    wide = torch.promote_types(queries.dtype, torch.float32)
    q, k = feature_map(queries.to(wide)), feature_map(keys.to(wide))
    for x in (q, k):
        if _check.values_known(x) and bool((x < 0).any()):
            raise ValueError(f"feature_map must return numbers of at least 0, got {x.min().item():.4g}.")
    if key_mask is not None:
        k = k * _fitted(key_mask, keys).unsqueeze(-1)
    return q, k


def _fitted(key_mask: Tensor, keys: Tensor) -> Tensor:
    _check.bool_mask(key_mask)
    if not _check.broadcasts(key_mask.shape, keys.shape[:-1]):
        raise ValueError(
            f"key_mask must broadcast to (..., keys) = {tuple(keys.shape[:-1])}, "
            f"got {_check.shape_text(key_mask)}."
        )
    return key_mask
