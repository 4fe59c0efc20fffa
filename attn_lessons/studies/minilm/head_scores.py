"""Does a head deserve a name? Hits on sentences, beside what a fixed offset gets.

Chapter: notebooks/13a_a_heads_name.ipynb
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from attn_lessons.studies.minilm.readings import Reading
from attn_lessons.studies.minilm.tokens import SPECIAL, is_punctuation

Asked = Sequence[tuple[str, str]]  # for each sentence the word of the query and the right word


def word_mask(tokens: Sequence[str]) -> Tensor:
    """Tell which tokens are words: neither [CLS] or [SEP] nor punctuation.

    Returns: bool (length,).

    >>> word_mask(["[CLS]", "bees", "make", "honey", ".", "[SEP]"])
    tensor([False,  True,  True,  True, False, False])
    """
    return torch.tensor([token not in SPECIAL and not is_punctuation(token) for token in tokens])


def head_hits(readings: Sequence[Reading], asked: Asked) -> Tensor:
    """Ask every head in every sentence whether its heaviest word is the right one.

    Formula: hit[s, l, h] = (argmax over words j != i of weights[l, h, i, j]) == the right word
    Source: after Clark et al. 2019, section 4.2.

    Returns: bool (sentences, layers, heads).

    >>> from .readings import find_reading
    >>> hits = head_hits([find_reading("Bees make honey.")], [("make", "honey")])
    >>> hits.shape, hits[0, 3, 1]
    (torch.Size([1, 6, 12]), tensor(True))
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

    Returns: (sentences, layers, heads).

    >>> from .readings import find_reading
    >>> right_weights([find_reading("Bees make honey.")], [("make", "honey")]).shape
    torch.Size([1, 6, 12])
    """
    return torch.stack([r.weights[:, :, query, key] for r, query, key in _places(readings, asked)])


def offset_hits(readings: Sequence[Reading], asked: Asked, offset: int) -> Tensor:
    """Return where "the word so many places further on" is right: a rule that knows no grammar.

    Source: Clark et al. 2019, section 4.2.

    Args:
        offset: places to the right; negative to the left.
    Returns: bool (sentences,).

    >>> from .readings import find_reading
    >>> offset_hits([find_reading("Bees make honey.")], [("make", "honey")], 1)
    tensor([True])
    """
    return torch.tensor([key - query == offset for _, query, key in _places(readings, asked)])


def best_offset(readings: Sequence[Reading], asked: Asked) -> int:
    """Return the offset that is right most often; of equally good ones the nearest, right before left.

    Source: Clark et al. 2019, section 4.2.

    >>> from .readings import find_reading
    >>> best_offset([find_reading("Bees make honey.")], [("make", "bees")])
    -1
    """
    offsets = [key - query for _, query, key in _places(readings, asked)]
    return min(set(offsets), key=lambda offset: (-offsets.count(offset), abs(offset), -offset))


def _places(readings: Sequence[Reading], asked: Asked) -> list[tuple[Reading, int, int]]:
    if len(readings) != len(asked) or not asked:
        raise ValueError(
            "readings and asked must have the same length, at least 1, "
            f"got readings={len(readings)}, asked={len(asked)}."
        )
    pairs = zip(readings, asked, strict=True)
    return [(reading, reading.place(query), reading.place(key)) for reading, (query, key) in pairs]
