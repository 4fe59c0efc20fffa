"""The plain file of lesson 09a is the package's attention: tiles, masks of the future, a cache."""

import pytest
import tiled_attention as plain
import torch
from torch.nn.functional import scaled_dot_product_attention as torchs
from torch.testing import assert_close

from attn_helpers import scaled_dot_product_attention
from attn_helpers.efficient import online_softmax_start, online_softmax_step
from attn_helpers.efficient import tiled_attention as packages


def _inputs(*shape: int, seed: int = 0) -> tuple[torch.Tensor, ...]:
    return torch.randn(3, *shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).unbind()


@pytest.mark.parametrize("tile", [1, 3, 7, 11, 50])
@pytest.mark.parametrize("causal", [False, True])
def test_tiles_are_the_packages_and_torchs(tile, causal):
    q, k, v = _inputs(2, 3, 11, 4)
    found = plain.tiled_attention(q, k, v, tile=tile, causal=causal)
    assert_close(found, packages(q, k, v, tile=tile, causal=causal))
    assert_close(found, torchs(q, k, v, is_causal=causal))


def test_fewer_queries_than_keys_and_other_sizes_of_values():
    q, k, _ = _inputs(9, 4)
    v = torch.randn(9, 2, dtype=torch.float64)
    expected, _ = scaled_dot_product_attention(q[:5], k, v)
    assert_close(plain.tiled_attention(q[:5], k, v, tile=4), expected)


def test_a_step_is_the_packages_step_also_before_any_key_is_allowed():
    scores, values = torch.tensor([[1.0, 3.0], [0.0, 0.0]]).log(), torch.tensor([[5.0], [8.0]])
    state = online_softmax_start(torch.zeros(2, 1), value_dim=1)
    for _ in range(2):
        expected = online_softmax_step(state, scores, values)
        for found, want in zip(plain.read_tile(state, scores, values), expected, strict=True):
            assert torch.equal(found, want)
        state = expected


def test_writing_with_the_cache_is_causal_attention():
    q, k, v = _inputs(2, 13, 4)
    cache = plain.Cache()
    rows = [cache.step(*now) for now in zip(*(x.split(1, dim=-2) for x in (q, k, v)), strict=True)]
    assert_close(torch.cat(rows, dim=-2), plain.tiled_attention(q, k, v, tile=5, causal=True))
    assert cache.keys.shape == k.shape
