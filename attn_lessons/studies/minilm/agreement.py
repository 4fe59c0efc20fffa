"""How faithful the page's encoder is: its maps beside those of the trained encoder that it was made from.

Chapter: notebooks/13a_a_heads_name.ipynb
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import torch
from torch import Tensor

from attn_lessons.studies.minilm.encoder import FOLDER, read_typed
from attn_lessons.studies.minilm.readings import Reading, load_readings

MEASURED = "measured.json"


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


def by_words(tokens: Sequence[str], maps: Tensor) -> Tensor:
    """Add up the weights of a word's pieces as keys, and average them as queries.

    Args:
        tokens: pieces; those that go on with a word begin with ##.
        maps: (..., tokens, tokens).
    Returns: (..., words, words).

    >>> by_words(["cat", "##nap"], torch.tensor([[0.5, 0.5], [0.25, 0.75]]))
    tensor([[1.]])
    """
    word = torch.tensor([not token.startswith("##") for token in tokens]).cumsum(0) - 1
    belongs = torch.nn.functional.one_hot(word).float()  # (tokens, words)
    return (belongs / belongs.sum(dim=0)).T @ maps @ belongs


@cache
def page_readings(name: str) -> tuple[Reading, ...]:
    """Return what the page's encoder does with one set of sentences, in the form of the stored readings.

    Args:
        name: as in `load_readings`.
    Returns: the stored readings with its maps in their place.

    >>> page_readings("passive")[0].weights.shape
    torch.Size([6, 12, 10, 10])
    """
    return tuple(reading._replace(weights=read_typed(reading.text)[1]) for reading in load_readings(name))


def agreement(ours: Sequence[Reading], theirs: Sequence[Reading]) -> Tensor:
    """Return how well each head's maps agree, in the mean over sentences.

    Args:
        ours: readings of some sentences.
        theirs: other readings of the same sentences.
    Returns: correlations (layers, heads).

    >>> agreement(page_readings("passive"), load_readings("passive")).mean() > 0.99
    tensor(True)
    """
    pairs = list(zip(ours, theirs, strict=True))
    return torch.stack([map_correlation(a.weights, b.weights) for a, b in pairs]).mean(dim=0)


def faithfulness() -> dict[str, Any]:
    """Return how well the maps agree on texts of which the trained encoder's maps are not stored.

    Source: tools/minilm/shrink.py

    Returns: by "suggestions", sentences to choose from, whose words are all known, and "prose", sentences
        with words of any kind, the sentences, how many words are cut otherwise, and correlations.

    >>> faithfulness()["prose"]["correlation"] > 0.99
    True
    """
    return json.loads(_text(f"{FOLDER}/{MEASURED}"))


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

    The page's pieces were not chosen for them: they show what a sentence that a reader types may expect.

    Returns: 100 sentences.

    >>> len(prose())
    100
    """
    return _text("prose.txt").splitlines()


def _text(name: str) -> str:
    return files("attn_lessons.studies.minilm").joinpath(name).read_text("utf-8")
