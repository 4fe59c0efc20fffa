"""Attention: score each key against the query, softmax, average the values.

Chapter: notebooks/04a_additive_attention.ipynb, notebooks/04b_ten_or_eight.ipynb, notebooks/02a_scores.ipynb
"""

from collections.abc import Callable

from torch import Tensor, nn

from attn_helpers import _check
from attn_helpers.masking import masked_softmax
from attn_helpers.scoring import additive_scores, scaled_dot_product_scores, score_function
from attn_helpers.seq2seq import BahdanauAttention, LuongAttention

__all__ = [
    "AdditiveAttention",
    "BahdanauAttention",
    "DotProductAttention",
    "LuongAttention",
    "attend",
    "scaled_dot_product_attention",
]


def attend(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    *,
    score: str | Callable[..., Tensor] = "scaled_dot_product",
    mask: Tensor | None = None,
    valid_lens: Tensor | None = None,
    **parameters: float | Tensor,
) -> tuple[Tensor, Tensor]:
    """Average the values, each weighted by how well its key answers the query.

    Formula: output_i = sum_j weights[i, j] v_j, weights = masked_softmax(score(queries, keys))
    Source: Bahdanau et al. 2015, section 3.1; Vaswani et al. 2017, section 3.2.

    Args:
        queries: (..., queries, dim), floating-point.
        keys: (..., keys, dim), same dtype; the dim may differ where the score allows it.
        values: (..., keys, value_dim), same dtype. Padding must be finite: 0 times NaN is NaN.
        score: a name in `score_functions`, or a function of (queries, keys, **parameters).
        mask: bool, True = may attend, read as in `masked_softmax`.
        valid_lens: whole numbers (batch,) or (batch, queries), read as in `masked_softmax`.
        parameters: further arguments of the scoring function, such as weight, w_q, w_k, w_v, scale, width.
    Returns: output (..., queries, value_dim) and weights (..., queries, keys). A query that may attend to no
        key has weights 0 and output 0.

    >>> keys, values = torch.eye(2), torch.tensor([[10.0, 20.0], [30.0, 40.0]])
    >>> output, weights = attend(torch.tensor([[2.0, 3.0]]), keys, values, score="dot_product")
    >>> output, weights
    (tensor([[24.6212, 34.6212]]), tensor([[0.2689, 0.7311]]))
    """
    _check.queries_and_keys(queries, keys, same_dim=False)
    _check.keys_and_values(keys, values)
    scores = (score if callable(score) else score_function(score))(queries, keys, **parameters)
    weights = masked_softmax(scores, mask, valid_lens=valid_lens)  # (..., queries, keys)
    return weights @ values, weights  # (..., queries, value_dim)


