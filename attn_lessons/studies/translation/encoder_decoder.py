"""The whole transformer: an encoder, a causal decoder and the cross-attention between them.

Chapter: notebooks/08e_encoder_and_decoder.ipynb
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from attn_helpers import _check
from attn_helpers.masking import causal_mask, length_mask
from attn_helpers.multihead import MultiHeadAttention
from attn_helpers.positions import sinusoidal_positions
from attn_lessons.studies.training import load_weights, seeded, symbol_loss, train
from attn_lessons.studies.transformer import Block
from attn_lessons.studies.translation import dates
from attn_lessons.studies.translation.batches import date_batches
from attn_lessons.studies.translation.date_translator import NUM_STEPS

D_MODEL, NUM_HEADS, NUM_HIDDENS = 48, 4, 128
MAX_RATE = 8e-3  # the best of 2e-3, 4e-3 and 8e-3, by the loss on the training dates


class DecoderBlock(nn.Module):
    """One layer of a decoder: look back at what is written, look at the source, then think.

    Formula: y = x + self(norm(x)); z = y + cross(norm(y), memory); output = z + W_2 gelu(W_1 norm(z))
    Source: Vaswani et al. 2017, section 3.1, with the norm before each step as in `Block`.

    Call it with (inputs, memory, mask, memory_mask): inputs (batch, queries, d_model), the encoder's output
    memory (batch, keys, d_model), mask (1, queries, queries) and memory_mask (batch, 1, keys), both True =
    may attend; it returns outputs, the weights on what is written (batch, heads, queries, queries) and
    those on the source (batch, heads, queries, keys).

    >>> block = DecoderBlock(d_model=6, num_heads=2, num_hiddens=8)
    >>> memory, mask = torch.zeros(1, 5, 6), torch.ones(1, 1, 5, dtype=torch.bool)
    >>> outputs, back, across = block(torch.zeros(1, 3, 6), memory, causal_mask(3, 3)[None], mask)
    >>> outputs.shape, back.shape, across.shape
    (torch.Size([1, 3, 6]), torch.Size([1, 2, 3, 3]), torch.Size([1, 2, 3, 5]))
    """

    def __init__(self, d_model: int, num_heads: int, num_hiddens: int) -> None:
        super().__init__()
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.grow, self.shrink = nn.Linear(d_model, num_hiddens), nn.Linear(num_hiddens, d_model)

    def forward(
        self, inputs: Tensor, memory: Tensor, mask: Tensor, memory_mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return outputs and both maps."""
        x = self.norm_1(inputs)
        found, back = self.self_attention(x, x, x, mask)
        y = inputs + found
        read, across = self.cross_attention(self.norm_2(y), memory, memory, memory_mask)
        z = y + read
        return z + self.shrink(nn.functional.gelu(self.grow(self.norm_3(z)))), back, across


