"""Ways to read attention maps, and a way to doubt them: other weights with the same output."""

from collections.abc import Sequence

import torch
from torch import Tensor

from .. import _check


def renormalise(weights: Tensor, keep: Tensor) -> Tensor:
    """Leave some keys out of a map and let each row add up to 1 again.

    Formula: weights'[i, j] = weights[i, j] / sum over kept k of weights[i, k] for kept j, else 0

    Args:
        weights: (..., queries, keys).
        keep: bool (keys,), True = the key stays.

    Returns:
        the same shape. A query with no weight on the kept keys gets a row of 0.

    Raises:
        TypeError: weights not floating-point, keep not bool.
        ValueError: another number of keys.

    Example:
        >>> renormalise(torch.tensor([[0.8, 0.15, 0.05]]), torch.tensor([False, True, True]))
        tensor([[0.0000, 0.7500, 0.2500]])

    Source: this book.
    Chapter: notebooks/13_trained_model.ipynb
    """
    _check.floating(weights=weights)
    _check.bool_mask(keep)
    _check.last_axis("weights", weights, "keys", keep.shape[-1])
    kept = torch.where(keep, weights, torch.zeros_like(weights))
    sums = kept.sum(dim=-1, keepdim=True)  # (..., queries, 1)
    return kept / torch.where(sums > 0, sums, torch.ones_like(sums))


def rollout(weights: Tensor) -> Tensor:
    """Follow attention through the layers, half of each token staying where it is.

    Formula: R_0 = I, R_l = (A_l + I) / 2 R_(l-1), A_l the mean map of layer l

    Args:
        weights: (layers, heads, queries, keys).

    Returns:
        (queries, keys), each row adding up to 1.

    Raises:
        TypeError: weights not floating-point.
        ValueError: not four axes.

    Example:
        >>> rollout(torch.full((1, 2, 2, 2), 0.5))
        tensor([[0.7500, 0.2500],
                [0.2500, 0.7500]])

    Source: Abnar and Zuidema 2020, section 3.
    Chapter: notebooks/13_trained_model.ipynb
    """
    _check.floating(weights=weights)
    if weights.dim() != 4:
        shape = _check.shape_text(weights)
        raise ValueError(f"weights must have shape (layers, heads, queries, keys), got {shape}.")
    flow = torch.eye(weights.shape[-1], dtype=weights.dtype, device=weights.device)
    for layer in weights.mean(dim=1):  # (queries, keys)
        flow = (layer + torch.eye(len(layer), dtype=layer.dtype, device=layer.device)) / 2 @ flow
    return flow


def rank_correlation(first: Tensor, second: Tensor) -> float:
    """Say how far two lists of numbers put the same items first: 1 the same order, -1 the reverse, 0 neither.

    Formula: the correlation of the ranks (Spearman's rho); equal numbers share the mean of their ranks

    Args:
        first: (items,).
        second: (items,).

    Returns:
        a number within -1 to 1; NaN if one of the lists has only equal numbers.

    Raises:
        ValueError: different lengths, or fewer than two items.

    Example:
        >>> rank_correlation(torch.tensor([1.0, 5.0, 9.0]), torch.tensor([10.0, 20.0, 21.0]))
        1.0

    Source: Spearman 1904.
    Chapter: notebooks/13_trained_model.ipynb
    """
    if first.shape != second.shape or first.dim() != 1 or len(first) < 2:
        shapes = f"{_check.shape_text(first)} and {_check.shape_text(second)}"
        raise ValueError(f"first and second must have the same shape (items,), items >= 2, got {shapes}.")
    one, other = _ranks(first), _ranks(second)
    return round(float(one @ other / (one.norm() * other.norm())), 12)


def same_output_weights(weights: Tensor, values: Tensor, wish: Tensor, *, steps: int = 3000) -> Tensor:
    """Find other weights, as near to a wish as possible, whose average of the values is the same.

    Formula: minimise |a - wish|^2 over all a >= 0 with sum a = 1 and a V = weights V

    Where keys outnumber the values' numbers by two or more there are others, unless zeros are in the way:
    value_dim + 1 equations do not determine so many unknowns.

    Args:
        weights: (keys,), at least 0, adding up to 1.
        values: V (keys, value_dim).
        wish: (keys,), any numbers.
        steps: alternating projections (Dykstra's algorithm).

    Returns:
        (keys,) float64.

    Raises:
        TypeError: tensors that are not floating-point.
        ValueError: shapes that do not fit.

    Example:
        >>> values = torch.tensor([[0.0], [1.0], [2.0]])
        >>> even = torch.full((3,), 1 / 3)
        >>> same_output_weights(even, values, torch.tensor([0.0, 1.0, 0.0])).round(decimals=4) + 0.0
        tensor([0., 1., 0.], dtype=torch.float64)

    Source: Brunner et al. 2020, section 3 (weights cannot be told from outputs); Boyle and Dykstra 1986.
    Chapter: notebooks/13_trained_model.ipynb
    """
    for name, tensor in {"weights": weights, "values": values, "wish": wish}.items():
        _check.floating(**{name: tensor})
    if weights.dim() != 1 or values.shape[:-1] != weights.shape or wish.shape != weights.shape:
        shapes = ", ".join(_check.shape_text(tensor) for tensor in (weights, values, wish))
        raise ValueError(
            f"weights, values and wish must have shapes (keys,), (keys, value_dim), (keys,), got {shapes}."
        )
    start = weights.double()
    system = torch.cat([values.double(), torch.ones_like(start)[:, None]], dim=-1).T  # (equations, keys)
    onto = torch.linalg.pinv(system) @ system  # (keys, keys), what the equations see
    result, excess = wish.double(), torch.zeros_like(start)
    for _ in range(steps):
        flat = result - onto @ (result - start)  # the nearest point that solves the equations
        result = (flat + excess).clamp(min=0)
        excess = flat + excess - result
    return result


def _ranks(numbers: Tensor) -> Tensor:
    """Return ranks around their mean; equal numbers get the mean of their places."""
    numbers = numbers.double()
    below = (numbers[:, None] > numbers).sum(dim=-1)
    equal = (numbers[:, None] == numbers).sum(dim=-1)
    places = below + (equal - 1) / 2
    return (places - places.mean()).double()


def token_share(weights: Tensor, tokens: Sequence[str], token: str) -> Tensor:
    """Return the share of all weight that one kind of token gets, by layer and head.

    Args:
        weights: (layers, heads, queries, keys).
        tokens: the sentence's tokens.
        token: such as "[CLS]".

    Returns:
        (layers, heads), the mean over the queries.

    Raises:
        ValueError: the token is not in the sentence.

    Example:
        >>> token_share(torch.full((1, 1, 4, 4), 0.25), ["[CLS]", "a", "a", "[SEP]"], "a")
        tensor([[0.5000]])

    Source: Clark et al. 2019, section 3.2.
    Chapter: notebooks/13_trained_model.ipynb
    """
    places = [place for place, other in enumerate(tokens) if other == token]
    if not places:
        raise ValueError(f"token must be one of {' '.join(tokens)}, got {token!r}.")
    return weights[..., places].sum(dim=-1).mean(dim=-1)
