import pytest
import reference
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from attn_helpers import MultiHeadAttention, causal_mask, length_mask, scaled_dot_product_attention
from attn_helpers.efficient import (
    GroupedQueryAttention,
    KeyValueCache,
    attend_with_cache,
    grouped_query_attention,
    local_pattern,
)

BATCH, HEADS, LENGTH, DIM, VALUE_DIM = 2, 6, 7, 5, 3
SAME_SUMS = {"rtol": 1e-5, "atol": 1e-6}  # float32, sums in another order


def tensors(heads=HEADS, groups=HEADS, length=LENGTH, dtype=torch.float32):
    sizes = ((heads, DIM), (groups, DIM), (groups, VALUE_DIM))
    return [torch.randn(BATCH, h, length, d, dtype=dtype) for h, d in sizes]


def in_pieces(q, k, v, cuts, window=None):
    cache = KeyValueCache.empty(BATCH, k.shape[1], DIM, VALUE_DIM, dtype=q.dtype)
    outputs = []
    for piece in zip(*(x.split(cuts, dim=-2) for x in (q, k, v)), strict=True):
        output, _, cache = attend_with_cache(*piece, cache, window=window)
        outputs.append(output)
    return torch.cat(outputs, dim=-2), cache


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.sampled_from([1, 2, 3, 6]), st.integers(0, 99))
def test_steps_with_a_cache_equal_full_recomputation(cuts, groups, seed):
    torch.manual_seed(seed)
    length = sum(cuts)
    q, k, v = tensors(groups=groups, length=length, dtype=torch.float64)
    output, cache = in_pieces(q, k, v, cuts)
    expected, _ = grouped_query_attention(q, k, v, mask=causal_mask(length)[None, None])
    assert_close(output, expected)
    assert torch.equal(cache.keys, k)
    assert torch.equal(cache.values, v)
    assert (cache.start, cache.length, cache.next_position) == (0, length, length)


@given(st.integers(1, 9), st.integers(0, 99))
def test_a_window_equals_full_recomputation_with_a_local_pattern(window, seed):
    torch.manual_seed(seed)
    q, k, v = tensors(dtype=torch.float64)
    output, cache = in_pieces(q, k, v, [1] * LENGTH, window)
    mask = local_pattern(LENGTH, window, causal=True)[None, None]
    assert_close(output, grouped_query_attention(q, k, v, mask=mask)[0])
    assert cache.length == min(window, LENGTH)
    assert cache.next_position == LENGTH


def test_a_window_with_several_positions_at_once():
    q, k, v = tensors()
    output, _ = in_pieces(q[..., :6, :], k[..., :6, :], v[..., :6, :], [3, 3], window=3)
    mask = local_pattern(6, 3, causal=True)[None, None]
    expected, _ = grouped_query_attention(*(x[..., :6, :] for x in (q, k, v)), mask=mask)
    # the cache was cut to three positions, of which the first new query sees the last two
    assert_close(output, expected, **SAME_SUMS)


def test_appending_and_cropping_leave_the_cache_as_it_was():
    _q, k, v = tensors()
    cache = KeyValueCache(k, v)
    longer, shorter = cache.append(k, v), cache.crop(2)
    assert (cache.length, longer.length, shorter.length) == (LENGTH, 2 * LENGTH, 2)
    assert torch.equal(longer.keys[..., LENGTH:, :], k)
    assert torch.equal(shorter.values, v[..., -2:, :])
    assert (shorter.start, shorter.next_position) == (LENGTH - 2, LENGTH)
    with pytest.raises(AttributeError):
        cache.start = 3


def test_cropping_twice_counts_all_that_was_dropped_and_a_wide_window_drops_nothing():
    _, k, v = tensors()
    cache = KeyValueCache(k, v).crop(5).append(k, v).crop(4)
    assert (cache.start, cache.length, cache.next_position) == (2 * LENGTH - 4, 4, 2 * LENGTH)
    assert KeyValueCache(k, v).crop(99).start == 0


def test_cropping_frees_the_memory():
    _, k, v = tensors()
    assert KeyValueCache(k, v).crop(2).keys.untyped_storage().nbytes() == BATCH * HEADS * 2 * DIM * 4


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("groups", [1, 2, 6])
def test_the_bytes_are_those_of_the_formula(groups, dtype):
    _, k, v = tensors(groups=groups, dtype=dtype)
    cache = KeyValueCache.empty(BATCH, groups, DIM, VALUE_DIM, dtype=dtype).append(k, v)
    formula = BATCH * groups * LENGTH * (DIM + VALUE_DIM) * dtype.itemsize
    held = cache.keys.untyped_storage().nbytes() + cache.values.untyped_storage().nbytes()
    assert cache.nbytes == formula == held


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_attention_with_a_cache_keeps_the_dtype(dtype):
    q, k, v = tensors(groups=2, dtype=dtype)
    output, cache = in_pieces(q, k, v, [3, 4])
    expected, _ = grouped_query_attention(
        *(x.double() for x in (q, k, v)), mask=causal_mask(LENGTH)[None, None]
    )
    assert output.dtype == cache.keys.dtype == dtype
    assert_close(output.double(), expected, **reference.TOLERANCE[dtype])


