"""Attention that costs less: sparse patterns, linear attention, tiles, and a cache of keys and values."""

from attn_helpers.efficient.cache import KeyValueCache, attend_with_cache
from attn_helpers.efficient.grouped import grouped_query_attention
from attn_helpers.efficient.layer import GroupedQueryAttention
from attn_helpers.efficient.linear import (
    LinearState,
    elu_plus_one,
    linear_attention,
    linear_attention_step,
    linear_attention_weights,
)
from attn_helpers.efficient.online import (
    OnlineSoftmax,
    online_softmax_result,
    online_softmax_start,
    online_softmax_step,
)
from attn_helpers.efficient.patterns import (
    block_pattern,
    combine_patterns,
    global_pattern,
    local_pattern,
    reach,
    strided_pattern,
)
from attn_helpers.efficient.sparse import pattern_keys, sparse_attention
from attn_helpers.efficient.tiled import tiled_attention

__all__ = [
    "GroupedQueryAttention",
    "KeyValueCache",
    "LinearState",
    "OnlineSoftmax",
    "attend_with_cache",
    "block_pattern",
    "combine_patterns",
    "elu_plus_one",
    "global_pattern",
    "grouped_query_attention",
    "linear_attention",
    "linear_attention_step",
    "linear_attention_weights",
    "local_pattern",
    "online_softmax_result",
    "online_softmax_start",
    "online_softmax_step",
    "pattern_keys",
    "reach",
    "sparse_attention",
    "strided_pattern",
    "tiled_attention",
]
