"""Pronouns in pairs of opposites: one word changes, and with it the noun that the pronoun stands for.

Chapter: notebooks/13a_a_heads_name.ipynb
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from attn_lessons.studies.minilm.readings import Reading
from attn_lessons.studies.minilm.sentences import PronounCase


def pronoun_choices(readings: Sequence[Reading], cases: Sequence[PronounCase]) -> Tensor:
    """Ask every head, in every sentence, whether the pronoun gives more weight to the right noun.

    Formula: right = weights[pronoun, antecedent] > weights[pronoun, distractor]
    Source: the pairs after Levesque et al. 2012.

    Args:
        readings: what the model did with the sentences; the two of a pair stand one behind the other.
        cases: as many, in the same order.
    Returns: bool (pairs, 2, layers, heads).

    >>> from .readings import load_readings
    >>> from .sentences import PRONOUNS
    >>> right = pronoun_choices(load_readings("pronouns"), PRONOUNS)
    >>> right.shape, right[0, :, 3, 1]  # tired, wide: the same noun twice
    (torch.Size([6, 2, 6, 12]), tensor([ True, False]))
    """
    if len(readings) != len(cases) or not cases or len(cases) % 2:
        raise ValueError(
            "readings and cases must have the same even length, at least 2, "
            f"got readings={len(readings)}, cases={len(cases)}."
        )
    for one, other in zip(cases[::2], cases[1::2], strict=True):
        if (one.antecedent, one.distractor) != (other.distractor, other.antecedent):
            raise ValueError(f"the two of a pair must swap their nouns, got {one.text!r} and {other.text!r}.")
    right = []
    for reading, case in zip(readings, cases, strict=True):
        row = reading.weights[:, :, reading.place(case.pronoun)]  # (layers, heads, keys)
        noun, rival = reading.place(case.antecedent), reading.place(case.distractor)
        right.append(row[..., noun] > row[..., rival])
    return torch.stack(right).unflatten(0, (-1, 2))  # (pairs, 2, layers, heads)


def same_noun_share(right: Tensor) -> float:
    """Return how often a head gives both sentences of a pair the same noun, and so is right exactly once.

    Args:
        right: bool (pairs, 2, ...), as `pronoun_choices` gives it.
    Returns: a share of all (pair, head), 0 to 1.

    >>> same_noun_share(torch.tensor([[True, False], [True, True]]))
    0.5
    """
    return (right[:, 0] ^ right[:, 1]).double().mean().item()


def right_by_luck(pairs: int, same: float) -> Tensor:
    """Return how likely each number of right answers is for a head that does not know what a pronoun means.

    In a share `same` of the pairs it does not react to the changed word: one right, one wrong. In the others
    it does, and a coin decides whether in the right direction (two right) or in the wrong one (none right).

    Formula: the distribution of X_1 + ... + X_pairs, X = 1 with chance same, else 0 or 2, equally likely

    Args:
        same: share of pairs that get the same noun twice, 0 to 1. A coin thrown for each sentence has 0.5.
    Returns: (2 pairs + 1,) float64: the chance of 0, 1, ..., 2 pairs right answers.

    >>> right_by_luck(1, same=0.5)
    tensor([0.2500, 0.5000, 0.2500], dtype=torch.float64)
    """
    if pairs < 1 or not 0 <= same <= 1:
        raise ValueError(f"pairs must be at least 1 and same within 0 to 1, got pairs={pairs}, same={same}.")
    rest = (1 - same) / 2
    chances = torch.ones(1, dtype=torch.float64)
    for _ in range(pairs):
        none, one, two = torch.zeros(3, len(chances) + 2, dtype=torch.float64)
        none[:-2], one[1:-1], two[2:] = rest * chances, same * chances, rest * chances
        chances = none + one + two
    return chances
