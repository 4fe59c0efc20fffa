"""Endless batches for the small models: dates to translate, strings to copy, numbers to subtract."""

import random
from collections.abc import Iterator

import torch
from torch import Tensor

from .dates import date_examples, encode_sources, encode_targets, split_dates

NUM_SYMBOLS = 16
MAX_COPY_LENGTH = 20
NUM_NAMES = 8


def date_batches(
    batch_size: int = 64, *, num_dates: int = 16000, num_test: int = 1000, seed: int = 0
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Yield training dates for ever, in all locales and forms, some in lower or upper case as readers type.

    Args:
        batch_size: dates in a batch.
        num_dates: training dates; each is written once, in a locale and form drawn at random.
        num_test: held-out dates, as in `split_dates(num_dates, num_test, seed=seed)`.
        seed: decides everything.

    Returns:
        an iterator of (source_ids (batch, keys), lengths (batch,), target_ids (batch, 10)).

    Raises:
        ValueError: more dates asked for than the two centuries have, said at the first batch.

    Example:
        >>> source_ids, lengths, target_ids = next(date_batches(3, num_dates=9))
        >>> source_ids.shape[0], lengths.shape, target_ids.shape
        (3, torch.Size([3]), torch.Size([3, 10]))

    Source: this book.
    Chapter: notebooks/05_seq2seq_attention.ipynb
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

    Args:
        num_strings: number of strings.
        length: symbols in a string, at least 1.
        seed: decides the draw.

    Returns:
        (source_ids (batch, length) of 1 to NUM_SYMBOLS, lengths (batch,), target_ids = source_ids - 1).

    Example:
        >>> source_ids, lengths, target_ids = copy_strings(2, 3)
        >>> source_ids.shape, lengths, torch.equal(source_ids, target_ids + 1)
        (torch.Size([2, 3]), tensor([3, 3]), True)

    Source: this book.
    Chapter: notebooks/05_seq2seq_attention.ipynb
    """
    return _random_strings(num_strings, length, torch.Generator().manual_seed(seed))


def copy_batches(
    batch_size: int = 64, *, max_length: int = MAX_COPY_LENGTH, seed: int = 0
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Yield fresh random strings for ever, each batch of one length between 1 and max_length.

    Args:
        batch_size: strings in a batch.
        max_length: symbols in the longest strings, at least 1.
        seed: decides the lengths and the strings.

    Returns:
        an iterator of (source_ids (batch, length), lengths (batch,), target_ids (batch, length)), each as
        `copy_strings` gives them.

    Example:
        >>> source_ids, lengths, target_ids = next(copy_batches(5, max_length=1))
        >>> source_ids.shape
        torch.Size([5, 1])

    Source: this book.
    Chapter: notebooks/05_seq2seq_attention.ipynb
    """
    generator = torch.Generator().manual_seed(seed)
    while True:
        length = int(torch.randint(1, max_length + 1, (1,), generator=generator))
        yield _random_strings(batch_size, length, generator)


def difference_batches(
    batch_size: int = 64, *, num_names: int = NUM_NAMES, seed: int = 0
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Yield named numbers and a question "what is a minus b?" for ever.

    Every name occurs once in each row, in random order, with a number between -1 and 1.

    Args:
        batch_size: rows in a batch.
        num_names: names, and numbers in a row.
        seed: decides the draw.

    Returns:
        an iterator of (names (batch, keys) int64, numbers (batch, keys), asked (batch, 2) int64 with two
        different names, answers (batch,) = number of the first minus number of the second).

    Example:
        >>> names, numbers, asked, answers = next(difference_batches(1, num_names=2))
        >>> names, numbers, asked, answers
        (tensor([[0, 1]]), tensor([[-0.8230, -0.7359]]), tensor([[0, 1]]), tensor([-0.0871]))

    Source: this book.
    Chapter: notebooks/08_multi_head.ipynb
    """
    generator = torch.Generator().manual_seed(seed)
    while True:
        names = torch.rand(batch_size, num_names, generator=generator).argsort(dim=-1)
        numbers = torch.rand(batch_size, num_names, generator=generator) * 2 - 1
        asked = torch.rand(batch_size, num_names, generator=generator).argsort(dim=-1)[:, :2]
        places = (names.unsqueeze(1) == asked.unsqueeze(-1)).int().argmax(dim=-1)  # (batch, 2)
        first, second = numbers.gather(1, places).unbind(1)
        yield names, numbers, asked, first - second


def _as_typed(text: str, chance: float) -> str:
    """Lower-case 15 and upper-case 5 of 100 texts."""
    return text.lower() if chance < 0.15 else text.upper() if chance < 0.2 else text


def _random_strings(
    num_strings: int, length: int, generator: torch.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    ids = torch.randint(NUM_SYMBOLS, (num_strings, length), generator=generator)
    return ids + 1, torch.full((num_strings,), length), ids
