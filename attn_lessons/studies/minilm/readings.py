"""What the trained encoder MiniLM did with the book's sentences, stored: maps, lengths of values, effects.

Chapter: notebooks/13a_a_heads_name.ipynb, notebooks/13b_does_a_map_explain.ipynb
"""

from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from attn_helpers import _check
from attn_lessons.studies.minilm.head_names import head_place
from attn_lessons.studies.minilm.sentences import SETS

PARTS = 65_535  # a stored weight is a whole number of such parts, the most that uint16 holds
FILE = "minilm_readings.npz"


class Reading(NamedTuple):
    """What the model did with one sentence.

    Source: the model is that of Wang et al. 2020, trained on by Reimers and Gurevych.

    Args:
        tokens: its pieces, [CLS] first and [SEP] last.
        ids: (length,) int64, the tokens' places in the vocabulary.
        weights: (layers, heads, queries, keys), each row adding up to 1, rounded to 1 / 65,535.
        value_norms: (layers, heads, keys), the length of what a key with weight 1 would add to the output.
        effects: (queries, keys), how far each token's last vector turns (1 - cosine) when a word is replaced
            by [MASK]; 0 for keys that are [CLS] or [SEP].
        effect: (keys,), the same for the embedding of the whole sentence.

    >>> reading = load_readings("held_out")[1]
    >>> " ".join(reading.tokens)
    '[CLS] snow covered the mountains . [SEP]'
    >>> reading.weights.shape, reading.effect.shape
    (torch.Size([6, 12, 7, 7]), torch.Size([7]))
    """

    text: str
    tokens: tuple[str, ...]
    ids: Tensor
    weights: Tensor
    value_norms: Tensor
    effects: Tensor
    effect: Tensor

    def place(self, word: str) -> int:
        """Return which token a word is."""
        found = [place for place, token in enumerate(self.tokens) if token in (word, word.lower())]
        if len(found) != 1:
            raise ValueError(f"word must be exactly one of {' '.join(self.tokens)}, got {word!r}.")
        return found[0]

    def named(self, name: str) -> Tensor:
        """Return the map (queries, keys) of a head by its name, layer and head counted from 1: "4.2"."""
        return self.weights[head_place(name, *self.weights.shape[:2])]

    def head(self, layer: int, head: int) -> Tensor:
        """Return the map (queries, keys) of one head; both are counted from 0."""
        for name, number, most in zip(("layer", "head"), (layer, head), self.weights.shape[:2], strict=True):
            _check.count(name, number)
            if number >= most:
                raise ValueError(f"{name} must be in 0..{most - 1}, got {name}={number}.")
        return self.weights[layer, head]


def load_readings(name: str) -> list[Reading]:
    """Return the stored readings of one set of sentences.

    Source: made by tools/minilm/extract.py.

    Args:
        name: "selection", "held_out", "passive" or "pronouns", as in `sentences`.
    Returns: a `Reading` for each sentence, in the order of `sentences(name)`.

    >>> [len(load_readings(name)) for name in SETS]
    [24, 40, 10, 12]
    """
    if name not in SETS:
        raise ValueError(f"name must be one of {', '.join(SETS)}, got {name!r}.")
    arrays = _stored()
    weights, norms, effects, effect, ids = (
        arrays[f"{name}.{part}"] for part in ("weights", "value_norms", "effects", "effect", "ids")
    )
    readings, start = [], 0
    layers_heads = arrays["head_effects"].shape[1:]
    squares = 0
    for entry, joined in zip(SETS[name], arrays[f"{name}.tokens"].tolist(), strict=True):
        tokens = tuple(joined.split())
        n, heads = len(tokens), int(np.prod(layers_heads))
        here = slice(start, start + n)
        square = slice(squares, squares + n * n)
        of_heads = slice(heads * square.start, heads * square.stop)
        readings.append(
            Reading(
                entry.text,
                tokens,
                torch.from_numpy(ids[here].astype(np.int64)),
                torch.from_numpy(weights[of_heads].astype(np.float32)).view(*layers_heads, n, n) / PARTS,
                torch.from_numpy(norms[heads * start : heads * (start + n)]).float().view(*layers_heads, n),
                torch.from_numpy(effects[square]).float().view(n, n),
                torch.from_numpy(effect[here]).float(),
            )
        )
        start, squares = start + n, squares + n * n
    return readings


def find_reading(text: str) -> Reading:
    """Return the stored reading of one sentence.

    >>> find_reading("Bees make honey.").place("honey")
    3
    """
    for name in SETS:
        for number, entry in enumerate(SETS[name]):
            if entry.text == text:
                return load_readings(name)[number]
    count = sum(map(len, SETS.values()))
    raise ValueError(f"text must be one of the {count} stored sentences, got {text!r}.")


def load_head_effects(instead: str = "zero") -> Tensor:
    """Return how far the embedding of each held-out sentence turns when one head is switched off.

    Source: after Michel et al. 2019.

    Args:
        instead: what the head then hands on: "zero", or "mean", its mean output on the selection sentences.
    Returns: (sentences, layers, heads), 1 - cosine between the embeddings with and without that head.

    >>> load_head_effects("mean").shape
    torch.Size([40, 6, 12])
    """
    if instead not in ("zero", "mean"):
        raise ValueError(f"instead must be 'zero' or 'mean', got {instead!r}.")
    name = "head_effects" if instead == "zero" else "head_effects.mean"
    return torch.from_numpy(_stored()[name]).float()


def load_paragraph() -> tuple[tuple[str, ...], Tensor, Tensor]:
    """Return tokens, one head's map and its values for the paragraph of the data set.

    Source: made by tools/minilm/extract.py.

    Returns: tokens, weights (queries, keys) and values (keys, value_dim) of head 0.11.

    >>> tokens, weights, values = load_paragraph()
    >>> len(tokens), weights.shape, values.shape
    (65, torch.Size([65, 65]), torch.Size([65, 32]))
    """
    arrays = _stored()
    weights = torch.from_numpy(arrays["paragraph.weights"].astype(np.float32)) / PARTS
    return (
        tuple(str(arrays["paragraph.tokens"]).split()),
        weights,
        torch.from_numpy(arrays["paragraph.values"]).float(),
    )


@cache
def _stored() -> dict[str, np.ndarray]:
    with (
        files("attn_lessons.studies.minilm").joinpath("weights", FILE).open("rb") as file,
        np.load(file) as stored,
    ):
        return {name: stored[name] for name in stored.files}
