"""Does a head deserve a name? Hits on sentences, beside what a fixed offset gets."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from .. import _check
from .readings import Reading
from .wordpiece import SPECIAL, is_punctuation

Asked = Sequence[tuple[str, str]]


def word_mask(tokens: Sequence[str]) -> Tensor:
    """Tell which tokens are words: neither [CLS] or [SEP] nor punctuation.

    Args:
        tokens: the pieces of a sentence.

    Returns:
        bool (length,).

    Example:
        >>> word_mask(["[CLS]", "bees", "make", "honey", ".", "[SEP]"])
        tensor([False,  True,  True,  True, False, False])

    Source: this book.
    Chapter: notebooks/13_trained_model.ipynb
    """
    return torch.tensor([token not in SPECIAL and not is_punctuation(token) for token in tokens])


def head_hits(readings: Sequence[Reading], asked: Asked) -> Tensor:
    """Ask every head in every sentence whether its heaviest word is the right one.

    Formula: hit[s, l, h] = (argmax over words j != i of weights[l, h, i, j]) == the right word

    Args:
        readings: what the model did with the sentences.
        asked: for each sentence the word of the query and the right word.

    Returns:
        bool (sentences, layers, heads).

    Raises:
        ValueError: as many pairs as sentences are needed; a word that is no token of its sentence.

    Example:
        >>> from .readings import find_reading
        >>> hits = head_hits([find_reading("Bees make honey.")], [("make", "honey")])
        >>> hits.shape, hits[0, 3, 1]
        (torch.Size([1, 6, 12]), tensor(True))

    Source: this book; after Clark et al. 2019, section 4.2.
    Chapter: notebooks/13_trained_model.ipynb
    """
    result = []
    for reading, query, key in _places(readings, asked):
        others = word_mask(reading.tokens)
        others[query] = False
        row = reading.weights[:, :, query].masked_fill(~others, -1)  # (layers, heads, keys)
        result.append(row.argmax(dim=-1) == key)
    return torch.stack(result)


def right_weights(readings: Sequence[Reading], asked: Asked) -> Tensor:
    """Return the weight that every head gives to the right word.

    Args:
        readings: what the model did with the sentences.
        asked: for each sentence the word of the query and the right word.

    Returns:
        (sentences, layers, heads).

    Raises:
        ValueError: as for `head_hits`.

    Example:
        >>> from .readings import find_reading
        >>> right_weights([find_reading("Bees make honey.")], [("make", "honey")]).shape
        torch.Size([1, 6, 12])

    Source: this book.
    Chapter: notebooks/13_trained_model.ipynb
    """
    return torch.stack([r.weights[:, :, query, key] for r, query, key in _places(readings, asked)])


def offset_hits(readings: Sequence[Reading], asked: Asked, offset: int) -> Tensor:
    """Return where "the word so many places further on" is right: a rule that knows no grammar.

    Args:
        readings: what the model did with the sentences; only the tokens are used.
        asked: for each sentence the word of the query and the right word.
        offset: places to the right; negative to the left.

    Returns:
        bool (sentences,).

    Raises:
        ValueError: as for `head_hits`.

    Example:
        >>> from .readings import find_reading
        >>> offset_hits([find_reading("Bees make honey.")], [("make", "honey")], 1)
        tensor([True])

    Source: Clark et al. 2019, section 4.2.
    Chapter: notebooks/13_trained_model.ipynb
    """
    return torch.tensor([key - query == offset for _, query, key in _places(readings, asked)])


def best_offset(readings: Sequence[Reading], asked: Asked) -> int:
    """Return the offset that is right most often; of equally good ones the nearest, right before left.

    Args:
        readings: what the model did with the sentences; only the tokens are used.
        asked: for each sentence the word of the query and the right word.

    Returns:
        the offset.

    Raises:
        ValueError: as for `head_hits`.

    Example:
        >>> from .readings import find_reading
        >>> best_offset([find_reading("Bees make honey.")], [("make", "bees")])
        -1

    Source: Clark et al. 2019, section 4.2.
    Chapter: notebooks/13_trained_model.ipynb
    """
    offsets = [key - query for _, query, key in _places(readings, asked)]
    return min(set(offsets), key=lambda offset: (-offsets.count(offset), abs(offset), -offset))


def wilson_interval(hits: int, total: int, *, z: float = 1.96) -> tuple[float, float]:
    """Say in which range the true share of hits may lie, seen hits of total.

    Formula: (p + z^2 / 2n +- z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n), p = hits / n

    Args:
        hits: 0 to total.
        total: n, at least 1.
        z: 1.96 for a range that holds the true share in 95 of 100 such experiments.

    Returns:
        lower and upper end, within 0 to 1.

    Raises:
        ValueError: total below 1, hits below 0 or above total.

    Example:
        >>> low, high = wilson_interval(33, 40)
        >>> round(low, 2), round(high, 2)
        (0.68, 0.91)

    Source: Wilson 1927.
    Chapter: notebooks/13_trained_model.ipynb
    """
    _check.count("total", total, least=1)
    _check.count("hits", hits)
    if hits > total:
        raise ValueError(f"hits must be at most total, got hits={hits}, total={total}.")
    share = hits / total
    middle = share + z**2 / (2 * total)
    half = z * math.sqrt(share * (1 - share) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def sign_test(first: Tensor, second: Tensor) -> tuple[int, int, float]:
    """Compare two rules on the same sentences: only those where one is right and the other wrong count.

    Formula: p = P(|2 X - n| >= |wins - losses|), X the heads of n = wins + losses fair coins

    Args:
        first: bool (sentences,), where the first rule is right.
        second: bool (sentences,), where the second is right.

    Returns:
        sentences where only the first is right, where only the second is, and p, the chance of a difference
        as large as this if both rules were equally good.

    Raises:
        ValueError: tensors of different shapes.

    Example:
        >>> right, wrong = torch.tensor([True] * 5), torch.tensor([False] * 5)
        >>> sign_test(right, wrong)
        (5, 0, 0.0625)

    Source: McNemar 1947, in its exact form.
    Chapter: notebooks/13_trained_model.ipynb
    """
    if first.shape != second.shape:
        shapes = f"first {_check.shape_text(first)}, second {_check.shape_text(second)}"
        raise ValueError(f"first and second must have the same shape (sentences,), got {shapes}.")
    wins, losses = int((first & ~second).sum()), int((~first & second).sum())
    n = wins + losses
    tails = sum(math.comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= abs(wins - losses))
    return wins, losses, tails / 2**n


def _places(readings: Sequence[Reading], asked: Asked) -> list[tuple[Reading, int, int]]:
    if len(readings) != len(asked) or not asked:
        raise ValueError(
            "readings and asked must have the same length, at least 1, "
            f"got readings={len(readings)}, asked={len(asked)}."
        )
    pairs = zip(readings, asked, strict=True)
    return [(reading, reading.place(query), reading.place(key)) for reading, (query, key) in pairs]
