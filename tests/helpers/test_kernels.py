import math

import pytest
import reference
import torch
from hypothesis import given
from hypothesis import strategies as st
from reference import DTYPES, TOLERANCE
from torch.testing import assert_close

from attn_helpers import (
    boxcar,
    epanechnikov,
    gaussian,
    kernel_functions,
    kernel_weights,
    laplacian,
    nadaraya_watson,
    quartic,
    triangular,
)

BY_HAND = {
    "gaussian": lambda u: math.exp(-u * u / 2) / math.sqrt(2 * math.pi),
    "laplacian": lambda u: math.exp(-abs(u)) / 2,
    "boxcar": lambda u: 0.5 if abs(u) <= 1 else 0.0,
    "triangular": lambda u: max(0.0, 1 - abs(u)),
    "epanechnikov": lambda u: 0.75 * (1 - u * u) if abs(u) < 1 else 0.0,
    "quartic": lambda u: 15 / 16 * (1 - u * u) ** 2 if abs(u) < 1 else 0.0,
}

COMPACT = ["boxcar", "triangular", "epanechnikov", "quartic"]


def test_every_kernel_is_compared_by_hand():
    assert set(BY_HAND) == set(kernel_functions)


@pytest.mark.parametrize("name", BY_HAND)
@pytest.mark.parametrize("dtype", DTYPES)
def test_kernels_follow_their_formula(name, dtype):
    u = torch.tensor([-3.0, -1.0, -0.5, 0.0, 0.25, 0.75, 1.5], dtype=dtype)
    expected = torch.tensor([BY_HAND[name](x) for x in u.tolist()], dtype=torch.float64)
    height = kernel_functions[name](u)
    assert height.dtype == dtype
    assert_close(height.double(), expected, **TOLERANCE[dtype])


@pytest.mark.parametrize("kernel", [gaussian, laplacian, boxcar, triangular, epanechnikov, quartic])
def test_kernels_keep_nan_and_refuse_integers(kernel):
    assert kernel(torch.tensor([math.nan])).isnan().all()
    with pytest.raises(TypeError, match=r"u must be floating-point, got torch.int64"):
        kernel(torch.tensor([1]))


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian", "triangular", "epanechnikov", "quartic"])
def test_gradients_of_weights_are_right(kernel):
    queries = torch.tensor([0.1, 0.77], dtype=torch.float64, requires_grad=True)
    keys = torch.tensor([0.0, 0.5, 1.3], dtype=torch.float64, requires_grad=True)
    width = torch.tensor(0.9, dtype=torch.float64, requires_grad=True)

    def weights(queries, keys, width):
        return kernel_weights(queries, keys, kernel=kernel, width=width)

    assert torch.autograd.gradcheck(weights, (queries, keys, width))


@pytest.mark.parametrize("kernel", BY_HAND)
@given(width=st.floats(0.1, 3), seed=st.integers(0, 99))
def test_weights_equal_a_slow_loop(kernel, width, seed):
    points = 4 * torch.rand(12, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    queries, keys = points[:5], points[5:]
    expected = reference.kernel_weights(queries.tolist(), keys.tolist(), BY_HAND[kernel], width)
    assert_close(kernel_weights(queries, keys, kernel=kernel, width=width), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kernel", COMPACT)
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_query_without_neighbours_has_weights_zero_and_finite_gradient(kernel, dtype):
    queries = torch.tensor([0.0, 50.0], dtype=dtype, requires_grad=True)
    keys, values = torch.tensor([0.0, 0.5], dtype=dtype), torch.tensor([1.0, 2.0], dtype=dtype)
    output, weights = nadaraya_watson(queries, keys, values, kernel=kernel)
    output.sum().backward()
    assert weights[1].tolist() == [0.0, 0.0]
    assert output[1] == 0
    assert queries.grad.isfinite().all()


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
def test_a_query_far_from_every_key_still_finds_the_nearest(kernel):
    # the heights themselves underflow to 0 here
    weights = kernel_weights(torch.tensor([1000.0]), torch.tensor([0.0, 500.0]), kernel=kernel)
    assert weights.tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize("kernel", BY_HAND)
def test_nan_among_the_keys_stays_visible(kernel):
    weights = kernel_weights(torch.tensor([0.0]), torch.tensor([0.0, math.nan]), kernel=kernel)
    assert weights.isnan().any()


@pytest.mark.parametrize("kernel", BY_HAND)
def test_a_masked_key_has_weight_zero_and_no_effect(kernel):
    queries, keys = torch.tensor([0.0, 1.0]), torch.tensor([0.2, math.nan, 0.7])
    weights = kernel_weights(queries, keys, kernel=kernel, mask=torch.tensor([True, False, True]))
    expected = kernel_weights(queries, keys[[0, 2]], kernel=kernel)
    assert_close(weights[:, [0, 2]], expected)
    assert (weights[:, 1] == 0).all()


@pytest.mark.parametrize("kernel", BY_HAND)
@pytest.mark.parametrize("dim", [1, 3])
def test_points_are_compared_by_their_distance(kernel, dim):
    queries, keys = torch.randn(2, 5, dim), torch.randn(2, 7, dim)
    weights = kernel_weights(queries, keys, kernel=kernel, width=2.0)
    distances = torch.cdist(queries, keys) / 2.0
    heights = kernel_functions[kernel](distances)
    expected = heights / heights.sum(-1, keepdim=True).clamp(min=1e-30)
    assert_close(weights, expected, rtol=1e-4, atol=1e-5)  # cdist rounds on its own


def test_gradient_at_distance_zero_is_finite():
    points = torch.randn(3, 2, requires_grad=True)
    for kernel in kernel_functions:
        weights = kernel_weights(points, points, kernel=kernel, width=3.0)
        (gradient,) = torch.autograd.grad(weights.square().sum(), points, allow_unused=kernel == "boxcar")
        assert gradient is None or gradient.isfinite().all()


def test_a_kernel_may_be_a_function_of_the_reader():
    queries, keys = torch.tensor([0.0]), torch.tensor([1.0, 3.0])
    weights = kernel_weights(queries, keys, kernel=lambda u: 1 / u.abs())
    assert_close(weights, torch.tensor([[0.75, 0.25]]))
