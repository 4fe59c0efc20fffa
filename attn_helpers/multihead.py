"""Multi-head attention: several small attentions side by side.

Chapter: notebooks/08a_two_heads.ipynb, notebooks/08b_the_layer.ipynb
"""

from typing import Self

from torch import Tensor, nn

from attn_helpers import _check
from attn_helpers.masking import masked_softmax
from attn_helpers.scoring import scaled_dot_product_scores


def split_heads(inputs: Tensor, num_heads: int) -> Tensor:
    """Cut the last axis into heads and move the heads before the length.

    Formula: heads[b, h, i, :] = inputs[b, i, h * dim : (h + 1) * dim] with dim = d_model / num_heads
    Source: Vaswani et al. 2017, Attention Is All You Need, section 3.2.2.

    Args:
        inputs: (..., length, d_model).
        num_heads: at least 1; d_model must be divisible by it.
    Returns: heads (..., heads, length, dim).

    >>> split_heads(torch.arange(12.0).reshape(1, 2, 6), num_heads=3)[0, :, 0]
    tensor([[0., 1.],
            [2., 3.],
            [4., 5.]])
    """
    _check.rank_at_least(2, "(..., length, d_model)", inputs=inputs)
    dim = _head_dim(inputs.shape[-1], num_heads)
    heads = inputs.reshape(*inputs.shape[:-1], num_heads, dim)  # (..., length, heads, dim)
    return heads.transpose(-3, -2)  # (..., heads, length, dim)


def merge_heads(heads: Tensor) -> Tensor:
    """Put the heads' vectors side by side: undo `split_heads`.

    Formula: outputs[b, i, :] = [heads[b, 0, i]; heads[b, 1, i]; ...]
    Source: Vaswani et al. 2017, Attention Is All You Need, section 3.2.2 (Concat).

    Args:
        heads: (..., heads, length, dim).
    Returns: outputs (..., length, d_model) with d_model = heads * dim.

    >>> inputs = torch.arange(12.0).reshape(1, 2, 6)
    >>> torch.equal(merge_heads(split_heads(inputs, num_heads=3)), inputs)
    True
    """
    _check.rank_at_least(3, "(..., heads, length, dim)", heads=heads)
    return heads.transpose(-3, -2).flatten(-2)  # (..., length, d_model)


class MultiHeadAttention(nn.Module):
    """Project queries, keys and values, attend in each head, put the heads' outputs together.

    Formula: output = [head_1; ...; head_n] W_o, head_h = softmax(Q_h K_h^T / sqrt(dim)) V_h
    Source: Vaswani et al. 2017, Attention Is All You Need, section 3.2.2.

    Q_h is the h-th slice of `queries W_q`, and so on. The number of parameters does not depend on num_heads.

    Call it with (queries, keys, values, mask=None, *, valid_lens=None, head_mask=None): queries (batch,
    queries, d_model), keys and values (batch, keys, d_model); mask (True = may attend) and valid_lens as in
    `masked_softmax`; head_mask (heads,) multiplies each head's output, so that 0 switches a head off. It
    returns the output (batch, queries, d_model) and the weights before dropout (batch, heads, queries, keys).
    A query that may attend to no key has weights 0; its output is the bias of the output projection.

    Args:
        num_heads: number of heads; d_model must be divisible by it.
        dropout: share of the weights set to 0 in training mode (the others grow to make up for it).
        bias: whether the four projections add a vector.

    >>> attention = MultiHeadAttention(d_model=6, num_heads=3)
    >>> inputs = torch.ones(2, 5, 6)
    >>> output, weights = attention(inputs, inputs, inputs, valid_lens=torch.tensor([5, 1]))
    >>> output.shape, weights.shape
    (torch.Size([2, 5, 6]), torch.Size([2, 3, 5, 5]))
    """

    def __init__(self, d_model: int, num_heads: int, dropout: float = 0.0, bias: bool = True) -> None:
        super().__init__()
        _check.count("d_model", d_model, least=1)
        _head_dim(d_model, num_heads)
        self.d_model, self.num_heads = d_model, num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    @classmethod
    def from_torch(cls, module: nn.MultiheadAttention) -> Self:
        """Make a layer with the weights of torch's own, whose masks mean the opposite (True = blocked)."""
        if module.in_proj_weight is None or module.bias_k is not None or module.add_zero_attn:
            raise ValueError(
                "module must have kdim = vdim = embed_dim, add_bias_kv=False, add_zero_attn=False."
            )
        bias = module.in_proj_bias is not None
        layer = cls(module.embed_dim, module.num_heads, module.dropout, bias).to(module.in_proj_weight)
        state = {f"W_o.{name}": value for name, value in module.out_proj.state_dict().items()}
        state |= _projections("weight", module.in_proj_weight)
        state |= _projections("bias", module.in_proj_bias) if bias else {}
        layer.load_state_dict(state)
        return layer.train(module.training)

    def forward(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        mask: Tensor | None = None,
        *,
        valid_lens: Tensor | None = None,
        head_mask: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return output (batch, queries, d_model) and weights (batch, heads, queries, keys)."""
        self._check_inputs(queries, keys, values)
        q = split_heads(self.W_q(queries), self.num_heads)  # (batch, heads, queries, dim)
        k = split_heads(self.W_k(keys), self.num_heads)  # (batch, heads, keys, dim)
        v = split_heads(self.W_v(values), self.num_heads)  # (batch, heads, keys, dim)
        weights = masked_softmax(scaled_dot_product_scores(q, k), mask, valid_lens=valid_lens)
        heads = self.dropout(weights) @ v  # (batch, heads, queries, dim)
        if head_mask is not None:
            _check_head_mask(head_mask, self.num_heads)
            heads = heads * head_mask.to(heads.dtype).reshape(-1, 1, 1)
        return self.W_o(merge_heads(heads)), weights  # (batch, queries, d_model)

    def _check_inputs(self, queries: Tensor, keys: Tensor, values: Tensor) -> None:
        _check.queries_and_keys(queries, keys)
        _check.keys_and_values(keys, values)
        for name, tensor in {"queries": queries, "keys": keys, "values": values}.items():
            if tensor.dtype != self.W_q.weight.dtype:
                raise TypeError(
                    f"{name} must have the layer's dtype {self.W_q.weight.dtype}, got {tensor.dtype}."
                )
            _check.last_axis(name, tensor, "d_model", self.d_model)


def _projections(kind: str, stacked: Tensor) -> dict[str, Tensor]:
    """Cut torch's stacked query, key and value projections apart."""
    return {f"W_{letter}.{kind}": part for letter, part in zip("qkv", stacked.chunk(3), strict=True)}


def _head_dim(d_model: int, num_heads: int) -> int:
    _check.count("num_heads", num_heads, least=1)
    if d_model % num_heads:
        raise ValueError(
            f"d_model must be divisible by num_heads, got d_model={d_model}, num_heads={num_heads}."
        )
    return d_model // num_heads


def _check_head_mask(head_mask: Tensor, num_heads: int) -> None:
    if not isinstance(head_mask, Tensor):
        raise TypeError(f"head_mask must be a torch.Tensor, got {type(head_mask).__name__}.")
    if head_mask.shape != (num_heads,):
        raise ValueError(
            f"head_mask must have shape (heads={num_heads},), got {_check.shape_text(head_mask)}."
        )
