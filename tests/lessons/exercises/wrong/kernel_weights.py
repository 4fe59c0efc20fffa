"""Typical wrong answers to kernel-weights."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.kernel_weights import weigh_by_nearness


@wrong("the width is not used")
def _no_width(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return torch.softmax(-((queries.unsqueeze(1) - keys) ** 2) / 2, dim=1)


@wrong("the distance is multiplied by the width")
def _times_width(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return weigh_by_nearness(queries, keys, 1 / width)


@wrong("the width is not squared")
def _width_once(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return torch.softmax(-((queries[:, None] - keys) ** 2) / (2 * width), dim=-1)


@wrong("the factor 1/2 is missing")
def _no_half(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    heights = torch.exp(-(((queries[:, None] - keys) / width) ** 2))
    return heights / heights.sum(1, keepdim=True)


@wrong("the distance is not squared")
def _peak(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return torch.softmax(-(queries[:, None] - keys).abs() / width, dim=-1)


@wrong("far keys get more weight than near ones")
def _no_minus(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return torch.softmax(torch.cdist(queries[:, None], keys[:, None]).div(width).pow(2) / 2, dim=-1)


@wrong("the area under the kernel is 1")
def _density(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    u = (queries[:, None] - keys) / width
    return torch.exp(-(u**2) / 2) / (2 * torch.pi) ** 0.5


@wrong("the columns sum to 1, not the rows")
def _columns(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return torch.softmax(-(((queries[:, None] - keys) / width) ** 2) / 2, dim=0)


@wrong("the axes of the weights are in the wrong order: (keys, queries)")
def _transposed(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return weigh_by_nearness(queries, keys, width).T


@wrong("far from every key the weights are NaN")
def _underflow(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    heights = torch.exp(-(((queries[:, None] - keys) / width) ** 2) / 2)
    return heights / heights.sum(dim=-1, keepdim=True)


@wrong("another kernel")
def _cauchy(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    heights = 1 / (1 + ((queries[:, None] - keys) / width) ** 2)
    return heights / heights.sum(-1, keepdim=True)


@wrong("squared twice")
def _fourth_power(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    distance = (queries[:, None] - keys) ** 2
    return torch.softmax(-((distance / width) ** 2) / 2, dim=-1)


@wrong("only the nearest key counts")
def _nearest(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    away = (queries[:, None] - keys).abs()
    return torch.zeros_like(away).scatter(1, away.argmin(1, keepdim=True), 1.0)
