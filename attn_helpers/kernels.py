"""Kernels, and attention pooling in its oldest form: the Nadaraya-Watson weighted average.

A kernel takes distances u in units of the width, of any shape, and gives heights K(u) of the same shape; as a
function of u its area is 1. Most are in Silverman 1986, Density Estimation, section 3.3.2.

Chapter: notebooks/01a_weighted_average.ipynb, notebooks/01b_learn_the_width.ipynb
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from attn_helpers import _check
from attn_helpers.masking import masked_softmax


def gaussian(u: Tensor) -> Tensor:
    """Weigh by the bell curve, never 0, soon tiny: K(u) = exp(-u^2 / 2) / sqrt(2 pi).

    >>> gaussian(torch.tensor([0.0, 1.0]))
    tensor([0.3989, 0.2420])
    """
    _check.floating(u=u)
    return torch.exp(-u.square() / 2) / math.sqrt(2 * math.pi)


def laplacian(u: Tensor) -> Tensor:
    """Weigh by a peak that falls off at the same rate everywhere: K(u) = exp(-|u|) / 2.

    >>> laplacian(torch.tensor([0.0, 1.0]))
    tensor([0.5000, 0.1839])
    """
    _check.floating(u=u)
    return torch.exp(-u.abs()) / 2


def boxcar(u: Tensor) -> Tensor:
    """Weigh all points within one width equally, others not at all: K(u) = 1/2 for |u| <= 1, else 0.

    >>> boxcar(torch.tensor([0.0, 0.9, 1.1]))
    tensor([0.5000, 0.5000, 0.0000])
    """
    _check.floating(u=u)
    inside = (u.abs() <= 1).to(u.dtype) / 2
    return torch.where(u.isnan(), u, inside)  # a comparison would turn NaN into 0


def triangular(u: Tensor) -> Tensor:
    """Weigh by a straight slope that reaches 0 at one width: K(u) = max(0, 1 - |u|).

    >>> triangular(torch.tensor([0.0, 0.5, 2.0]))
    tensor([1.0000, 0.5000, 0.0000])
    """
    _check.floating(u=u)
    return (1 - u.abs()).clamp(min=0)


def epanechnikov(u: Tensor) -> Tensor:
    """Weigh by a parabola that reaches 0 at one width: K(u) = 3/4 max(0, 1 - u^2) (Epanechnikov 1969).

    >>> epanechnikov(torch.tensor([0.0, 0.5, 2.0]))
    tensor([0.7500, 0.5625, 0.0000])
    """
    _check.floating(u=u)
    return 0.75 * (1 - u.square()).clamp(min=0)


def quartic(u: Tensor) -> Tensor:
    """Weigh by a squared parabola, which meets 0 without a corner: K(u) = 15/16 max(0, 1 - u^2)^2.

    >>> quartic(torch.tensor([0.0, 0.5, 2.0]))
    tensor([0.9375, 0.5273, 0.0000])
    """
    _check.floating(u=u)
    return 0.9375 * (1 - u.square()).clamp(min=0).square()


kernel_functions: dict[str, Callable[[Tensor], Tensor]] = {
    "gaussian": gaussian,
    "laplacian": laplacian,
    "boxcar": boxcar,
    "triangular": triangular,
    "epanechnikov": epanechnikov,
    "quartic": quartic,
}

# log K(u) without its constant, which cancels: far from every key K underflows to 0, its logarithm does not
_log_kernels: dict[str, Callable[[Tensor], Tensor]] = {
    "gaussian": lambda u: -u.square() / 2,
    "laplacian": lambda u: -u.abs(),
}


def kernel_weights(
    queries: Tensor,
    keys: Tensor,
    *,
    kernel: str | Callable[[Tensor], Tensor] = "gaussian",
    width: float | Tensor = 1.0,
    mask: Tensor | None = None,
) -> Tensor:
    """Weigh each key by how near it is to the query.

    Formula: weights[i, j] = K(|q_i - k_j| / width) / sum_m K(|q_i - k_m| / width)
    Source: Nadaraya 1964; Watson 1964.

    Each row sums to 1; a row with no key in reach of a compact kernel is all 0.

    Args:
        queries: plain numbers (queries,) or points (..., queries, dim), floating-point.
        keys: plain numbers (keys,) or points (..., keys, dim), same dtype.
        kernel: a name in `kernel_functions`, or a function of distance / width that is nowhere negative.
        width: a number, or tensor with one, above 0; it may need a gradient.
        mask: bool, True = may attend, read as in `masked_softmax`.
    Returns: weights (..., queries, keys).

    >>> kernel_weights(torch.tensor([0.0]), torch.tensor([0.0, 1.0, 3.0]), kernel="triangular", width=2.0)
    tensor([[0.6667, 0.3333, 0.0000]])
    """
    if not callable(kernel):
        _check.choice("kernel", kernel, kernel_functions)
    _check.positive("width", width)
    u = _distances(queries, keys) / (width.reshape(()) if isinstance(width, Tensor) else width)
    if isinstance(kernel, str) and kernel in _log_kernels:
        return masked_softmax(_log_kernels[kernel](u), mask)
    height = (kernel if callable(kernel) else kernel_functions[kernel])(u)  # (..., queries, keys)
    if mask is not None:
        height = torch.where(_check.fit_mask(mask, u), height, 0.0)
    total = height.sum(dim=-1, keepdim=True)  # (..., queries, 1)
    return height / torch.where(total == 0, 1.0, total)


def nadaraya_watson(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    *,
    kernel: str | Callable[[Tensor], Tensor] = "gaussian",
    width: float | Tensor = 1.0,
    mask: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Predict at each query the average of the values, weighted by how near their keys are.

    Formula: f(q_i) = sum_j weights[i, j] v_j
    Source: Nadaraya 1964; Watson 1964.

    Args:
        queries: plain numbers (queries,) or points (..., queries, dim), floating-point.
        keys: plain numbers (keys,) or points (..., keys, dim), same dtype.
        values: (keys,) or (..., keys, value_dim), same dtype.
        mask: as in `kernel_weights`; `leave_one_out_mask(keys)` predicts each point from the others.
    Returns: output (queries,) or (..., queries, value_dim), and weights (..., queries, keys).

    >>> output, weights = nadaraya_watson(
    ...     torch.tensor([0.5]), torch.tensor([0.0, 1.0]), torch.tensor([2.0, 4.0]))
    >>> output, weights
    (tensor([3.]), tensor([[0.5000, 0.5000]]))
    """
    _check.floating(queries=queries, keys=keys, values=values)
    weights = kernel_weights(queries, keys, kernel=kernel, width=width, mask=mask)
    columns = values.unsqueeze(-1) if values.dim() == 1 else values  # (..., keys, value_dim)
    _check.keys_and_values(keys.unsqueeze(-1) if keys.dim() == 1 else keys, columns)
    output = weights @ columns  # (..., queries, value_dim)
    return output.squeeze(-1) if values.dim() == 1 else output, weights


