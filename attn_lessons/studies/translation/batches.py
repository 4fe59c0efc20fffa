"""Endless batches for the small models: dates to translate, strings to copy, numbers to subtract.

Chapter: notebooks/05b_trained_translator.ipynb
"""

import random
from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.studies.translation.dates import date_examples, encode_sources, encode_targets, split_dates

NUM_SYMBOLS = 16
MAX_COPY_LENGTH = 20


def date_batches(
    batch_size: int = 64, *, num_dates: int = 16000, num_test: int = 1000, seed: int = 0
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Yield training dates for ever, in all locales and forms, some in lower or upper case as readers type.

    Args:
        num_dates: training dates; each is written once, in a locale and form drawn at random.
        num_test: held-out dates, as in `split_dates(num_dates, num_test, seed=seed)`.
    Returns: an iterator of (source_ids (batch, keys), lengths (batch,), target_ids (batch, 10)).

    >>> source_ids, lengths, target_ids = next(date_batches(3, num_dates=9))
    >>> source_ids.shape[0], lengths.shape, target_ids.shape
    (3, torch.Size([3]), torch.Size([3, 10]))
    """
    train, _ = split_dates(num_dates, num_test, seed=seed)
    examples = date_examples(train, seed=seed + 1)
    draw = random.Random(seed + 2)
    texts = [_as_typed(example.source, draw.random()) for example in examples]
    source_ids, lengths = encode_sources(texts)
    target_ids = encode_targets([example.target for example in examples])
    generator = torch.Generator().manual_seed(seed)
    while True:
        order = torch.randperm(num_dates, generator=generator)
        for rows in order[: num_dates // batch_size * batch_size].split(batch_size):
            longest = int(lengths[rows].max())
            yield source_ids[rows, :longest], lengths[rows], target_ids[rows]


def copy_strings(num_strings: int, length: int, *, seed: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """Draw random strings to be copied symbol by symbol: nothing in them can be guessed.

    Returns: (source_ids (batch, length) of 1 to NUM_SYMBOLS, lengths (batch,), target_ids = source_ids - 1).

    >>> source_ids, lengths, target_ids = copy_strings(2, 3)
    >>> source_ids.shape, lengths, torch.equal(source_ids, target_ids + 1)
    (torch.Size([2, 3]), tensor([3, 3]), True)
    """
    return _random_strings(num_strings, length, torch.Generator().manual_seed(seed))


def copy_batches(
    batch_size: int = 64, *, max_length: int = MAX_COPY_LENGTH, seed: int = 0
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Yield fresh random strings for ever, each batch of one length between 1 and max_length.

    Returns: an iterator of (source_ids (batch, length), lengths (batch,), target_ids (batch, length)), each
        as `copy_strings` gives them.

    >>> source_ids, lengths, target_ids = next(copy_batches(5, max_length=1))
    >>> source_ids.shape
    torch.Size([5, 1])
    """
    generator = torch.Generator().manual_seed(seed)
    while True:
        length = int(torch.randint(1, max_length + 1, (1,), generator=generator))
        yield _random_strings(batch_size, length, generator)


def _as_typed(text: str, chance: float) -> str:
    """Lower-case 15 and upper-case 5 of 100 texts."""
    return text.lower() if chance < 0.15 else text.upper() if chance < 0.2 else text


def _random_strings(
    num_strings: int, length: int, generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    ids = torch.randint(NUM_SYMBOLS, (num_strings, length), generator=generator)
    return ids + 1, torch.full((num_strings,), length), ids
