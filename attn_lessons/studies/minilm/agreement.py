"""How faithful the small encoder is: its maps beside those of the trained encoder that it was made from.

Chapter: notebooks/13a_a_heads_name.ipynb
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import torch
from torch import Tensor

from attn_lessons.studies.minilm.readings import Reading, load_readings
from attn_lessons.studies.minilm.small import read_small

RESULTS = "minilm_small.json"


def map_correlation(ours: Tensor, theirs: Tensor) -> Tensor:
    """Correlate two maps of the same sentence, cell by cell.

    Formula: the correlation of all weights of a map with those of the other (Pearson's r)

    Args:
        ours: (..., queries, keys).
        theirs: the same shape.
    Returns: (...), each within -1 to 1.

    >>> map_correlation(torch.eye(3), 0.5 * torch.eye(3) + 0.1)
    tensor(1.0000)
    """
    if ours.shape != theirs.shape:
        raise ValueError(
            f"ours and theirs must have the same shape, got {tuple(ours.shape)}, {tuple(theirs.shape)}."
        )
    one, other = (maps.flatten(-2) - maps.mean(dim=(-2, -1))[..., None] for maps in (ours, theirs))
    return (one * other).sum(dim=-1) / (one.norm(dim=-1) * other.norm(dim=-1))


@cache
def small_readings(name: str) -> tuple[Reading, ...]:
    """Return what the small encoder does with one set of sentences, in the form of the stored readings.

    Returns: the stored readings with the small encoder's maps (4 layers, 12 heads, queries, keys) in their
        place.

    >>> small_readings("passive")[0].weights.shape
    torch.Size([4, 12, 10, 10])
    """
    return tuple(reading._replace(weights=read_small(reading.text)[1]) for reading in load_readings(name))


def agreement(ours: Sequence[Reading], theirs: Sequence[Reading]) -> Tensor:
    """Return how well each head's maps agree, in the mean over sentences.

    Args:
        ours: readings of some layers.
        theirs: readings of the same sentences, of at least as many layers.
    Returns: correlations (layers, heads).

    >>> agreement(small_readings("passive"), load_readings("passive")).mean() > 0.95
    tensor(True)
    """
    pairs = list(zip(ours, theirs, strict=True))
    return torch.stack([map_correlation(a.weights, b.weights[: len(a.weights)]) for a, b in pairs]).mean(
        dim=0
    )


def size_against_faith() -> dict[str, Any]:
    """Return the measured table: how many bytes, how faithful.

    Source: tools/minilm/measure_small.py

    Returns: "sizes": a list of rows (name, bits a weight, kilobytes, correlations, hits of two heads of 40);
        "suggestions": agreement on sentences to choose from, whose words are among the student's pieces;
        "prose": agreement on sentences with words of any kind.

    >>> [row["hits_4_2"] for row in size_against_faith()["sizes"] if row["name"] == "the trained encoder"]
    [33]
    """
    return json.loads(_text(f"weights/{RESULTS}"))


def suggestions() -> list[str]:
    """Return English sentences to choose from: questions, passives, pronouns, ambiguous and rare words.

    Source: written for this book, but for proverbs and some sentences well known among linguists.

    Returns: more than 300 sentences, none of them used to train or choose anything.

    >>> suggestions()[0]
    'The baker gave the old woman a loaf of bread.'
    """
    return _text("suggestions.txt").splitlines()


def prose() -> list[str]:
    """Return sentences of this book's own pages, drawn by chance: neither trained on nor used for any choice.

    The student's pieces were not chosen for them: they show what a sentence that a reader types may expect.

    Returns: 100 sentences.

    >>> len(prose())
    100
    """
    return _text("prose.txt").splitlines()


def _text(name: str) -> str:
    return files("attn_lessons.studies.minilm").joinpath(name).read_text("utf-8")
