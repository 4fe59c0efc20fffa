"""A BERT-like encoder from the parts of this book, with all its attention weights as a result."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from attn_helpers import _check
from attn_helpers.multihead import MultiHeadAttention, split_heads


class Encoded(NamedTuple):
    """What a `BertEncoder` returns."""

    hidden: Tensor  # (layers + 1, batch, length, d_model), before and after each layer
    weights: Tensor  # (layers, batch, heads, queries, keys)


class BertLayer(nn.Module):
    """Multi-head self-attention and a small network for each token, a normalisation behind each.

    Formula: y = norm(x + attention(x, x, x)), output = norm(y + W_2 gelu(W_1 y))

    Source: Devlin et al. 2019, section 3; Vaswani et al. 2017, section 3.1.
    """

    def __init__(self, d_model: int, num_heads: int, num_hiddens: int) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.attention_norm = nn.LayerNorm(d_model, eps=1e-12)
        self.inner = nn.Linear(d_model, num_hiddens)
        self.outer = nn.Linear(num_hiddens, d_model)
        self.output_norm = nn.LayerNorm(d_model, eps=1e-12)

    def forward(
        self, inputs: Tensor, *, valid_lens: Tensor | None = None, head_mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return output (batch, length, d_model) and weights (batch, heads, queries, keys)."""
        looked, weights = self.attention(inputs, inputs, inputs, valid_lens=valid_lens, head_mask=head_mask)
        tokens = self.attention_norm(inputs + looked)
        return self.output_norm(tokens + self.outer(gelu(self.inner(tokens)))), weights

    def value_norms(self, inputs: Tensor) -> Tensor:
        """Return how long the vector is that each key gives to each head's output, (batch, heads, keys).

        With weight 1 on key j, head h adds f(x_j) = x_j W_v^(h) W_o^(h) to the layer's output; with weight
        a it adds a f(x_j). This is the length of f(x_j).
        """
        layer = self.attention
        values = split_heads(layer.W_v(inputs), layer.num_heads)  # (batch, heads, keys, dim)
        blocks = split_heads(layer.W_o.weight, layer.num_heads)  # (heads, d_model, dim)
        return (values @ blocks.mT).norm(dim=-1)  # (batch, heads, keys)


class BertEncoder(nn.Module):
    """Turn ids of tokens into vectors that know their context.

    Formula: x_0 = norm(word + position + kind), x_l = layer_l(x_(l-1))

    Call it with (ids, valid_lens=None, *, head_mask=None): ids (batch, length) int64, valid_lens (batch,),
    head_mask (layers, heads), where 0 switches a head off. It returns an `Encoded`.

    Source: Devlin et al. 2019, section 3.
    """

    def __init__(
        self,
        vocabulary_size: int,
        max_length: int,
        *,
        d_model: int,
        num_layers: int,
        num_heads: int,
        num_hiddens: int,
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.kinds = nn.Embedding(2, d_model)  # first or second sentence; only the first is used here
        self.norm = nn.LayerNorm(d_model, eps=1e-12)
        layers = [BertLayer(d_model, num_heads, num_hiddens) for _ in range(num_layers)]
        self.layers = nn.ModuleList(layers)

    def forward(
        self, ids: Tensor, valid_lens: Tensor | None = None, *, head_mask: Tensor | None = None
    ) -> Encoded:
        """Return hidden (layers + 1, batch, length, d_model) and weights (layers, batch, heads, q, k)."""
        self._check_inputs(ids, head_mask)
        length = ids.shape[1]
        x = self.words(ids) + self.positions.weight[:length] + self.kinds.weight[0]
        hidden, weights = [self.norm(x)], []
        for number, layer in enumerate(self.layers):
            on = None if head_mask is None else head_mask[number]
            x, looked = layer(hidden[-1], valid_lens=valid_lens, head_mask=on)
            hidden.append(x)
            weights.append(looked)
        return Encoded(torch.stack(hidden), torch.stack(weights))

    def _check_inputs(self, ids: Tensor, head_mask: Tensor | None) -> None:
        if not isinstance(ids, Tensor) or ids.dtype != torch.int64:
            got = ids.dtype if isinstance(ids, Tensor) else type(ids).__name__
            raise TypeError(f"ids must be an int64 torch.Tensor, got {got}.")
        most = self.positions.num_embeddings
        if ids.dim() != 2 or not 1 <= ids.shape[1] <= most:
            shape = _check.shape_text(ids)
            raise ValueError(f"ids must have shape (batch, length) with length 1 to {most}, got {shape}.")
        size = self.words.num_embeddings
        if _check.values_known(ids) and not bool(((ids >= 0) & (ids < size)).all()):
            raise ValueError(f"ids must lie in 0..{size - 1}, got {ids.min().item()} to {ids.max().item()}.")
        shape = (len(self.layers), self.layers[0].attention.num_heads)
        if head_mask is not None and tuple(head_mask.shape) != shape:
            got = _check.shape_text(head_mask)
            raise ValueError(f"head_mask must have shape (layers={shape[0]}, heads={shape[1]}), got {got}.")


def mean_embedding(hidden: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    """Average the tokens' vectors and make the result one long: the sentence's embedding, (batch, d_model).

    Formula: e = m / |m|, m = mean over the sentence's tokens of x

    Source: Reimers and Gurevych 2019, section 3.
    """
    if hidden.dim() != 3:
        shape = _check.shape_text(hidden)
        raise ValueError(f"hidden must have shape (batch, length, d_model), got {shape}.")
    if valid_lens is None:
        mean = hidden.mean(dim=1)
    else:
        lens = _check.whole_lens(valid_lens, hidden.device)
        _check.lens_in_range(lens, hidden.shape[1])
        real = torch.arange(hidden.shape[1], device=hidden.device) < lens[:, None]  # (batch, length)
        mean = (hidden * real[..., None]).sum(dim=1) / lens[:, None]
    return mean / mean.norm(dim=-1, keepdim=True)
