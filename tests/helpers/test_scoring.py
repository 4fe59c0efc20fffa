import math

import pytest
import reference
import torch
from reference import DTYPES, TOLERANCE
from torch.testing import assert_close

from attn_helpers import (
    additive_scores,
    bilinear_scores,
    dot_product_scores,
    gaussian_scores,
    scaled_dot_product_scores,
    score_function,
    score_functions,
)

BATCH, QUERIES, KEYS, DIM, HIDDEN = 2, 3, 5, 7, 11


def pair(dtype=torch.float64, key_size=DIM):
    return torch.randn(BATCH, QUERIES, DIM, dtype=dtype), torch.randn(BATCH, KEYS, key_size, dtype=dtype)


SLOW = {
    "dot_product": reference.dot,
    "scaled_dot_product": lambda q, k: reference.dot(q, k) / math.sqrt(len(q)),
    "gaussian": lambda q, k: -sum((a - b) ** 2 for a, b in zip(q, k, strict=True)) / 2,
}


@pytest.mark.parametrize("name", SLOW)
def test_scores_equal_a_slow_loop(name):
    queries, keys = pair()
    scores = score_functions[name](queries, keys)
    for batch in range(BATCH):
        assert_close(scores[batch], reference.scores(queries[batch], keys[batch], SLOW[name]))


def test_bilinear_scores_equal_a_slow_loop():
    (queries, keys), weight = pair(key_size=4), torch.randn(DIM, 4, dtype=torch.float64)
    expected = [
        [[sum(q[a] * weight[a, b] * k[b] for a in range(DIM) for b in range(4)) for k in ks] for q in qs]
        for qs, ks in zip(queries, keys, strict=True)
    ]
    assert_close(bilinear_scores(queries, keys, weight), torch.tensor(expected, dtype=torch.float64))


def test_additive_scores_are_a_network_on_the_concatenation():
    # documents.md, Part I, 02: equal to an MLP on [q; k], with W = [W_q W_k]
    queries, keys = pair(key_size=4)
    w_q, w_k, w_v = (
        torch.randn(shape, dtype=torch.float64) for shape in ((HIDDEN, DIM), (HIDDEN, 4), HIDDEN)
    )
    together = torch.cat(
        [queries[:, :, None].expand(-1, -1, KEYS, -1), keys[:, None].expand(-1, QUERIES, -1, -1)], -1
    )
    expected = torch.tanh(together @ torch.cat([w_q, w_k], dim=1).T) @ w_v
    assert_close(additive_scores(queries, keys, w_q, w_k, w_v), expected)


def test_scale_can_be_given():
    queries, keys = pair()
    scores = scaled_dot_product_scores(queries, keys, scale=torch.tensor(0.5, dtype=torch.float64))
    assert_close(scores, dot_product_scores(queries, keys) / 2)


def test_large_products_fit_float16_after_scaling():
    queries, keys = torch.full((1, 64), 60.0).half(), torch.full((1, 64), 60.0).half()
    assert dot_product_scores(queries, keys).isinf().all()  # 230400
    assert scaled_dot_product_scores(queries, keys).item() == 28800


def parameters(name, dtype, key_size=DIM):
    shapes = {"bilinear": [(DIM, key_size)], "additive": [(HIDDEN, DIM), (HIDDEN, key_size), (HIDDEN,)]}
    return [torch.randn(shape, dtype=dtype) for shape in shapes.get(name, [])]


@pytest.mark.parametrize("name", score_functions)
@pytest.mark.parametrize("dtype", DTYPES)
def test_scores_follow_the_dtype(name, dtype):
    queries, keys = pair()
    given = parameters(name, torch.float64)
    scores = score_functions[name](queries.to(dtype), keys.to(dtype), *(p.to(dtype) for p in given))
    exact = score_functions[name](queries, keys, *given)
    assert scores.dtype == dtype
    tolerance = {key: 10 * size for key, size in TOLERANCE[dtype].items()}  # the inputs are rounded too
    assert_close(scores.double(), exact, rtol=tolerance["rtol"], atol=10 * tolerance["atol"])


@pytest.mark.parametrize("name", score_functions)
def test_gradients_are_right(name):
    tensors = [*pair(), *parameters(name, torch.float64)]
    for tensor in tensors:
        tensor.requires_grad_()
    assert torch.autograd.gradcheck(score_functions[name], tensors)


