"""Writing text with a language model: a loop around the next character, a window, and a cache.

Chapter: notebooks/10a_what_comes_next.ipynb
"""

from typing import cast

import torch
from torch import Tensor, nn

from attn_helpers import _check
from attn_helpers.efficient import KeyValueCache, attend_with_cache
from attn_helpers.multihead import merge_heads, split_heads
from attn_lessons.studies.text.characters import decode_text, encode_text
from attn_lessons.studies.text.language_model import LanguageModel
from attn_lessons.studies.text.sampling import first_state, next_probabilities, next_random, pick
from attn_lessons.studies.transformer import Block


def window_of(ids: Tensor, max_length: int) -> Tensor:
    """Return what the model looks at: the start mark, then as many of the last ids as fit.

    Args:
        ids: (length,) int64 without the start mark; may be empty.
        max_length: the window, at least 1.
    Returns: (window,) int64 with window = min(length + 1, max_length).

    >>> window_of(torch.tensor([5, 6, 7, 8]), max_length=3)
    tensor([0, 7, 8])
    """
    _check.rank("(length,)", ids=ids)
    _check.count("max_length", max_length, least=1)
    last = ids[max(0, len(ids) - (max_length - 1)) :]
    return nn.functional.pad(last, (1, 0))  # id 0 is the start mark


def padded_window(ids: Tensor, length: Tensor, max_length: int) -> tuple[Tensor, Tensor]:
    """Do what `window_of` does for a text in a field of fixed size, so that it can run in a page.

    Args:
        ids: (field,) int64; the first `length` are the text.
        length: a whole number without axes, at most the field's size.
        max_length: the window, at least 1.
    Returns: window (max_length,): start mark, text, and 0 behind it; and the index of the last character in
        it.

    >>> padded_window(torch.tensor([5, 6, 0, 0]), torch.tensor(2), max_length=4)
    (tensor([0, 5, 6, 0]), tensor(2))
    >>> padded_window(torch.tensor([5, 6, 7, 8]), torch.tensor(4), max_length=3)
    (tensor([0, 7, 8]), tensor(2))
    """
    _check.rank("(field,)", ids=ids)
    _check.count("max_length", max_length, least=1)
    last = torch.clamp(length, max=max_length - 1)
    places = length - last + torch.arange(max_length - 1, device=ids.device)  # (max_length - 1,)
    shown = torch.where(places < length, ids[places.clamp(max=len(ids) - 1)], 0)
    return nn.functional.pad(shown, (1, 0)), last


def append_id(ids: Tensor, length: Tensor, new: Tensor) -> Tensor:
    """Put one more id behind a text in a field of fixed size; a full field drops its first id.

    Args:
        ids: (field,) int64; the first `length` are the text.
        length: a whole number without axes.
        new: an id without axes.
    Returns: (field,) int64.

    >>> append_id(torch.tensor([5, 6, 0]), torch.tensor(2), torch.tensor(9))
    tensor([5, 6, 9])
    >>> append_id(torch.tensor([5, 6, 7]), torch.tensor(3), torch.tensor(9))
    tensor([6, 7, 9])
    """
    field = len(ids)
    kept = torch.where(length < field, ids, ids.roll(-1))
    return torch.where(torch.arange(field, device=ids.device) == length.clamp(max=field - 1), new, kept)


def generate(
    model: LanguageModel,
    prompt: str,
    num_characters: int,
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    seed: int = 0,
    cache: bool = False,
) -> str:
    """Continue a text, one character after the other.

    Formula: id_t ~ next_probabilities(model(window_of(id_1, ..., id_(t-1))))
    Source: Radford et al. 2019, section 2; Holtzman et al. 2020, section 5.

    Args:
        prompt: the beginning; may be empty and may be longer than the window.
        cache: keep keys and values (see `CachedReader`); the text is the same.

    >>> from attn_lessons.studies.text.alice import load_language_model
    >>> generate(load_language_model()[0], "said the Mock Tur", 3, temperature=0)
    'tle'
    """
    _check.count("num_characters", num_characters)
    # with nothing to decide: wrong settings are refused before the first step
    next_probabilities(torch.zeros(1), temperature=temperature, top_k=top_k)
    ids, state, reader = encode_text(prompt), first_state(seed), CachedReader(model)
    for _ in range(num_characters):
        window = window_of(ids, model.max_length)
        with torch.no_grad():
            logits = reader.read(window) if cache else model(window[None])[0][0, -1]
        probabilities = next_probabilities(logits, temperature=temperature, top_k=top_k)
        state, uniform = next_random(state)
        ids = torch.cat([ids, pick(probabilities, uniform).reshape(1)])
    return decode_text(ids[len(ids) - num_characters :])


class CachedReader:
    """Read windows with a language model and compute again only what was not computed before.

    Formula: attend(q_new, [k_old; k_new], [v_old; v_new]) in each layer
    Source: Shazeer 2019, Fast Transformer Decoding, section 2.3 (incremental decoding).

    The cache holds as long as a window begins with all the ids of the one before. With learned positions
    that ends when the text outgrows the window: every character that is still seen then has a new position,
    and in the second layer its vectors also know of characters that are no longer seen. From there on each
    window is read anew.

    `read(window)` takes (window,) int64 and returns the logits (vocabulary,) after its last id; `computed`
    counts the positions that went through the layers.

    >>> model = LanguageModel(7, max_length=5, d_model=6, num_heads=2, num_layers=3).eval()
    >>> reader = CachedReader(model)
    >>> for window in ([0, 1], [0, 1, 2], [0, 1, 2, 3]):
    ...     logits = reader.read(torch.tensor(window))
    >>> reader.computed, torch.allclose(logits, model(torch.tensor([window]))[0][0, -1], atol=1e-6)
    (4, True)
    """

    def __init__(self, model: LanguageModel) -> None:
        self.model, self.computed = model, 0
        self._forget()

    def _forget(self) -> None:
        blocks = [block for block in self.model.blocks if isinstance(block, Block)]
        attention = blocks[0].attention
        size = attention.d_model // attention.num_heads
        self.seen = torch.empty(0, dtype=torch.int64)
        self.caches = [
            KeyValueCache.empty(1, attention.num_heads, size, dtype=self.model.table.weight.dtype)
            for _ in blocks
        ]

    def read(self, window: Tensor) -> Tensor:
        """Return the logits (vocabulary,) after the last id of the window."""
        known = len(self.seen)
        if known >= len(window) or not torch.equal(window[:known], self.seen):
            self._forget()
            known = 0
        fresh = window[known:]
        with torch.no_grad():
            x = self.model.positions(self.model.table(fresh[None]), start=known)  # (1, new, d_model)
            for i, block in enumerate(self.model.blocks):
                x, self.caches[i] = _read_block(cast(Block, block), x, self.caches[i])
            logits = self.model.norm(x[0, -1]) @ self.model.table.weight.T
        self.seen, self.computed = window, self.computed + len(fresh)
        return logits


def _read_block(block: Block, inputs: Tensor, cache: KeyValueCache) -> tuple[Tensor, KeyValueCache]:
    attention, x = block.attention, block.norm_1(inputs)
    q, k, v = (
        split_heads(project(x), attention.num_heads)
        for project in (attention.W_q, attention.W_k, attention.W_v)
    )  # (1, heads, new, dim)
    output, _, cache = attend_with_cache(q, k, v, cache)
    return block.compute(inputs + attention.W_o(merge_heads(output))), cache
