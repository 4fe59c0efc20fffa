"""The two attentions of sequence-to-sequence models: Bahdanau's and Luong's.

Chapter: notebooks/05c_look_back.ipynb, notebooks/05b_trained_translator.ipynb
"""

from torch import Tensor, nn

from attn_helpers import _check
from attn_helpers.masking import masked_softmax
from attn_helpers.scoring import additive_scores, bilinear_scores, dot_product_scores

_LUONG_SCORES = {"dot": "s . h", "general": "s^T W h", "concat": "v . tanh(W [s; h])"}


class BahdanauAttention(nn.Module):
    """Let each decoder state look at all encoder states through a small network.

    Formula: context_t = sum_j softmax_j(v . tanh(W_decoder s_t + W_encoder h_j)) h_j
    Source: Bahdanau et al. 2015, Neural Machine Translation by Jointly Learning to Align and

    Bahdanau's decoder asks before it moves: s is its state before the step (s_(t-1)).

    Call it with (decoder_states, encoder_states, mask=None, *, valid_lens=None): decoder_states (batch,
    queries, decoder_size), with queries=1 when decoding step by step, encoder_states (batch, keys,
    encoder_size); mask and valid_lens as in `masked_softmax`. It returns the context (batch, queries,
    encoder_size) and the weights (batch, queries, keys). A source whose every position is masked gives
    weights 0 and context 0.

    Translate, A.1.2.

    >>> attention = BahdanauAttention(decoder_size=3, encoder_size=4, num_hiddens=5)
    >>> context, weights = attention(torch.ones(2, 1, 3), torch.ones(2, 7, 4), valid_lens=[2, 7])
    >>> context.shape, weights.shape
    (torch.Size([2, 1, 4]), torch.Size([2, 1, 7]))
    >>> weights[0, 0, :3].tolist()
    [0.5, 0.5, 0.0]
    """

    def __init__(self, decoder_size: int, encoder_size: int, num_hiddens: int) -> None:
        super().__init__()
        sizes = {"decoder_size": decoder_size, "encoder_size": encoder_size, "num_hiddens": num_hiddens}
        for name, size in sizes.items():
            _check.count(name, size, least=1)
        self.W_decoder = nn.Linear(decoder_size, num_hiddens, bias=False)
        self.W_encoder = nn.Linear(encoder_size, num_hiddens, bias=False)
        self.v = nn.Linear(num_hiddens, 1, bias=False)

    def scores(self, decoder_states: Tensor, encoder_states: Tensor) -> Tensor:
        """Return the scores before the softmax (batch, queries, keys)."""
        weights = self.W_decoder.weight, self.W_encoder.weight, self.v.weight.squeeze(0)
        return additive_scores(decoder_states, encoder_states, *weights)

    def forward(
        self,
        decoder_states: Tensor,
        encoder_states: Tensor,
        mask: Tensor | None = None,
        *,
        valid_lens: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return context (batch, queries, encoder_size) and weights (batch, queries, keys)."""
        _check_states(decoder_states, encoder_states, self.W_decoder.in_features, self.W_encoder.in_features)
        weights = masked_softmax(self.scores(decoder_states, encoder_states), mask, valid_lens=valid_lens)
        return weights @ encoder_states, weights  # (batch, queries, encoder_size)


class LuongAttention(nn.Module):
    """Let each decoder state look at all encoder states, with one of Luong's three scores.

    Formula: score = s . h ("dot"), s^T W h ("general") or v . tanh(W [s; h]) ("concat")
    Source: Luong et al. 2015, Effective Approaches to Attention-based Neural Machine Translation, 3.1.

    Luong's decoder moves first and asks afterwards: s is its state after the step (s_t). With "dot" and
    "general" all scores of a step are one matrix product.

    Call it with (decoder_states, encoder_states, mask=None, *, valid_lens=None), as `BahdanauAttention`; it
    returns the context (batch, queries, encoder_size) and the weights (batch, queries, keys).

    Args:
        encoder_size: size of an encoder state h, at least 1; "dot" needs encoder_size = decoder_size.
        score: "dot", "general" or "concat".
        num_hiddens: units of the hidden layer of "concat"; decoder_size if left out.
        bias: "general" only: score with W h + b in place of W h. It adds s . b to every score of a row, which
            the softmax takes away again: the weights stay the same, and b gets no gradient.

    >>> attention = LuongAttention(decoder_size=3, encoder_size=3)
    >>> context, weights = attention(torch.ones(2, 1, 3), torch.ones(2, 4, 3), valid_lens=[2, 0])
    >>> weights
    tensor([[[0.5000, 0.5000, 0.0000, 0.0000]],
    <BLANKLINE>
            [[0.0000, 0.0000, 0.0000, 0.0000]]])
    """

    def __init__(
        self,
        decoder_size: int,
        encoder_size: int,
        score: str = "dot",
        *,
        num_hiddens: int | None = None,
        bias: bool = False,
    ) -> None:
        super().__init__()
        _check_luong(decoder_size, encoder_size, score, num_hiddens, bias)
        self.score, self.sizes = score, (decoder_size, encoder_size)
        if score == "general":
            self.W = nn.Linear(encoder_size, decoder_size, bias=bias)
        if score == "concat":
            num_hiddens = decoder_size if num_hiddens is None else num_hiddens
            self.W = nn.Linear(decoder_size + encoder_size, num_hiddens, bias=False)
            self.v = nn.Linear(num_hiddens, 1, bias=False)

    def scores(self, decoder_states: Tensor, encoder_states: Tensor) -> Tensor:
        """Return the scores before the softmax (batch, queries, keys)."""
        if self.score == "dot":
            return dot_product_scores(decoder_states, encoder_states)
        if self.score == "concat":  # W [s; h] = W_s s + W_h h
            w_decoder, w_encoder = self.W.weight.split(self.sizes, dim=1)
            return additive_scores(
                decoder_states, encoder_states, w_decoder, w_encoder, self.v.weight.squeeze(0)
            )
        scores = bilinear_scores(decoder_states, encoder_states, self.W.weight)
        return scores if self.W.bias is None else scores + (decoder_states @ self.W.bias).unsqueeze(-1)

    def forward(
        self,
        decoder_states: Tensor,
        encoder_states: Tensor,
        mask: Tensor | None = None,
        *,
        valid_lens: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return context (batch, queries, encoder_size) and weights (batch, queries, keys)."""
        _check_states(decoder_states, encoder_states, *self.sizes)
        weights = masked_softmax(self.scores(decoder_states, encoder_states), mask, valid_lens=valid_lens)
        return weights @ encoder_states, weights  # (batch, queries, encoder_size)


def _check_luong(
    decoder_size: int, encoder_size: int, score: str, num_hiddens: int | None, bias: bool
) -> None:
    """Refuse sizes and options that the score cannot have."""
    _check.choice("score", score, _LUONG_SCORES)
    _check.count("decoder_size", decoder_size, least=1)
    _check.count("encoder_size", encoder_size, least=1)
    if score == "dot" and decoder_size != encoder_size:
        raise ValueError(
            "a dot score needs decoder_size = encoder_size, got "
            f'decoder_size={decoder_size}, encoder_size={encoder_size}. Use score="general" or "concat".'
        )
    if num_hiddens is not None:
        _check.count("num_hiddens", num_hiddens, least=1)
        if score != "concat":
            raise ValueError(f'num_hiddens belongs to score="concat", got score={score!r}.')
    if bias and score != "general":
        raise ValueError(f'bias belongs to score="general", got score={score!r}.')


def _check_states(
    decoder_states: Tensor, encoder_states: Tensor, decoder_size: int, encoder_size: int
) -> None:
    """Refuse states without a queries or keys axis, of the wrong size, and a source of length 0."""
    sizes = {"decoder_states": decoder_size, "encoder_states": encoder_size}
    axes = {"decoder_states": "queries", "encoder_states": "keys"}
    for name, states in {"decoder_states": decoder_states, "encoder_states": encoder_states}.items():
        _check.floating(**{name: states})
        if states.dim() < 2 or states.shape[-1] != sizes[name]:
            shape = f"(batch, {axes[name]}, {sizes[name]})"
            raise ValueError(f"{name} must have shape {shape}, got {_check.shape_text(states)}.")
    if encoder_states.shape[-2] == 0:
        raise ValueError(
            f"encoder_states must have at least one key, got {_check.shape_text(encoder_states)}."
        )