@pytest.mark.parametrize("name", score_functions)
def test_batches_broadcast(name):
    queries, keys = torch.randn(2, 1, 3, DIM), torch.randn(5, 4, DIM)
    assert score_functions[name](queries, keys, *parameters(name, torch.float32)).shape == (2, 5, 3, 4)


@pytest.mark.parametrize("name", ["bilinear", "additive"])
def test_queries_and_keys_may_differ_in_size(name):
    queries, keys = pair(torch.float32, key_size=13)
    scores = score_functions[name](queries, keys, *parameters(name, torch.float32, key_size=13))
    assert scores.shape == (BATCH, QUERIES, KEYS)


@pytest.mark.parametrize("name", ["dot_product", "scaled_dot_product", "gaussian"])
def test_sizes_must_agree_where_the_score_needs_it(name):
    with pytest.raises(ValueError, match=r"same dim \(last axis\), got queries dim=2, keys dim=3"):
        score_functions[name](torch.zeros(1, 2), torch.zeros(1, 3))


@pytest.mark.parametrize("name", score_functions)
@pytest.mark.parametrize(
    ("queries", "keys", "expected"),
    [
        ((DIM,), (3, DIM), r"queries must have shape \(..., queries, dim\), got \(7,\)"),
        ((3, DIM), (DIM,), r"keys must have shape \(..., keys, dim\), got \(7,\)"),
        ((2, 3, DIM), (5, 3, DIM), r"batch axes of queries and keys must broadcast, got queries \(2, 3, 7\)"),
        ((3, 0), (3, 0), r"queries and keys must have dim >= 1, got queries \(3, 0\)"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(name, queries, keys, expected):
    with pytest.raises(ValueError, match=expected):
        score_functions[name](torch.zeros(queries), torch.zeros(keys), *parameters(name, torch.float32))


@pytest.mark.parametrize("name", score_functions)
def test_integers_and_mixed_dtypes_are_refused(name):
    given = parameters(name, torch.float32)
    with pytest.raises(TypeError, match=r"queries must be floating-point, got torch\.int64"):
        score_functions[name](torch.ones(3, DIM).long(), torch.ones(3, DIM), *given)
    with pytest.raises(
        TypeError, match=r"must have the same dtype, got queries=torch\.float32, keys=torch\.f"
    ):
        score_functions[name](torch.ones(3, DIM), torch.ones(3, DIM).double(), *given)


@pytest.mark.parametrize("name", score_functions)
def test_what_is_not_a_tensor_is_refused(name):
    with pytest.raises(TypeError, match=r"keys must be a torch\.Tensor, got list"):
        score_functions[name](torch.ones(3, DIM), [[1.0]], *parameters(name, torch.float32))


def test_weights_of_the_wrong_shape_are_refused():
    queries, keys = torch.zeros(1, 2), torch.zeros(1, 3)
    with pytest.raises(
        ValueError, match=r"weight must have shape \(query_size=2, key_size=3\), got \(3, 2\)"
    ):
        bilinear_scores(queries, keys, torch.zeros(3, 2))
    with pytest.raises(ValueError, match=r"w_q must have shape \(num_hiddens, query_size=2\), got \(4, 3\)"):
        additive_scores(queries, keys, torch.zeros(4, 3), torch.zeros(4, 3), torch.zeros(4))
    with pytest.raises(ValueError, match=r"w_v must have shape \(num_hiddens=4\), got \(5,\)"):
        additive_scores(queries, keys, torch.zeros(4, 2), torch.zeros(4, 3), torch.zeros(5))


def test_weights_of_another_dtype_are_refused():
    with pytest.raises(TypeError, match=r"weight must have the dtype of queries, got weight=torch\.float64"):
        bilinear_scores(torch.zeros(1, 2), torch.zeros(1, 2), torch.zeros(2, 2).double())


@pytest.mark.parametrize("width", [0, -1.0, torch.tensor(0.0)])
def test_width_must_be_above_zero(width):
    with pytest.raises(ValueError, match="width must be above 0, got width="):
        gaussian_scores(torch.zeros(1, 2), torch.zeros(1, 2), width=width)


@pytest.mark.parametrize("name", score_functions)
def test_score_function_finds_every_score(name):
    assert score_function(name) is score_functions[name]


@pytest.mark.parametrize("name", ["cosine", "", None])
def test_an_unknown_score_is_refused_with_the_list_of_scores(name):
    expected = (
        rf"unknown score {name!r}; choose one of dot_product, scaled_dot_product, bilinear, additive, gauss"
    )
    with pytest.raises(ValueError, match=expected):
        score_function(name)
