"""A decoder-only language model of characters: what comes next, given what came before?

Chapter: notebooks/10b_inside_the_writer.ipynb
"""

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from attn_helpers import _check
from attn_helpers.masking import causal_mask
from attn_helpers.positions import LearnedPositions
from attn_lessons.studies.transformer import Block


class LanguageModel(nn.Module):
    """Give each character of a text logits for the character after it.

    Formula: logits = E norm(block_n(... block_1(E[ids] + P))), E the table of the characters' vectors
    Source: Radford et al. 2019, section 2.3 (decoder only); Vaswani et al. 2017, section 3.4 (one table).

    The same table turns characters into vectors and vectors into logits.

    Call it with (ids, *, head_mask=None): ids (batch, length) int64, length at most max_length; head_mask
    (layers, heads) multiplies each head's output, so that 0 switches a head off. It returns the logits
    (batch, length, vocabulary) and the weights (batch, layers, heads, queries, keys).

    Args:
        vocabulary_size: number of tokens, id 0 the start mark.
        max_length: the window: most tokens that the model can look at.

    >>> model = LanguageModel(7, max_length=5, d_model=6, num_heads=2, num_layers=3)
    >>> logits, weights = model(torch.tensor([[0, 4, 2]]))
    >>> logits.shape, weights.shape
    (torch.Size([1, 3, 7]), torch.Size([1, 3, 2, 3, 3]))
    """

    def __init__(
        self,
        vocabulary_size: int,
        *,
        max_length: int,
        d_model: int,
        num_heads: int,
        num_layers: int,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        _check.count("vocabulary_size", vocabulary_size, least=1)
        _check.count("num_layers", num_layers, least=1)
        self.max_length = max_length
        self.table = nn.Embedding(vocabulary_size, d_model)
        nn.init.normal_(self.table.weight, std=d_model**-0.5)  # logits of size 1: the rows are used twice
        self.positions = LearnedPositions(max_length, d_model)
        self.dropout = nn.Dropout(dropout)
        self.blocks = nn.ModuleList(
            Block(d_model, num_heads, dropout=dropout, gelu="tanh") for _ in range(num_layers)
        )
        self.norm = nn.LayerNorm(d_model)

    def forward(self, ids: Tensor, *, head_mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return logits (batch, length, vocabulary) and weights (batch, layers, heads, queries, keys)."""
        self._check_inputs(ids, head_mask)
        x = self.dropout(self.positions(self.table(ids)))  # (batch, length, d_model)
        mask = causal_mask(ids.shape[1], device=ids.device)[None]
        weights = []
        for i, block in enumerate(self.blocks):
            on = None if head_mask is None else head_mask[i]
            x, maps = block(x, mask, head_mask=on)
            weights.append(maps)
        return self.norm(x) @ self.table.weight.T, torch.stack(weights, dim=1)

    def _check_inputs(self, ids: Tensor, head_mask: Tensor | None) -> None:
        _check.rank("(batch, length)", ids=ids)
        if not 1 <= ids.shape[1] <= self.max_length:
            raise ValueError(
                f"ids must have a length of 1 to {self.max_length} (the window), got length={ids.shape[1]}."
            )
        heads = (len(self.blocks), cast(Block, self.blocks[0]).attention.num_heads)
        if head_mask is not None and tuple(head_mask.shape) != heads:
            raise ValueError(
                f"head_mask must have shape (layers={heads[0]}, heads={heads[1]}), "
                f"got {_check.shape_text(head_mask)}."
            )


def text_loss(model: nn.Module, ids: Tensor, targets: Tensor) -> Tensor:
    """Cross-entropy of the next character, averaged over places and batch.

    Formula: loss = -mean log softmax(logits_t)[target_t]
    Source: Radford et al. 2019, section 2, equation 1.

    Args:
        ids: (batch, length) int64.
        targets: (batch, length) int64, the character after each place.
    Returns: the loss in nats, a tensor without axes; divided by log 2 it is in bits.

    >>> undecided = lambda ids: (torch.zeros(1, 2, 8), None)  # 8 tokens, all alike: 3 bits
    >>> text_loss(undecided, torch.tensor([[0, 1]]), torch.tensor([[1, 2]])) / torch.tensor(2.0).log()
    tensor(3.)
    """
    logits, _ = model(ids)
    return cross_entropy(logits.flatten(0, 1), targets.flatten())