@pytest.mark.parametrize("groups", [1, 2, 3, 6])
def test_neighbouring_query_heads_share_a_key_head(groups):
    q, k, v = tensors(groups=groups)
    repeated = (x.repeat_interleave(HEADS // groups, dim=1) for x in (k, v))
    assert_close(grouped_query_attention(q, k, v), scaled_dot_product_attention(q, *repeated), **SAME_SUMS)


def test_gradients_of_grouped_queries():
    inputs = [x[:, :, :3].requires_grad_() for x in tensors(4, 2, dtype=torch.float64)]
    assert torch.autograd.gradcheck(lambda *x: grouped_query_attention(*x)[0], inputs)


def test_a_query_without_keys_gets_zero():
    q, k, v = tensors(groups=2)
    output, weights = grouped_query_attention(q, k, v, mask=length_mask([0, 3], LENGTH)[:, None, None])
    assert not weights[0].any()
    assert not output[0].any()


@pytest.mark.parametrize("bias", [True, False])
def test_the_layer_with_all_key_heads_is_multi_head_attention(bias):
    multihead = MultiHeadAttention(12, 3, bias=bias)
    layer = GroupedQueryAttention.from_multihead(multihead, 3)
    q, kv = torch.randn(2, 5, 12), torch.randn(2, 7, 12)
    mask = causal_mask(5, 7)
    assert_close(layer(q, kv, kv, mask), multihead(q, kv, kv, mask), **SAME_SUMS)


def test_fewer_key_heads_become_the_mean_of_their_group():
    multihead = MultiHeadAttention(12, 6)
    layer = GroupedQueryAttention.from_multihead(multihead, 2)
    heads = multihead.W_k.weight.unflatten(0, (6, 2))
    assert_close(layer.W_k.weight, torch.cat([heads[:3].mean(0), heads[3:].mean(0)]))
    assert torch.equal(layer.W_q.weight, multihead.W_q.weight)
    assert layer.W_v.bias.shape == (4,)


@pytest.mark.parametrize("groups", [1, 2, 6])
def test_the_layer_steps_with_a_cache_as_it_runs_on_the_whole(groups):
    layer, x = GroupedQueryAttention(12, 6, groups), torch.randn(BATCH, LENGTH, 12)
    cache, outputs = None, []
    for piece in x.split([3, 1, 1, 2], dim=1):
        output, weights, cache = layer.step(piece, cache)
        outputs.append(output)
    assert_close(torch.cat(outputs, dim=1), layer(x, x, x, causal_mask(LENGTH))[0], **SAME_SUMS)
    assert weights.shape == (BATCH, 6, 2, LENGTH)
    assert cache.nbytes == 2 * BATCH * groups * LENGTH * 2 * 4


def test_the_layer_steps_with_a_window():
    layer, x = GroupedQueryAttention(12, 6, 2), torch.randn(BATCH, LENGTH, 12)
    cache, outputs = None, []
    for piece in x.split(1, dim=1):
        output, _, cache = layer.step(piece, cache, window=3)
        outputs.append(output)
    expected = layer(x, x, x, local_pattern(LENGTH, 3, causal=True))[0]
    assert_close(torch.cat(outputs, dim=1), expected, **SAME_SUMS)
    assert cache.length == 3


K = torch.ones(1, 2, 3, 4)
EMPTY = KeyValueCache.empty(1, 2, 4)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: EMPTY.append(K, K.double()), TypeError, "keys and values must have the same dtype"),
        (lambda: EMPTY.append(K.double(), K.double()), TypeError, "the cache's dtype torch.float32"),
        (lambda: EMPTY.append(K[:, :1], K[:, :1]), ValueError, "the cache's batch, heads and last axis"),
        (lambda: EMPTY.append(K[0], K[0]), ValueError, r"\(batch, heads, length, dim\), got \(2, 3, 4\)"),
        (lambda: EMPTY.append(K, K[:, :, :2]), ValueError, "same batch, heads and length"),
        (lambda: EMPTY.crop(0), ValueError, "window must be at least 1, got window=0"),
        (lambda: EMPTY.crop(1.5), TypeError, "window must be an int"),
        (lambda: KeyValueCache(K, K, start=-1), ValueError, "start must be at least 0"),
        (lambda: KeyValueCache(K.int(), K), TypeError, "keys must be floating-point"),
        (lambda: KeyValueCache.empty(0, 2, 4), ValueError, "batch must be at least 1"),
        (lambda: KeyValueCache.empty(1, 2, 4, 0), ValueError, "value_dim must be at least 1"),
        (lambda: attend_with_cache(K, K, K, EMPTY, window=0), ValueError, "window must be at least 1"),
        (lambda: attend_with_cache(K[:, :, :1], K, K, EMPTY), ValueError, "queries=1, keys=3"),
        (lambda: grouped_query_attention(K[0], K, K), ValueError, "queries must have shape"),
        (
            lambda: grouped_query_attention(K, K.repeat(1, 2, 1, 1), K),
            ValueError,
            "divisible by those of keys, got queries heads=2, keys heads=4",
        ),
        (
            lambda: grouped_query_attention(K.repeat(1, 2, 1, 1), torch.ones(1, 3, 3, 4), K),
            ValueError,
            "queries heads=4, keys heads=3",
        ),
        (lambda: grouped_query_attention(K, K, K[:, :1]), ValueError, "same batch, heads and length"),
        (lambda: grouped_query_attention(K, torch.ones(1, 2, 3, 5), K), ValueError, "same dim"),
        (
            lambda: GroupedQueryAttention(12, 6, 4),
            ValueError,
            "num_heads must be divisible by num_key_value_heads, got num_heads=6, num_key_value_heads=4",
        ),
        (lambda: GroupedQueryAttention(10, 3, 1), ValueError, "d_model must be divisible by num_heads"),
        (lambda: GroupedQueryAttention(12, 3, 0), ValueError, "num_key_value_heads must be at least 1"),
        (lambda: GroupedQueryAttention(12, 3, 1).step(K[0]), ValueError, "inputs must have d_model=12"),
        (lambda: GroupedQueryAttention(12, 3, 1).step(K), ValueError, r"\(batch, inputs, d_model\)"),
    ],
)
def test_wrong_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
