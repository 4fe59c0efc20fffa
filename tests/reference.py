"""The formulas as slow loops over plain Python numbers, to compare the package with."""

import math

import torch
from torch import Tensor

TOLERANCE = {
    torch.float16: {"rtol": 2e-3, "atol": 1e-3},
    torch.bfloat16: {"rtol": 2e-2, "atol": 8e-3},
    torch.float32: {"rtol": 1e-5, "atol": 1e-6},
    torch.float64: {"rtol": 1e-12, "atol": 1e-12},
}
DTYPES = tuple(TOLERANCE)


def softmax_row(scores: list[float], allowed: list[bool]) -> list[float]:
    """Weights of one row: 0 where not allowed, all 0 where nothing is."""
    kept = [score for score, may in zip(scores, allowed, strict=True) if may and score != -math.inf]
    if not kept:
        return [0.0] * len(scores)
    top = max(kept)
    total = sum(math.exp(score - top) for score in kept)
    return [math.exp(score - top) / total if may else 0.0 for score, may in zip(scores, allowed, strict=True)]


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Row by row; the mask has the shape of the scores."""
    rows = scores.double().reshape(-1, scores.shape[-1]).tolist()
    masks = mask.expand(scores.shape).reshape(-1, scores.shape[-1]).tolist()
    weights = [softmax_row(row, may) for row, may in zip(rows, masks, strict=True)]
    return torch.tensor(weights, dtype=torch.float64).reshape(scores.shape)


def scores(queries: Tensor, keys: Tensor, score) -> Tensor:
    """Score each pair of one sequence by a function of two lists of numbers."""
    rows = [[score(query, key) for key in keys.tolist()] for query in queries.tolist()]
    return torch.tensor(rows, dtype=torch.float64)


def dot(a: list[float], b: list[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def weighted_average(weights: Tensor, values: Tensor) -> Tensor:
    """Output of one sequence, one number at a time."""
    columns = values.T.tolist()
    return torch.tensor([[dot(row, column) for column in columns] for row in weights.tolist()]).double()


def kernel_weights(queries: list[float], keys: list[float], kernel, width: float) -> Tensor:
    """Heights of the kernel divided by their sum; 0 where the sum is 0."""
    rows = []
    for query in queries:
        heights = [kernel((query - key) / width) for key in keys]
        rows.append([height / sum(heights) if sum(heights) else 0.0 for height in heights])
    return torch.tensor(rows, dtype=torch.float64)


def tensors(
    dtype=torch.float32, batch=(2,), queries=3, keys=5, dim=7, value_dim=11
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw random queries, keys and values."""
    return (
        torch.randn(*batch, queries, dim).to(dtype),
        torch.randn(*batch, keys, dim).to(dtype),
        torch.randn(*batch, keys, value_dim).to(dtype),
    )
