"""A small sequence-to-sequence model: recurrent encoder, attention or one fixed vector, recurrent decoder.

Chapter: notebooks/05b_trained_translator.ipynb
"""

import torch
from torch import Tensor, nn

from attn_helpers import _check
from attn_helpers.masking import length_mask
from attn_helpers.recurrence import BidirectionalGRU
from attn_helpers.seq2seq import BahdanauAttention, LuongAttention

ATTENTIONS = ("bahdanau", "dot", "fixed")


class Translator(nn.Module):
    """Read a sequence of symbols, write another.

    Formula: s_t = GRU([y_(t-1); context_t], s_(t-1)), logits_t = W_out tanh(W_c [s_t; context_t])
    Source: Bahdanau et al. 2015; Luong et al. 2015; Cho et al. 2014 for the fixed vector.

    The context of step t is Bahdanau's (asked with s_(t-1)), Luong's (asked with s_t; then it is not part of
    the decoder's input), or one fixed vector for all steps: the encoder's last states. A source of length 0
    within a batch gives weights 0 and context 0.

    Call it with (source_ids, lengths, target_ids): it returns the logits (batch, queries, target_size) of
    every step, the step being told the true symbol before (teacher forcing).

    Args:
        source_size: number of source symbols, padding included.
        num_hiddens: size of the encoder's state in one direction; the decoder's state has twice this size.

    >>> model = Translator(source_size=7, target_size=5, attention="dot", embed_size=2, num_hiddens=3)
    >>> source_ids, lengths = torch.ones(2, 4, dtype=torch.int64), torch.tensor([4, 2])
    >>> ids, weights = model.translate(source_ids, lengths, num_steps=3)
    >>> ids.shape, weights.shape
    (torch.Size([2, 3]), torch.Size([2, 3, 4]))
    """

    def __init__(
        self,
        source_size: int,
        target_size: int,
        attention: str = "bahdanau",
        *,
        embed_size: int = 24,
        num_hiddens: int = 40,
    ) -> None:
        super().__init__()
        if attention not in ATTENTIONS:
            raise ValueError(f"unknown attention {attention!r}; choose one of {', '.join(ATTENTIONS)}.")
        size = 2 * num_hiddens
        self.kind, self.target_size = attention, target_size
        self.source_embedding = nn.Embedding(source_size, embed_size)
        self.target_embedding = nn.Embedding(target_size + 1, embed_size)  # the last row starts a sequence
        self.encoder = BidirectionalGRU(embed_size, num_hiddens)
        self.bridge = nn.Linear(size, size)
        self.attention = _make_attention(attention, size, num_hiddens)
        self.decoder = nn.GRUCell(embed_size if attention == "dot" else embed_size + size, size)
        self.output = nn.Sequential(nn.Linear(2 * size, size), nn.Tanh(), nn.Linear(size, target_size))

    def encode(self, source_ids: Tensor, lengths: Tensor) -> dict[str, Tensor]:
        """Return memory (batch, keys, size), mask (batch, 1, keys), summary (batch, size) and first state."""
        if source_ids.dim() != 2 or source_ids.shape[1] == 0:
            shape = _check.shape_text(source_ids)
            raise ValueError(f"source_ids must have shape (batch, keys) with keys >= 1, got {shape}.")
        mask = length_mask(lengths, source_ids.shape[1])  # (batch, keys)
        memory, summary = self.encoder(self.source_embedding(source_ids), mask)
        state = torch.tanh(self.bridge(summary))
        return {"memory": memory, "mask": mask.unsqueeze(1), "summary": summary, "state": state}

    def step(
        self, previous: Tensor, state: Tensor, memory: Tensor, mask: Tensor, summary: Tensor
    ) -> dict[str, Tensor]:
        """Write one symbol.

        Takes the symbol before, previous (batch,), the state (batch, size) and what `encode` gave; returns
        logits (batch, target_size), the next state (batch, size) and weights (batch, keys), 0 for "fixed".
        """
        inputs = self.target_embedding(previous)  # (batch, embed_size)
        if self.kind == "dot":  # move, then look
            state = self.decoder(inputs, state)
            context, weights = self._look(state, memory, mask)
        elif self.kind == "bahdanau":  # look, then move
            context, weights = self._look(state, memory, mask)
            state = self.decoder(torch.cat([inputs, context], dim=-1), state)
        else:
            context, weights = summary, torch.zeros_like(memory[..., 0])
            state = self.decoder(torch.cat([inputs, context], dim=-1), state)
        return {
            "logits": self.output(torch.cat([state, context], dim=-1)),
            "state": state,
            "weights": weights,
        }

    def forward(self, source_ids: Tensor, lengths: Tensor, target_ids: Tensor) -> Tensor:
        """Return the logits (batch, queries, target_size), each step told the true symbol before."""
        encoded = self.encode(source_ids, lengths)
        state = encoded.pop("state")
        previous = self._start(source_ids)
        logits = []
        for t in range(target_ids.shape[1]):
            result = self.step(previous, state, **encoded)
            state, previous = result["state"], target_ids[:, t]
            logits.append(result["logits"])
        return torch.stack(logits, dim=1)  # (batch, queries, target_size)

    def translate(self, source_ids: Tensor, lengths: Tensor, num_steps: int) -> tuple[Tensor, Tensor]:
        """Write num_steps symbols, the likeliest each time; return ids and weights (batch, queries, keys)."""
        found = self.write(source_ids, lengths, num_steps)
        return found["ids"], found["weights"]

    def write(
        self, source_ids: Tensor, lengths: Tensor, num_steps: int, kept: Tensor | None = None
    ) -> dict[str, Tensor]:
        """Write num_steps symbols; return ids and sure (batch, queries), weights (batch, queries, keys).

        sure is the probability of each symbol that was written; kept (batch, keys) says where it may look.
        """
        encoded = self.encode(source_ids, lengths)
        state = encoded.pop("state")
        if kept is not None:
            encoded["mask"] = encoded["mask"] & kept.unsqueeze(1)
        previous = self._start(source_ids)
        steps = []
        for _ in range(num_steps):
            result = self.step(previous, state, **encoded)
            sure, previous = result["logits"].softmax(dim=-1).max(dim=-1)
            state = result["state"]
            steps.append({"ids": previous, "sure": sure, "weights": result["weights"]})
        return {name: torch.stack([step[name] for step in steps], dim=1) for name in steps[0]}

    def _start(self, source_ids: Tensor) -> Tensor:
        return torch.full_like(source_ids[:, 0], self.target_size)  # (batch,)

    def _look(self, state: Tensor, memory: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        assert self.attention is not None
        context, weights = self.attention(state.unsqueeze(1), memory, mask)  # queries=1
        return context.squeeze(1), weights.squeeze(1)


def _make_attention(kind: str, size: int, num_hiddens: int) -> nn.Module | None:
    if kind == "fixed":
        return None
    return BahdanauAttention(size, size, num_hiddens) if kind == "bahdanau" else LuongAttention(size, size)
