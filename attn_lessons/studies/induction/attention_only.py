"""A transformer that is nothing but attention: no hidden layers between, so that every step can be read.

Chapter: notebooks/11a_induction_by_hand.ipynb, notebooks/11b_induction_learned.ipynb
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from attn_helpers import _check
from attn_helpers.masking import causal_mask
from attn_helpers.multihead import MultiHeadAttention
from attn_helpers.positions import LearnedPositions

INPUTS = ("queries", "keys", "values")


class AttentionOnly(nn.Module):
    """Predict each next token by layers of causal attention that add to a running sum.

    Formula: x <- x + attention(norm(x)) for each layer, logits = norm(x) U, x_0 = token + position
    Source: Elhage et al. 2021, A Mathematical Framework for Transformer Circuits (attention-only models).

    Call it with (tokens, *, head_mask=None, cut=None, replaced=None): tokens (batch, length) int64 of 0 to
    vocabulary - 1; head_mask (layers, heads) multiplies the heads' outputs, 0 switches a head off; cut names
    one of "queries", "keys", "values", which the layers after the first then compute from x_0, without what
    earlier layers added; replaced gives the output (length, d_model) of some layers, by their index, in the
    place of their own. It returns logits (batch, length, vocabulary) and the weights
    (batch, layers, heads, queries, keys).

    Args:
        d_model: size of the vectors, divisible by num_heads.
        std: standard deviation of token and position vectors at the start of training.
        norm: whether layers read normalised vectors; False leaves norm out of the formula.

    >>> model = AttentionOnly(vocabulary=7, max_length=5, d_model=4)
    >>> logits, weights = model(torch.tensor([[3, 1, 6]]))
    >>> logits.shape, weights.shape
    (torch.Size([1, 3, 7]), torch.Size([1, 2, 1, 3, 3]))
    """

    def __init__(
        self,
        vocabulary: int,
        max_length: int,
        d_model: int,
        *,
        num_layers: int = 2,
        num_heads: int = 1,
        std: float = 0.1,
        norm: bool = True,
    ) -> None:
        super().__init__()
        _check.count("vocabulary", vocabulary, least=1)
        _check.count("num_layers", num_layers)
        self.vocabulary, self.max_length, self.num_heads = vocabulary, max_length, num_heads
        self.embedding = nn.Embedding(vocabulary, d_model)
        self.positions = LearnedPositions(max_length, d_model)
        norms = [nn.LayerNorm(d_model) if norm else nn.Identity() for _ in range(num_layers + 1)]
        self.norms, self.last_norm = nn.ModuleList(norms[:-1]), norms[-1]
        self.layers = nn.ModuleList(
            MultiHeadAttention(d_model, num_heads, bias=False) for _ in range(num_layers)
        )
        self.unembed = nn.Linear(d_model, vocabulary, bias=False)
        for table in (self.embedding.weight, self.positions.weight):
            nn.init.normal_(table, std=std)

    def forward(
        self,
        tokens: Tensor,
        *,
        head_mask: Tensor | None = None,
        cut: str | None = None,
        replaced: Mapping[int, Tensor] | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return logits (batch, length, vocabulary) and weights (batch, layers, heads, queries, keys)."""
        self._check_inputs(tokens, head_mask, cut)
        causal = causal_mask(tokens.shape[1], device=tokens.device)
        start = self.positions(self.embedding(tokens))
        x, all_weights = start, []
        for i, layer in enumerate(self.layers):
            reads = dict.fromkeys(INPUTS, self.norms[i](x))
            if cut:
                reads[cut] = self.norms[i](start)
            on = None if head_mask is None else head_mask[i]
            output, weights = layer(**reads, mask=causal, head_mask=on)
            if replaced and i in replaced:
                output = self._replacement(replaced[i], output)
            x = x + output  # (batch, length, d_model)
            all_weights.append(weights)
        if not all_weights:
            return self.unembed(self.last_norm(x)), x.new_zeros(len(x), 0)
        weights = torch.stack(all_weights, dim=1)
        return self.unembed(self.last_norm(x)), weights

    def layer_output(self, tokens: Tensor, layer: int) -> Tensor:
        """Return what one layer adds to the running sum, (batch, length, d_model)."""
        kept: list[Tensor] = []
        hook = self.layers[layer].register_forward_hook(lambda module, given, made: kept.append(made[0]))
        try:
            self(tokens)
        finally:
            hook.remove()
        return kept[0]

    def _check_inputs(self, tokens: Tensor, head_mask: Tensor | None, cut: str | None) -> None:
        if not isinstance(tokens, Tensor) or tokens.dtype not in (torch.int64, torch.int32):
            got = tokens.dtype if isinstance(tokens, Tensor) else type(tokens).__name__
            raise TypeError(f"tokens must be a tensor of whole numbers (int64), got {got}.")
        _check.rank("(batch, length)", tokens=tokens)
        if tokens.shape[1] > self.max_length:
            raise ValueError(
                f"tokens must have length at most max_length={self.max_length}, got length={tokens.shape[1]}."
            )
        if _check.values_known(tokens) and tokens.numel():
            least, most = int(tokens.min()), int(tokens.max())
            if least < 0 or most >= self.vocabulary:
                wrong = least if least < 0 else most
                raise ValueError(f"tokens must lie between 0 and {self.vocabulary - 1}, got {wrong}.")
        if cut is not None:
            _check.choice("cut", cut, dict.fromkeys(INPUTS))
        wanted = (len(self.layers), self.num_heads)
        if head_mask is not None and tuple(head_mask.shape) != wanted:
            raise ValueError(
                f"head_mask must have shape (layers={wanted[0]}, heads={wanted[1]}), "
                f"got {_check.shape_text(head_mask)}."
            )

    @staticmethod
    def _replacement(given: Tensor, output: Tensor) -> Tensor:
        if given.shape not in (output.shape, output.shape[1:]):
            raise ValueError(
                f"replaced must have shape (length={output.shape[1]}, d_model={output.shape[2]}), "
                f"got {_check.shape_text(given)}."
            )
        return given.expand_as(output)
