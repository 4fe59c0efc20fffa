"""Repeated random tokens: the task on which induction heads form, and a random stream that a page can run.

Chapter: notebooks/11b_induction_learned.ipynb
"""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_helpers import _check

_MODULUS, _FACTOR = 2**31 - 1, 16807  # Lehmer's generator in the form of Park and Miller


def repeat_blocks(blocks: Tensor, periods: Tensor) -> Tensor:
    """Repeat the first `period` tokens of each row over and over.

    Formula: tokens[b, i] = blocks[b, i mod periods[b]]
    Source: Elhage et al. 2021, section on induction heads (repeated random sequences).

    Args:
        blocks: (batch, length) int64.
        periods: (batch,) int64 of 1 to length.
    Returns: tokens (batch, length) int64.

    >>> repeat_blocks(torch.tensor([[7, 8, 9, 0, 0], [7, 8, 9, 0, 0]]), torch.tensor([3, 2]))
    tensor([[7, 8, 9, 7, 8],
            [7, 8, 7, 8, 7]])
    """
    _rows_and_periods("blocks", blocks, periods)
    places = torch.arange(blocks.shape[1], device=blocks.device) % periods[:, None]  # (batch, length)
    return blocks.gather(1, places)


def repeated_tokens(
    num_rows: int,
    length: int,
    vocabulary: int,
    *,
    periods: tuple[int, int] = (8, 24),
    generator: torch.Generator | None = None,
    seed: int = 0,
) -> tuple[Tensor, Tensor]:
    """Draw rows of random tokens that repeat with a random period.

    Each token of a period is drawn anew, so that a token may well occur twice in it.

    Args:
        periods: smallest and largest period, of 1 to length.
        generator: where the random numbers come from; by default a new one with the seed.
    Returns: (tokens (batch, length) int64, periods (batch,) int64).

    >>> tokens, periods = repeated_tokens(2, 7, 5, periods=(3, 4))
    >>> tokens, periods
    (tensor([[4, 4, 3, 4, 4, 3, 4],
            [3, 2, 3, 3, 2, 3, 3]]), tensor([3, 3]))
    """
    _check.count("num_rows", num_rows, least=1)
    _check.count("length", length, least=2)
    _check.count("vocabulary", vocabulary, least=1)
    _range_of_periods(periods, length)
    generator = generator or torch.Generator().manual_seed(seed)
    blocks = torch.randint(vocabulary, (num_rows, length), generator=generator)
    shortest, longest = periods
    drawn = torch.randint(shortest, longest + 1, (num_rows,), generator=generator)
    return repeat_blocks(blocks, drawn), drawn


def repeat_batches(
    batch_size: int = 64,
    *,
    length: int = 48,
    vocabulary: int = 64,
    periods: tuple[int, int] = (8, 24),
    seed: int = 0,
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield fresh batches of `repeated_tokens` for ever.

    Returns: an iterator of (tokens (batch, length), periods (batch,)).

    >>> tokens, periods = next(repeat_batches(3, length=9, periods=(2, 4)))
    >>> tokens.shape, periods.shape
    (torch.Size([3, 9]), torch.Size([3]))
    """
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield repeated_tokens(batch_size, length, vocabulary, periods=periods, generator=generator)


def knowable(tokens: Tensor, periods: Tensor) -> Tensor:
    """Mark the queries whose next token can be known: the present token stood one period earlier.

    Formula: knowable[b, i] = periods[b] <= i < length - 1

    Args:
        tokens: (batch, length) int64.
        periods: (batch,) int64 of 1 to length.
    Returns: (batch, queries = length) bool; the last query is never marked, as nothing follows it.

    >>> knowable(torch.tensor([[7, 8, 7, 8, 7]]), torch.tensor([2]))
    tensor([[False, False,  True,  True, False]])
    """
    _rows_and_periods("tokens", tokens, periods)
    length = tokens.shape[1]
    places = torch.arange(length, device=tokens.device)
    return (places >= periods[:, None]) & (places < length - 1)


def random_lanes(num_rows: int, length: int, *, seed: int = 1) -> Tensor:
    """Make the starting state of `next_repeats`: a whole number for each token and one for each period.

    Returns: (num_rows, length + 1) int64 between 1 and 2^31 - 2.

    >>> random_lanes(1, 2)
    tensor([[ 709841290, 1347998343,  552255366]])
    """
    _check.count("num_rows", num_rows, least=1)
    _check.count("length", length, least=2)
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(1, _MODULUS, (num_rows, length + 1), generator=generator)


def next_repeats(
    lanes: Tensor, vocabulary: int, *, periods: tuple[int, int]
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw repeated tokens with whole-number arithmetic only, so that a page draws the very same ones.

    Formula: lanes <- 16807 lanes mod (2^31 - 1); a token is its lane mod vocabulary
    Source: Park and Miller 1988, Random number generators: good ones are hard to find.

    Args:
        lanes: (batch, length + 1) int64 between 1 and 2^31 - 2, from `random_lanes` or an earlier call.
        periods: smallest and largest period, of 1 to length.
    Returns: (tokens (batch, length), periods (batch,), the next lanes).

    >>> tokens, periods, lanes = next_repeats(random_lanes(1, 6), 10, periods=(2, 3))
    >>> tokens, periods
    (tensor([[8, 8, 6, 8, 8, 6]]), tensor([3]))
    """
    if lanes.dtype != torch.int64:
        raise TypeError(f"lanes must be int64, got {lanes.dtype}.")
    if lanes.dim() != 2 or lanes.shape[1] < 3:
        raise ValueError(f"lanes must have shape (batch, length + 1), got {_check.shape_text(lanes)}.")
    _check.count("vocabulary", vocabulary, least=1)
    shortest, longest = _range_of_periods(periods, lanes.shape[1] - 1)
    lanes = lanes * _FACTOR % _MODULUS  # below 2^46, which JavaScript's numbers hold exactly
    drawn = shortest + lanes[:, 0] % (longest - shortest + 1)  # (batch,)
    return repeat_blocks(lanes[:, 1:] % vocabulary, drawn), drawn, lanes


def _range_of_periods(periods: tuple[int, int], length: int) -> tuple[int, int]:
    shortest, longest = periods
    _check.count("periods", shortest, least=1)
    _check.count("periods", longest, least=1)
    if not shortest <= longest <= length:
        raise ValueError(
            f"periods must be (smallest, largest) within 1 to length={length}, got periods={periods}."
        )
    return shortest, longest


def _rows_and_periods(name: str, rows: Tensor, periods: Tensor) -> None:
    for each, tensor in ((name, rows), ("periods", periods)):
        if not isinstance(tensor, Tensor) or tensor.dtype != torch.int64:
            got = tensor.dtype if isinstance(tensor, Tensor) else type(tensor).__name__
            raise TypeError(f"{each} must be an int64 tensor, got {got}.")
    if rows.dim() != 2 or periods.shape != rows.shape[:1]:
        raise ValueError(
            f"{name} must have shape (batch, length) and periods (batch,), "
            f"got {name} {_check.shape_text(rows)}, periods {_check.shape_text(periods)}."
        )
    if _check.values_known(periods) and not bool(((periods >= 1) & (periods <= rows.shape[1])).all()):
        raise ValueError(
            f"periods must lie between 1 and length={rows.shape[1]}, got {sorted(set(periods.tolist()))}."
        )