class NadarayaWatson(nn.Module):
    """Nadaraya-Watson pooling whose width is learned.

    Formula: weights = softmax over j of -((q_i - k_j) w)^2 / 2, with w = 1 / width the one parameter
    Source: Zhang et al., Dive into Deep Learning, section 11.2 (adapting attention pooling).

    Nothing holds w back: trained to predict points that are among its own keys, it grows until each point
    attends to itself alone and the training error is 0. With `mask=leave_one_out_mask(keys)` it does not.

    Call it with (queries, keys, values, *, mask=None) as in `nadaraya_watson`; it returns the output, and
    `.attention_weights` holds the last weights, without their gradient.

    Args:
        width: where the width starts, above 0.
        kernel: a name in `kernel_functions`. The boxcar gives w no gradient.

    >>> pool = NadarayaWatson(width=0.5)
    >>> pool(torch.tensor([0.5]), torch.tensor([0.0, 1.0]), torch.tensor([2.0, 4.0]))
    tensor([3.], grad_fn=<SqueezeBackward1>)
    >>> pool.w
    Parameter containing:
    tensor(2., requires_grad=True)
    """

    def __init__(self, width: float = 1.0, kernel: str = "gaussian") -> None:
        super().__init__()
        _check.positive("width", width)
        _check.choice("kernel", kernel, kernel_functions)
        self.kernel = kernel
        self.w = nn.Parameter(torch.tensor(1.0 / float(width)))
        self.attention_weights: Tensor | None = None

    @property
    def width(self) -> Tensor:
        """The width in use, 1 / |w|."""
        return 1 / self.w.abs()

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, *, mask: Tensor | None = None) -> Tensor:
        """Return the pooled values (queries,) or (..., queries, value_dim)."""
        output, weights = nadaraya_watson(
            queries, keys, values, kernel=self.kernel, width=self.width, mask=mask
        )
        self.attention_weights = weights.detach()
        return output


def _distances(queries: Tensor, keys: Tensor) -> Tensor:
    """Distance of each query to each key (..., queries, keys); signed for plain numbers."""
    _check.floating(queries=queries, keys=keys)
    _check.rank_at_least(1, "({0},) or (..., {0}, dim)", queries=queries, keys=keys)
    if (queries.dim() == 1) != (keys.dim() == 1):
        raise ValueError(
            "queries and keys must both be numbers (queries,), (keys,) or both be points (..., dim), "
            f"got queries {_check.shape_text(queries)}, keys {_check.shape_text(keys)}."
        )
    if queries.dim() == 1:
        return queries.unsqueeze(-1) - keys  # (queries, keys)
    _check.queries_and_keys(queries, keys)
    difference = queries.unsqueeze(-2) - keys.unsqueeze(-3)  # (..., queries, keys, dim)
    if difference.shape[-1] == 1:
        return difference.squeeze(-1)
    return torch.linalg.vector_norm(difference, dim=-1)
