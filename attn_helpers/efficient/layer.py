"""Multi-head attention whose query heads share heads of keys and values.

Chapter: notebooks/09a_same_answer_less_memory.ipynb
"""

from typing import Self

from torch import Tensor, nn

from attn_helpers import _check
from attn_helpers.efficient.cache import KeyValueCache, attend_with_cache
from attn_helpers.efficient.grouped import grouped_query_attention
from attn_helpers.multihead import MultiHeadAttention, merge_heads, split_heads


class GroupedQueryAttention(nn.Module):
    """Multi-head attention with fewer heads of keys and values than of queries.

    Formula: output = [head_1; ...; head_n] W_o, head_h = softmax(Q_h K_g^T / sqrt(dim)) V_g, g the group of h
    Source: Ainslie et al. 2023, GQA, section 2.2; Shazeer 2019, section 3 (one key head).

    num_key_value_heads = num_heads is `MultiHeadAttention`, with the same names of parameters;
    1 is multi-query attention.

    Call it with (queries, keys, values, mask=None): queries (batch, queries, d_model), keys and values
    (batch, keys, d_model). It returns the output (batch, queries, d_model) and the weights
    (batch, heads, queries, keys). `step` does the same for the next positions of a sequence, with a cache.

    Args:
        num_heads: number of query heads; d_model must be divisible by it.
        num_key_value_heads: number of heads of keys and values; num_heads must be divisible by it.
        bias: whether the four projections add a vector.

    >>> attention = GroupedQueryAttention(d_model=8, num_heads=4, num_key_value_heads=2)
    >>> inputs = torch.ones(1, 3, 8)
    >>> output, weights = attention(inputs, inputs, inputs)
    >>> output.shape, weights.shape, attention.W_k.weight.shape
    (torch.Size([1, 3, 8]), torch.Size([1, 4, 3, 3]), torch.Size([4, 8]))
    """

    def __init__(self, d_model: int, num_heads: int, num_key_value_heads: int, bias: bool = True) -> None:
        super().__init__()
        _check.count("d_model", d_model, least=1)
        _check.count("num_heads", num_heads, least=1)
        _check.count("num_key_value_heads", num_key_value_heads, least=1)
        _check_divides("d_model", d_model, "num_heads", num_heads)
        _check_divides("num_heads", num_heads, "num_key_value_heads", num_key_value_heads)
        self.d_model, self.num_heads, self.num_key_value_heads = d_model, num_heads, num_key_value_heads
        self.dim = d_model // num_heads
        narrow = num_key_value_heads * self.dim
        self.W_q, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(2))
        self.W_k, self.W_v = (nn.Linear(d_model, narrow, bias=bias) for _ in range(2))

    @classmethod
    def from_multihead(cls, layer: MultiHeadAttention, num_key_value_heads: int) -> Self:
        """Turn a multi-head layer into a grouped one: each group's key and value heads become their mean.

        Source: Ainslie et al. 2023, GQA, section 2.1 (mean pooling).

        Args:
            layer: the multi-head layer; its dropout is not taken over.
        Returns: a new layer, with copies of the other parameters.
        """
        bias = layer.W_q.bias is not None
        new = cls(layer.d_model, layer.num_heads, num_key_value_heads, bias).to(layer.W_q.weight)
        state = {name: parameter.clone() for name, parameter in layer.state_dict().items()}
        for name in [name for name in state if name[:3] in ("W_k", "W_v")]:
            heads = state[name].unflatten(0, (num_key_value_heads, -1, new.dim))
            state[name] = heads.mean(dim=1).flatten(0, 1)  # (kv_heads * dim, ...)
        new.load_state_dict(state)
        return new

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return output (batch, queries, d_model) and weights (batch, heads, queries, keys)."""
        for name, tensor in {"queries": queries, "keys": keys, "values": values}.items():
            self._check_input(name, tensor)
        output, weights = grouped_query_attention(*self._project(queries, keys, values), mask=mask)
        return self.W_o(merge_heads(output)), weights

    def step(
        self, inputs: Tensor, cache: KeyValueCache | None = None, *, window: int | None = None
    ) -> tuple[Tensor, Tensor, KeyValueCache]:
        """Causal self-attention of the next positions of a sequence.

        Args:
            inputs: (batch, new, d_model), one or more new positions.
            cache: what the call before returned; None at the start.
            window: how many positions a query sees, itself included; None: all.
        Returns: output (batch, new, d_model), weights (batch, heads, new, length + new), and the new cache.
        """
        self._check_input("inputs", inputs)
        if cache is None:
            sizes = (inputs.shape[0], self.num_key_value_heads, self.dim)
            cache = KeyValueCache.empty(*sizes, dtype=inputs.dtype, device=inputs.device)
        projected = self._project(inputs, inputs, inputs)
        output, weights, cache = attend_with_cache(*projected, cache, window=window)
        return self.W_o(merge_heads(output)), weights, cache

    def _project(self, queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        q = split_heads(self.W_q(queries), self.num_heads)  # (batch, heads, queries, dim)
        k = split_heads(self.W_k(keys), self.num_key_value_heads)  # (batch, kv_heads, keys, dim)
        v = split_heads(self.W_v(values), self.num_key_value_heads)
        return q, k, v

    def _check_input(self, name: str, tensor: Tensor) -> None:
        _check.floating(**{name: tensor})
        _check.rank("(batch, {}, d_model)", **{name: tensor})
        _check.last_axis(name, tensor, "d_model", self.d_model)


def _check_divides(name: str, size: int, by_name: str, by: int) -> None:
    if size % by:
        raise ValueError(f"{name} must be divisible by {by_name}, got {name}={size}, {by_name}={by}.")