def scaled_dot_product_attention(
    queries: Tensor, keys: Tensor, values: Tensor, *, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Attend by the dot product divided by sqrt(dim).

    Formula: output = softmax(Q K^T / sqrt(dim)) V
    Source: Vaswani et al. 2017, Attention Is All You Need, section 3.2.1, equation 1.

    Args:
        queries: Q (..., queries, dim), floating-point.
        keys: K (..., keys, dim), same dtype.
        values: V (..., keys, value_dim), same dtype. Padding must be finite: 0 times NaN is NaN.
        mask: bool, True = may attend, read as in `masked_softmax`.
    Returns: output (..., queries, value_dim) and weights (..., queries, keys). A query that may attend to no
        key has weights 0 and output 0.

    >>> output, weights = scaled_dot_product_attention(
    ...     torch.ones(1, 3, 8), torch.ones(1, 4, 8), torch.ones(1, 4, 16))
    >>> output.shape, weights.shape
    (torch.Size([1, 3, 16]), torch.Size([1, 3, 4]))
    """
    _check.queries_and_keys(queries, keys)
    _check.keys_and_values(keys, values)
    scores = scaled_dot_product_scores(queries, keys)  # (..., queries, keys)
    weights = masked_softmax(scores, mask)
    return weights @ values, weights  # (..., queries, value_dim)


class DotProductAttention(nn.Module):
    """Scaled dot-product attention as a layer, with dropout on the weights.

    Formula: output = dropout(softmax(Q K^T / sqrt(dim))) V
    Source: Vaswani et al. 2017, Attention Is All You Need, section 3.2.1.

    Call it with (queries, keys, values, valid_lens=None, *, mask=None): queries (batch, queries, dim), keys
    (batch, keys, dim), values (batch, keys, value_dim), valid_lens and mask as in `masked_softmax`. It
    returns the output (batch, queries, value_dim); `.attention_weights` holds the last weights before
    dropout (batch, queries, keys), without their gradient.

    Args:
        dropout: share of the weights set to 0 in training mode (the others grow to make up for it).

    >>> attention = DotProductAttention()
    >>> keys, values, valid_lens = torch.ones(2, 4, 2), torch.ones(2, 4, 3), torch.tensor([1, 2])
    >>> output = attention(torch.ones(2, 1, 2), keys, values, valid_lens)
    >>> output.shape
    torch.Size([2, 1, 3])
    >>> attention.attention_weights[1]
    tensor([[0.5000, 0.5000, 0.0000, 0.0000]])
    """

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.attention_weights: Tensor | None = None

    def forward(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        *,
        mask: Tensor | None = None,
    ) -> Tensor:
        """Return the output (batch, queries, value_dim)."""
        _check.queries_and_keys(queries, keys)
        _check.keys_and_values(keys, values)
        scores = scaled_dot_product_scores(queries, keys)  # (batch, queries, keys)
        weights = masked_softmax(scores, mask, valid_lens=valid_lens)
        self.attention_weights = weights.detach()
        return self.dropout(weights) @ values  # (batch, queries, value_dim)


class AdditiveAttention(nn.Module):
    """Attention whose score is a small network, for queries and keys of different sizes.

    Formula: output = dropout(softmax(w_v . tanh(W_q q + W_k k))) V
    Source: Bahdanau et al. 2015, Neural Machine Translation by Jointly Learning to Align and Translate.

    Call it with (queries, keys, values, valid_lens=None, *, mask=None): queries (batch, queries, query_size),
    keys (batch, keys, key_size), values (batch, keys, value_dim), valid_lens and mask as in
    `masked_softmax`. It returns the output (batch, queries, value_dim); `.attention_weights` holds the last
    weights before dropout (batch, queries, keys), without their gradient.

    Args:
        dropout: share of the weights set to 0 in training mode (the others grow to make up for it).

    >>> attention = AdditiveAttention(key_size=2, query_size=20, num_hiddens=8)
    >>> output = attention(torch.ones(2, 1, 20), torch.ones(2, 10, 2), torch.ones(2, 10, 4))
    >>> output.shape
    torch.Size([2, 1, 4])
    """

    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float = 0.0) -> None:
        super().__init__()
        for name, size in (("key_size", key_size), ("query_size", query_size), ("num_hiddens", num_hiddens)):
            _check.count(name, size, least=1)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.attention_weights: Tensor | None = None

    def forward(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        *,
        mask: Tensor | None = None,
    ) -> Tensor:
        """Return the output (batch, queries, value_dim)."""
        _check.queries_and_keys(queries, keys, same_dim=False)
        _check.last_axis("queries", queries, "query_size", self.W_q.in_features)
        _check.last_axis("keys", keys, "key_size", self.W_k.in_features)
        _check.keys_and_values(keys, values)
        w_q, w_k, w_v = self.W_q.weight, self.W_k.weight, self.w_v.weight.squeeze(0)
        scores = additive_scores(queries, keys, w_q, w_k, w_v)  # (batch, queries, keys)
        weights = masked_softmax(scores, mask, valid_lens=valid_lens)
        self.attention_weights = weights.detach()
        return self.dropout(weights) @ values  # (batch, queries, value_dim)
