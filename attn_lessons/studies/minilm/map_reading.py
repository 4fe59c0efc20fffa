"""Ways to read attention maps, and a way to doubt them: other weights with the same output.

Chapter: notebooks/13a_a_heads_name.ipynb, notebooks/13b_does_a_map_explain.ipynb,
notebooks/13c_taken_away.ipynb
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from attn_helpers import _check


def renormalise(weights: Tensor, keep: Tensor) -> Tensor:
    """Leave some keys out of a map and let each row add up to 1 again.

    Formula: weights'[i, j] = weights[i, j] / sum over kept k of weights[i, k] for kept j, else 0

    Args:
        weights: (..., queries, keys).
        keep: bool (keys,), True = the key stays.
    Returns: the same shape. A query with no weight on the kept keys gets a row of 0.

    >>> renormalise(torch.tensor([[0.8, 0.15, 0.05]]), torch.tensor([False, True, True]))
    tensor([[0.0000, 0.7500, 0.2500]])
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
    Source: Abnar and Zuidema 2020, section 3.

    Args:
        weights: (layers, heads, queries, keys).
    Returns: (queries, keys), each row adding up to 1.

    >>> rollout(torch.full((1, 2, 2, 2), 0.5))
    tensor([[0.7500, 0.2500],
            [0.2500, 0.7500]])
    """
    _check.floating(weights=weights)
    _check.rank("(layers, heads, queries, keys)", weights=weights)
    flow = torch.eye(weights.shape[-1], dtype=weights.dtype, device=weights.device)
    for layer in weights.mean(dim=1):  # (queries, keys)
        flow = (layer + torch.eye(len(layer), dtype=layer.dtype, device=layer.device)) / 2 @ flow
    return flow


def same_output_weights(weights: Tensor, values: Tensor, wish: Tensor, *, steps: int = 3000) -> Tensor:
    """Find other weights, as near to a wish as possible, whose average of the values is the same.

    Formula: minimise |a - wish|^2 over all a >= 0 with sum a = 1 and a V = weights V
    Source: Brunner et al. 2020, section 3 (weights cannot be told from outputs); Boyle and Dykstra 1986.

    Whether there are any is said by `weight_freedom` where all weights are above 0. A weight of 0 can only
    grow, which may leave no way to go: for values 0, 1, 2 and weights (0, 0, 1) there is none.

    Args:
        weights: (keys,), at least 0, adding up to 1.
        values: V (keys, value_dim).
        wish: (keys,), any numbers.
        steps: alternating projections (Dykstra's algorithm).
    Returns: (keys,) float64.

    >>> values = torch.tensor([[0.0], [1.0], [2.0]])
    >>> even = torch.full((3,), 1 / 3)
    >>> same_output_weights(even, values, torch.tensor([0.0, 1.0, 0.0])).round(decimals=4) + 0.0
    tensor([0., 1., 0.], dtype=torch.float64)
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


def weight_freedom(weights: Tensor, values: Tensor) -> int:
    """Count the directions in which weights can move while their average of the values stays as it is.

    Formula: n - rank([V, 1]), V (n, value_dim) the values of the n keys with a weight above 0
    Source: Brunner et al. 2020, section 3, with its condition.

    With all weights above 0 and the values in general position (no two equal, no three on a line, ...) the
    rank is value_dim + 1 or n: from value_dim + 2 keys on there are other weights with the same output.
    Values in a special position leave more freedom, weights of 0 leave less: no weight may go below 0.

    Args:
        weights: (keys,), at least 0, adding up to 1.
        values: V (keys, value_dim).
    Returns: the number of independent directions among the keys with a weight above 0.

    >>> values = torch.tensor([[0.0], [1.0], [2.0]])
    >>> [weight_freedom(torch.tensor(own), values) for own in ([0.3, 0.3, 0.4], [0.0, 0.0, 1.0])]
    [1, 0]
    """
    _check.floating(weights=weights)
    _check.floating(values=values)
    if weights.dim() != 1 or values.dim() != 2 or len(values) != len(weights):
        shapes = f"{_check.shape_text(weights)} and {_check.shape_text(values)}"
        raise ValueError(f"weights and values must have shapes (keys,) and (keys, value_dim), got {shapes}.")
    used = values[weights > 0].double()
    system = torch.cat([used, torch.ones_like(used[:, :1])], dim=-1)  # (used keys, value_dim + 1)
    return len(used) - int(torch.linalg.matrix_rank(system))


def heaviest_keys(weights: Tensor, tokens: Sequence[str], most: int) -> tuple[list[tuple[str, float]], float]:
    """List the keys with most weight, and say how much all the others get together.

    Args:
        weights: (keys,), one row of a map.
        tokens: the keys' tokens.
    Returns: (token, weight) from the heaviest down, and the sum of the weights that are not listed.

    >>> listed, rest = heaviest_keys(torch.tensor([0.25, 0.5, 0.25]), ["the", "cat", "slept"], most=1)
    >>> listed, rest
    ([('cat', 0.5)], 0.5)
    """
    _check.count("most", most, least=1)
    _check.last_axis("weights", weights, "tokens", len(tokens))
    order = weights.argsort(descending=True, stable=True)[:most].tolist()
    listed = [(tokens[place], weights[place].item()) for place in order]
    return listed, max(0.0, (weights.sum() - weights[order].sum()).item())


def token_share(weights: Tensor, tokens: Sequence[str], token: str) -> Tensor:
    """Return the share of all weight that one kind of token gets, by layer and head.

    Source: Clark et al. 2019, section 3.2.

    Args:
        weights: (layers, heads, queries, keys).
    Returns: (layers, heads), the mean over the queries.

    >>> token_share(torch.full((1, 1, 4, 4), 0.25), ["[CLS]", "a", "a", "[SEP]"], "a")
    tensor([[0.5000]])
    """
    places = [place for place, other in enumerate(tokens) if other == token]
    if not places:
        raise ValueError(f"token must be one of {' '.join(tokens)}, got {token!r}.")
    return weights[..., places].sum(dim=-1).mean(dim=-1)
