import math

import pytest
import torch
from reference import DTYPES
from torch.testing import assert_close

from attn_helpers import (
    NadarayaWatson,
    kernel_weights,
    leave_one_out_mask,
    masked_softmax,
    nadaraya_watson,
)
from attn_lessons.studies import mcycle


@pytest.mark.parametrize("value_dim", [None, 3])
def test_values_may_be_numbers_or_vectors(value_dim):
    values = torch.randn(7) if value_dim is None else torch.randn(7, value_dim)
    output, weights = nadaraya_watson(torch.randn(5), torch.randn(7), values)
    assert_close(output, weights @ values)
    assert output.shape == ((5,) if value_dim is None else (5, value_dim))


def test_nadaraya_watson_takes_batches_of_points():
    output, weights = nadaraya_watson(torch.randn(2, 5, 3), torch.randn(2, 7, 3), torch.randn(2, 7, 11))
    assert output.shape == (2, 5, 11)
    assert weights.shape == (2, 5, 7)


@pytest.mark.parametrize("width", [0, -1, 0.0, -0.5, math.nan, torch.tensor(0.0), torch.tensor([-2.0])])
def test_width_must_be_above_zero(width):
    with pytest.raises(ValueError, match="width must be above 0, got width="):
        kernel_weights(torch.zeros(2), torch.zeros(3), width=width)


@pytest.mark.parametrize("width", ["1", None, True])
def test_width_must_be_a_number(width):
    with pytest.raises(TypeError, match="width must be a number or a tensor without axes, got"):
        kernel_weights(torch.zeros(2), torch.zeros(3), width=width)


def test_width_must_be_one_number():
    with pytest.raises(ValueError, match=r"width must be one number, got a tensor of shape \(2,\)"):
        kernel_weights(torch.zeros(2), torch.zeros(3), width=torch.ones(2))


def test_an_unknown_kernel_is_refused_with_the_list_of_kernels():
    expected = "unknown kernel 'gauss'; choose one of gaussian, laplacian, boxcar, triangular, epanechnikov"
    with pytest.raises(ValueError, match=expected):
        kernel_weights(torch.zeros(2), torch.zeros(3), kernel="gauss")
    with pytest.raises(ValueError, match=expected):
        NadarayaWatson(kernel="gauss")


@pytest.mark.parametrize(
    ("queries", "keys", "values", "expected"),
    [
        ((2,), (3, 1), (3,), r"must both be numbers .* got queries \(2,\), keys \(3, 1\)"),
        ((2, 4), (3, 5), (3,), r"same dim \(last axis\), got queries dim=4, keys dim=5"),
        ((2,), (3,), (4,), r"keys and values must have the same length, got keys=3, values=4"),
        ((2, 5, 1), (3, 5, 1), (3, 5, 1), r"batch axes of queries and keys must broadcast, got"),
        ((), (3,), (3,), r"queries must have shape \(queries,\) or \(..., queries, dim\), got \(\)"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(queries, keys, values, expected):
    with pytest.raises(ValueError, match=expected):
        nadaraya_watson(torch.zeros(queries), torch.zeros(keys), torch.zeros(values))


@pytest.mark.parametrize("wrong", ["queries", "keys", "values"])
def test_integer_tensors_are_refused(wrong):
    tensors = {"queries": torch.zeros(2), "keys": torch.zeros(3), "values": torch.zeros(3)}
    tensors[wrong] = tensors[wrong].long()
    with pytest.raises(TypeError, match=f"{wrong} must be floating-point, got torch.int64"):
        nadaraya_watson(**tensors)


def test_a_mix_of_dtypes_is_refused():
    with pytest.raises(
        TypeError, match=r"must have the same dtype, got queries=torch.float32, keys=torch.float64"
    ):
        kernel_weights(torch.zeros(2), torch.zeros(3).double())


@pytest.mark.parametrize("dtype", DTYPES)
def test_weights_and_output_follow_the_dtype(dtype):
    output, weights = nadaraya_watson(
        torch.randn(2).to(dtype), torch.randn(3).to(dtype), torch.randn(3).to(dtype)
    )
    assert output.dtype == weights.dtype == dtype


def test_the_learned_layer_is_the_softmax_of_the_documents():
    # documents.md, Part I, 01: softmax(-((x - x_i) w)^2 / 2)
    pool, x, keys = NadarayaWatson(width=0.25), torch.randn(5), torch.randn(7)
    output = pool(x, keys, torch.randn(7))
    expected = torch.softmax(-(((x[:, None] - keys) * 4) ** 2) / 2, dim=-1)
    assert_close(pool.attention_weights, expected)
    assert output.requires_grad
    assert pool.w.item() == 4


def descend(pool, x, y, mask, steps=200):
    optimizer = torch.optim.Adam(pool.parameters(), lr=0.1)
    for _ in range(steps):
        loss = (pool(x, x, y, mask=mask) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def test_leave_one_out_learns_a_width_between_the_extremes():
    x, y = mcycle()
    pool = NadarayaWatson(width=4.0)
    loss = descend(pool, x, y, leave_one_out_mask(133))
    assert_close(pool.width.detach(), torch.tensor(0.91), rtol=0, atol=0.03)  # data.md: 0.91, error 596
    assert 590 < loss < 600


def test_the_layer_agrees_with_masked_softmax_over_masked_keys():
    pool, x, mask = NadarayaWatson(), torch.randn(5), torch.rand(5, 5) < 0.5
    pool(x, x, torch.randn(5), mask=mask)
    assert_close(pool.attention_weights, masked_softmax(-((x[:, None] - x) ** 2) / 2, mask))
