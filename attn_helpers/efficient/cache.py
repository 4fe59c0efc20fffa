"""A key/value cache: what a decoder has already computed and need not compute again.

Chapter: notebooks/09a_same_answer_less_memory.ipynb
"""

from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from attn_helpers import _check
from attn_helpers.efficient.grouped import grouped_query_attention
from attn_helpers.masking import window_mask


@dataclass(frozen=True)
class KeyValueCache:
    """Keep the keys and values of the positions seen so far; `append` and `crop` return a new cache.

    Formula: bytes = batch * heads * length * (dim + value_dim) * bytes per number
    Source: Shazeer 2019, Fast Transformer Decoding, section 2.3 (incremental decoding).

    Args:
        keys: (batch, heads, length, dim), floating-point; heads are those of the keys (see
            `grouped_query_attention`).
        values: (batch, heads, length, value_dim), same dtype.
        start: position in the sequence of the first key that is still here; above 0 after `crop`.

    >>> cache = KeyValueCache.empty(batch=1, heads=2, dim=4)
    >>> longer = cache.append(torch.ones(1, 2, 3, 4), torch.ones(1, 2, 3, 4))
    >>> cache.length, longer.length, longer.nbytes
    (0, 3, 192)
    >>> longer.crop(2).start, longer.crop(2).next_position
    (1, 3)
    """

    keys: Tensor
    values: Tensor
    start: int = 0

    def __post_init__(self) -> None:
        _check_new(self.keys, self.values)
        _check.count("start", self.start)

    @classmethod
    def empty(
        cls,
        batch: int,
        heads: int,
        dim: int,
        value_dim: int | None = None,
        *,
        dtype: torch.dtype = torch.float32,
        device: torch.device | None = None,
    ) -> Self:
        """Make a cache of length 0.

        Args:
            value_dim: size of a value; dim if left out.
        Returns: a cache with keys (batch, heads, 0, dim) and values (batch, heads, 0, value_dim).
        """
        sizes = {"batch": batch, "heads": heads, "dim": dim}
        sizes["value_dim"] = dim if value_dim is None else value_dim
        for name, size in sizes.items():
            _check.count(name, size, least=1)
        shapes = ((batch, heads, 0, dim), (batch, heads, 0, sizes["value_dim"]))
        keys, values = (torch.zeros(shape, dtype=dtype, device=device) for shape in shapes)
        return cls(keys, values)

    @property
    def length(self) -> int:
        """Number of positions that are kept."""
        return self.keys.shape[-2]

    @property
    def next_position(self) -> int:
        """Position in the sequence of the token that comes next."""
        return self.start + self.length

    @property
    def nbytes(self) -> int:
        """Bytes that the kept numbers take."""
        return sum(tensor.element_size() * tensor.nelement() for tensor in (self.keys, self.values))

    def append(self, keys: Tensor, values: Tensor) -> Self:
        """Return a cache with new positions at the end.

        Args:
            keys: (batch, heads, new, dim), dtype of the cache.
            values: (batch, heads, new, value_dim).
        Returns: a new cache; this one stays as it is.
        """
        _check_new(keys, values)
        for name, new, old in (("keys", keys, self.keys), ("values", values, self.values)):
            if new.dtype != old.dtype:
                raise TypeError(f"{name} must have the cache's dtype {old.dtype}, got {new.dtype}.")
            if (*new.shape[:2], new.shape[3]) != (*old.shape[:2], old.shape[3]):
                raise ValueError(
                    f"{name} must have the cache's batch, heads and last axis, "
                    f"got cache {_check.shape_text(old)}, {name} {_check.shape_text(new)}."
                )
        both = torch.cat([self.keys, keys], dim=-2), torch.cat([self.values, values], dim=-2)
        return type(self)(*both, self.start)

    def crop(self, window: int) -> Self:
        """Return a cache with the last `window` positions only.

        Args:
            window: how many positions to keep, at least 1; a shorter cache stays whole.
        Returns: a new cache whose `start` counts the positions dropped so far. The memory of what was dropped
            is free as soon as this cache is.
        """
        _check.count("window", window, least=1)
        drop = max(0, self.length - window)
        # a slice alone would keep the whole tensor alive
        keys, values = (t[..., drop:, :].clone() if drop else t for t in (self.keys, self.values))
        return type(self)(keys, values, self.start + drop)


def attend_with_cache(
    queries: Tensor, keys: Tensor, values: Tensor, cache: KeyValueCache, *, window: int | None = None
) -> tuple[Tensor, Tensor, KeyValueCache]:
    """Attend from new positions to themselves and to all that the cache holds, looking back only.

    Formula: output_i = sum over j <= i (and j > i - window) of weights[i, j] v_j
    Source: Shazeer 2019, Fast Transformer Decoding, section 2.3.

    Args:
        queries: (batch, heads, new, dim), one or more new positions, in order; heads may be a multiple of the
            cache's.
        keys: (batch, heads, new, dim), of the same positions.
        values: (batch, heads, new, value_dim).
        cache: the positions before them; see `KeyValueCache.empty` for the start.
        window: how many positions a query sees, itself included, at least 1; None: all. The cache that is
            returned then holds no more than that.
    Returns: output (batch, heads, new, value_dim), weights (batch, heads, new, length + new), and the new
        cache.

    >>> q, k, v = torch.ones(3, 1, 1, 1, 2)
    >>> output, weights, cache = attend_with_cache(q, k, v, KeyValueCache.empty(1, 1, 2))
    >>> output, weights, cache = attend_with_cache(q, k, v, cache)
    >>> weights
    tensor([[[[0.5000, 0.5000]]]])
    """
    if keys.dim() == 4 and queries.dim() == 4 and queries.shape[-2] != keys.shape[-2]:
        raise ValueError(
            "queries and keys must be of the same new positions, "
            f"got queries={queries.shape[-2]}, keys={keys.shape[-2]}."
        )
    longer = cache.append(keys, values)
    new, length = queries.shape[-2], longer.length
    seen = length if window is None else window
    _check.count("window", seen, least=0 if window is None else 1)
    mask = window_mask(new, length, reach=max(0, seen - 1), causal=True, device=queries.device)
    output, weights = grouped_query_attention(queries, longer.keys, longer.values, mask=mask[None, None])
    return output, weights, longer if window is None else longer.crop(window)


def _check_new(keys: Tensor, values: Tensor) -> None:
    _check.floating(keys=keys, values=values)
    _check.rank("(batch, heads, length, dim)", keys=keys, values=values)
    if keys.shape[:3] != values.shape[:3]:
        raise ValueError(
            "keys and values must have the same batch, heads and length, "
            f"got keys {_check.shape_text(keys)}, values {_check.shape_text(values)}."
        )
