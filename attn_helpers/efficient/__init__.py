"""Attention that costs less: sparse patterns, linear attention, tiles, and a cache of keys and values."""

from attn_helpers.efficient.cache import KeyValueCache as KeyValueCache
from attn_helpers.efficient.cache import attend_with_cache as attend_with_cache
from attn_helpers.efficient.grouped import grouped_query_attention as grouped_query_attention
from attn_helpers.efficient.layer import GroupedQueryAttention as GroupedQueryAttention
from attn_helpers.efficient.linear import LinearState as LinearState
from attn_helpers.efficient.linear import elu_plus_one as elu_plus_one
from attn_helpers.efficient.linear import linear_attention as linear_attention
from attn_helpers.efficient.linear import linear_attention_step as linear_attention_step
from attn_helpers.efficient.linear import linear_attention_weights as linear_attention_weights
from attn_helpers.efficient.online import OnlineSoftmax as OnlineSoftmax
from attn_helpers.efficient.online import online_softmax_result as online_softmax_result
from attn_helpers.efficient.online import online_softmax_start as online_softmax_start
from attn_helpers.efficient.online import online_softmax_step as online_softmax_step
from attn_helpers.efficient.patterns import block_pattern as block_pattern
from attn_helpers.efficient.patterns import combine_patterns as combine_patterns
from attn_helpers.efficient.patterns import global_pattern as global_pattern
from attn_helpers.efficient.patterns import local_pattern as local_pattern
from attn_helpers.efficient.patterns import reach as reach
from attn_helpers.efficient.patterns import strided_pattern as strided_pattern
from attn_helpers.efficient.sparse import pattern_keys as pattern_keys
from attn_helpers.efficient.sparse import sparse_attention as sparse_attention
from attn_helpers.efficient.tiled import tiled_attention as tiled_attention