class Transformer(nn.Module):
    """Encode a source once, then write a target one symbol at a time.

    Formula: memory = encoder(E_s[source] + P); logits_t = W decoder(E_t[start, y_1 .. y_(t-1)] + P, memory)
    Source: Vaswani et al. 2017, Attention Is All You Need.

    Call it with (source_ids, lengths, target_ids): it returns the logits (batch, queries, target_size), all
    positions at once; the causal mask keeps each from the symbols after it.

    Args:
        source_size: number of source symbols, padding included; target_size: number of target symbols.
        num_layers: blocks of the encoder, and of the decoder.

    >>> model = Transformer(source_size=7, target_size=5, d_model=6, num_heads=2, num_hiddens=8)
    >>> source_ids, lengths = torch.ones(2, 4, dtype=torch.int64), torch.tensor([4, 2])
    >>> ids, weights = model.translate(source_ids, lengths, num_steps=3)
    >>> ids.shape, weights.shape
    (torch.Size([2, 3]), torch.Size([2, 3, 4]))
    """

    def __init__(
        self,
        source_size: int,
        target_size: int,
        *,
        d_model: int = D_MODEL,
        num_heads: int = NUM_HEADS,
        num_hiddens: int = NUM_HIDDENS,
        num_layers: int = 1,
    ) -> None:
        super().__init__()
        self.target_size, sizes = target_size, (d_model, num_heads, num_hiddens)
        self.source_embedding = nn.Embedding(source_size, d_model)
        self.target_embedding = nn.Embedding(target_size + 1, d_model)  # the last row starts a sequence
        self.encoder = nn.ModuleList(Block(*sizes) for _ in range(num_layers))
        self.decoder = nn.ModuleList(DecoderBlock(*sizes) for _ in range(num_layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.output = nn.Linear(d_model, target_size)

    def encode(self, source_ids: Tensor, lengths: Tensor) -> dict[str, Tensor]:
        """Return memory (batch, keys, d_model), mask, and weights (batch, layers, heads, keys, keys)."""
        if source_ids.dim() != 2 or source_ids.shape[1] == 0:
            shape = _check.shape_text(source_ids)
            raise ValueError(f"source_ids must have shape (batch, keys) with keys >= 1, got {shape}.")
        mask = length_mask(lengths, source_ids.shape[1]).unsqueeze(1)  # (batch, 1, keys)
        x, maps = self._place(self.source_embedding(source_ids)), []
        for block in self.encoder:
            x, weights = block(x, mask)
            maps.append(weights)
        return {"memory": self.encoder_norm(x), "mask": mask, "weights": torch.stack(maps, dim=1)}

    def decode(self, previous: Tensor, memory: Tensor, mask: Tensor) -> dict[str, Tensor]:
        """Give logits for the symbol after each of previous (batch, queries), and the maps of all layers."""
        x = self._place(self.target_embedding(previous))
        backs: list[Tensor] = []
        acrosses: list[Tensor] = []
        causal = causal_mask(previous.shape[1], previous.shape[1])[None]  # (1, queries, queries)
        for block in self.decoder:
            x, back, across = block(x, memory, causal, mask)
            backs.append(back)
            acrosses.append(across)
        return {
            "logits": self.output(self.decoder_norm(x)),  # (batch, queries, target_size)
            "back": torch.stack(backs, dim=1),  # (batch, layers, heads, queries, queries)
            "across": torch.stack(acrosses, dim=1),  # (batch, layers, heads, queries, keys)
        }

    def forward(self, source_ids: Tensor, lengths: Tensor, target_ids: Tensor) -> Tensor:
        """Return the logits (batch, queries, target_size), each position told the true symbols before it."""
        encoded = self.encode(source_ids, lengths)
        shifted = torch.cat([self._start(source_ids), target_ids[:, :-1]], dim=1)
        return self.decode(shifted, encoded["memory"], encoded["mask"])["logits"]

    def translate(self, source_ids: Tensor, lengths: Tensor, num_steps: int) -> tuple[Tensor, Tensor]:
        """Write num_steps symbols, the likeliest each time; return ids and the last layer's mean map."""
        found = self.write(source_ids, lengths, num_steps)
        return found["ids"], found["across"][:, -1].mean(dim=1)  # (batch, queries), (batch, queries, keys)

    def write(self, source_ids: Tensor, lengths: Tensor, num_steps: int) -> dict[str, Tensor]:
        """Write num_steps symbols and return ids with the three kinds of maps: source, back, across."""
        encoded = self.encode(source_ids, lengths)
        ids = self._start(source_ids)
        for _ in range(num_steps):
            found = self.decode(ids, encoded["memory"], encoded["mask"])
            ids = torch.cat([ids, found["logits"][:, -1:].argmax(dim=-1)], dim=1)
        maps = {"source": encoded["weights"], "back": found["back"], "across": found["across"]}
        return {"ids": ids[:, 1:], **maps}

    def _place(self, embedded: Tensor) -> Tensor:
        return embedded + sinusoidal_positions(embedded.shape[1], embedded.shape[2], dtype=embedded.dtype)

    def _start(self, source_ids: Tensor) -> Tensor:
        return torch.full_like(source_ids[:, :1], self.target_size)  # (batch, 1)


def make_transformer(*, num_layers: int = 1, seed: int = 0) -> Transformer:
    """Make an untrained transformer for dates, as large as the recurrent translator of lesson 5b.

    >>> sum(parameter.numel() for parameter in make_transformer().parameters())
    61659
    """
    sizes = len(dates.SOURCE_CHARACTERS), len(dates.TARGET_CHARACTERS)
    return seeded(lambda: Transformer(*sizes, num_layers=num_layers), seed)


def train_transformer(
    *,
    seed: int = 0,
    stop_after: int | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> tuple[Transformer, list[float]]:
    """Train a transformer on the batches of lesson 5b's translator, in as many steps (about 20 seconds).

    Returns: (the trained transformer, the loss of each of 1,000 steps, four times through the dates).

    >>> model, losses = train_transformer(stop_after=1)
    >>> len(losses)
    1
    """
    model = make_transformer(seed=seed)
    losses = train(
        model,
        date_batches(seed=seed),
        symbol_loss,
        num_steps=NUM_STEPS,
        max_rate=MAX_RATE,
        stop_after=stop_after,
        progress=progress,
    )
    return model, losses


def load_transformer() -> tuple[Transformer, list[float]]:
    """Load the stored transformer, trained by `train_transformer` with seed 0, its weights kept as float16.

    Returns: (the trained transformer, the loss of each step of its training).

    >>> model, losses = load_transformer()
    >>> ids, lengths = dates.encode_sources(["March 5, 2024"])
    >>> dates.decode_targets(model.translate(ids, lengths, dates.TARGET_LENGTH)[0])
    ['2024-03-05']
    """
    model = make_transformer()
    return model, load_weights(model, "translation/dates_transformer")


def trace_writing(model: Transformer, source_ids: Tensor, length: Tensor) -> dict[str, Tensor]:
    """Translate one date as a function of tensors alone, so that it can run in a page.

    Args:
        source_ids: (keys,) int64, padded with 0.
        length: number of characters, a tensor without axes.
    Returns: ids (queries,) and the last layer's maps: source (heads, keys, keys), back (heads, queries,
        queries), across (heads, queries, keys).

    >>> ids, lengths = dates.encode_sources(["5 mars 2024"])
    >>> dates.decode_targets(trace_writing(load_transformer()[0], ids[0], lengths[0])["ids"][None])
    ['2024-03-05']
    """
    found = model.write(source_ids.unsqueeze(0), length.reshape(1), dates.TARGET_LENGTH)
    return {"ids": found["ids"][0], **{name: found[name][0, -1] for name in ("source", "back", "across")}}
