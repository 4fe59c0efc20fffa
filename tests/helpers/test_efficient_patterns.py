import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from attn_helpers import causal_mask, scaled_dot_product_attention, window_mask
from attn_helpers.efficient import (
    block_pattern,
    combine_patterns,
    global_pattern,
    local_pattern,
    pattern_keys,
    reach,
    sparse_attention,
    strided_pattern,
)

LENGTH, DIM, VALUE_DIM = 11, 5, 3
PATTERNS = {
    "local": (lambda n, causal: local_pattern(n, 3, causal=causal), lambda i, j: abs(i - j) < 3),
    "strided": (lambda n, causal: strided_pattern(n, 3, causal=causal), lambda i, j: (i - j) % 3 == 0),
    "block": (lambda n, causal: block_pattern(n, 3, causal=causal), lambda i, j: i // 3 == j // 3),
    "global": (
        lambda n, causal: global_pattern(n, [0, 4], causal=causal),
        lambda i, j: i in (0, 4) or j in (0, 4),
    ),
}


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_its_rule_cell_by_cell(name, causal):
    make, rule = PATTERNS[name]
    expected = [[rule(i, j) and (j <= i or not causal) for j in range(LENGTH)] for i in range(LENGTH)]
    assert make(LENGTH, causal).tolist() == expected


def test_a_window_of_one_is_the_own_position_and_a_wide_one_is_dense():
    assert torch.equal(local_pattern(5, window=1), torch.eye(5, dtype=torch.bool))
    assert local_pattern(5, window=5).all()
    assert torch.equal(local_pattern(5, window=99, causal=True), causal_mask(5))
    assert torch.equal(local_pattern(7, window=3), window_mask(7, reach=2))


def test_a_stride_of_one_and_a_block_as_long_as_the_sequence_are_dense():
    assert strided_pattern(5, stride=1).all()
    assert block_pattern(5, block=5).all()
    assert torch.equal(strided_pattern(5, stride=9), torch.eye(5, dtype=torch.bool))


def test_combining_allows_what_any_pattern_allows():
    local, strided = local_pattern(LENGTH, 2), strided_pattern(LENGTH, 4)
    assert torch.equal(combine_patterns(local, strided), local | strided)
    assert torch.equal(combine_patterns(local), local)


def test_a_pattern_of_no_positions_is_empty():
    patterns = [local_pattern(0, 2), strided_pattern(0, 2), block_pattern(0, 2), global_pattern(0, [])]
    assert [tuple(pattern.shape) for pattern in patterns] == [(0, 0)] * 4


@pytest.mark.parametrize("layers", [0, 1, 2, 5])
@pytest.mark.parametrize("name", PATTERNS)
def test_reach_is_what_a_walk_along_the_pattern_finds(name, layers):
    pattern = PATTERNS[name][0](LENGTH, True)
    rows = []
    for i in range(LENGTH):
        seen = {i}
        for _ in range(layers):
            seen |= {j for k in seen for j in range(LENGTH) if pattern[k, j]}
        rows.append([j in seen for j in range(LENGTH)])
    assert reach(pattern, layers).tolist() == rows


def test_reach_takes_a_batch_of_patterns():
    patterns = torch.stack([local_pattern(5, 2), block_pattern(5, 2)])
    assert torch.equal(reach(patterns, 2)[1], reach(patterns[1], 2))


@given(st.integers(1, 9), st.integers(1, 7), st.integers(0, 2**16))
def test_the_listed_keys_are_those_of_the_pattern(queries, keys, seed):
    pattern = torch.rand(queries, keys, generator=torch.Generator().manual_seed(seed)) < 0.4
    indices, valid = pattern_keys(pattern)
    assert indices.shape[1] == pattern.sum(dim=1).max()
    listed = [row[may].tolist() for row, may in zip(indices, valid, strict=True)]
    assert listed == [row.nonzero().flatten().tolist() for row in pattern]


@pytest.mark.parametrize("name", PATTERNS)
def test_sparse_attention_equals_dense_attention_with_the_pattern_as_mask(name):
    pattern = PATTERNS[name][0](LENGTH, True)
    q, k, v = torch.randn(2, 7, LENGTH, DIM), torch.randn(2, 7, LENGTH, DIM), torch.randn(2, 7, LENGTH, 3)
    output, weights = sparse_attention(q, k, v, *pattern_keys(pattern))
    expected, dense_weights = scaled_dot_product_attention(q, k, v, mask=pattern)
    assert_close(output, expected, rtol=1e-5, atol=1e-6)
    assert_close(weights.sum(dim=-1), dense_weights.sum(dim=-1))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_sparse_attention_keeps_the_dtype(dtype):
    x = torch.randn(1, LENGTH, DIM, dtype=dtype)
    output, weights = sparse_attention(x, x, x, *pattern_keys(local_pattern(LENGTH, 2)))
    assert output.dtype == weights.dtype == dtype
    assert output.isfinite().all()


def test_a_query_without_keys_has_output_zero_and_a_finite_gradient():
    pattern = torch.tensor([[True, True], [False, False]])
    x = torch.randn(2, DIM, requires_grad=True)
    output, weights = sparse_attention(x, x, x, *pattern_keys(pattern))
    output.sum().backward()
    assert not output[1].any()
    assert not weights[1].any()
    assert x.grad.isfinite().all()


def test_gradients_of_sparse_attention():
    listed = pattern_keys(local_pattern(5, 2))
    tensors = [torch.randn(2, 5, 3, dtype=torch.float64, requires_grad=True) for _ in range(3)]
    assert torch.autograd.gradcheck(lambda q, k, v: sparse_attention(q, k, v, *listed), tensors)


X, LISTED = torch.ones(3, 2), pattern_keys(local_pattern(3, 1))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: local_pattern(5, 0), ValueError, "window must be at least 1, got window=0"),
        (lambda: local_pattern(5, 1.5), TypeError, "window must be an int"),
        (lambda: local_pattern(-1, 1), ValueError, "num_queries must be at least 0"),
        (lambda: strided_pattern(5, 0), ValueError, "stride must be at least 1, got stride=0"),
        (lambda: strided_pattern(5, -2), ValueError, "stride must be at least 1"),
        (lambda: strided_pattern(-5, 2), ValueError, "length must be at least 0"),
        (lambda: block_pattern(5, 0), ValueError, "block must be at least 1, got block=0"),
        (lambda: global_pattern(5, [5]), ValueError, r"tokens must lie below length=5, got \[5\]"),
        (lambda: global_pattern(5, [-1]), ValueError, "tokens must be at least 0"),
        (lambda: combine_patterns(), TypeError, "one or more bool tensors, got none"),
        (lambda: combine_patterns(torch.ones(2, 2)), TypeError, "must be bool"),
        (
            lambda: combine_patterns(local_pattern(2, 1), local_pattern(3, 1)),
            ValueError,
            r"patterns must broadcast against each other, got \(2, 2\) and \(3, 3\)",
        ),
        (lambda: reach(torch.ones(2, 3).bool(), 1), ValueError, r"\(..., length, length\), got \(2, 3\)"),
        (lambda: reach(torch.ones(2, 2), 1), TypeError, "must be bool"),
        (lambda: reach(torch.ones(2, 2).bool(), -1), ValueError, "layers must be at least 0"),
        (lambda: pattern_keys(torch.ones(2).bool()), ValueError, r"\(queries, keys\), got \(2,\)"),
        (lambda: sparse_attention(X, X, X, *[LISTED[1]] * 2), TypeError, "indices must be an int64"),
        (lambda: sparse_attention(X, X, X, *[LISTED[0]] * 2), TypeError, "valid must be a bool"),
        (lambda: sparse_attention(X[:2], X, X, *LISTED), ValueError, r"\(queries=2, most\)"),
        (
            lambda: sparse_attention(X, X, X, LISTED[0] + 1, LISTED[1]),
            ValueError,
            "indices must lie between 0 and keys - 1 = 2, got 1 to 3",
        ),
    ],
)
def test_wrong_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
