"""Attention that costs less: sparse patterns, linear attention, tiles, and a cache of keys and values."""

from .cache import KeyValueCache, attend_with_cache
from .grouped import grouped_query_attention

__all__ = ["KeyValueCache", "attend_with_cache", "grouped_query_attention"]
