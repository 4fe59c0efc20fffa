"""The first four layers of MiniLM, small enough to run in a page: three values a weight, 4,100 pieces.

Chapter: notebooks/13a_a_heads_name.ipynb
"""

from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import gelu, layer_norm

from attn_lessons.studies.minilm.map_reading import renormalise
from attn_lessons.studies.minilm.tokens import CLS, SEP, UNKNOWN, is_punctuation
from livetorch import Text

FILE = "minilm_small.npz"
LAYERS, HEADS = 4, 12
LENGTH = 24  # tokens that a page reads, [CLS] and [SEP] among them
FIVE = 3 ** np.arange(5)  # a stored byte holds five numbers that are -1, 0 or 1


class SmallEncoder(NamedTuple):
    """The student's weights.

    Args:
        vocabulary: the pieces, in the order of their ids.
        tensors: by name, layers from 1: "words" (pieces, d_model), "3.W_q" (d_model, d_model) and so on.

    >>> encoder = load_small()
    >>> len(encoder.vocabulary), encoder.tensors["1.W_q"].unique().numel() <= 1 + 2 * 384
    (4100, True)
    """

    vocabulary: tuple[str, ...]
    tensors: dict[str, Tensor]


@cache
def load_small() -> SmallEncoder:
    """Return the stored student of the trained encoder.

    Returns: its vocabulary and its weights.

    >>> load_small().vocabulary[:4]
    ('[PAD]', '[UNK]', '[CLS]', '[SEP]')
    """
    path = files("attn_lessons.studies.minilm").joinpath("weights", FILE)
    with path.open("rb") as file, np.load(file) as stored:
        arrays = {name: stored[name] for name in stored.files}
    vocabulary = tuple(str(arrays.pop("vocabulary")).split("\n"))
    scaled = [name.removesuffix(".scales") for name in arrays if name.endswith(".scales")]
    scales = {name: arrays.pop(f"{name}.scales") for name in scaled}
    tensors = {
        name: unpacked(array, scales[name]) if name in scales else torch.from_numpy(array).float()
        for name, array in arrays.items()
    }
    # stored, as all matrices, with a scale for each column
    return SmallEncoder(vocabulary, tensors | {"words": tensors["words"].T.contiguous()})


def unpacked(array: np.ndarray, scales: np.ndarray) -> Tensor:
    """Read a stored matrix whose columns hold only -s, 0 and s: five numbers to a byte, and the scales.

    Args:
        array: uint8 (ceil(rows / 5) + 1, columns); the last row tells how many rows were added to make it a
            multiple of five.
        scales: (columns,).
    Returns: float32 (rows, columns).

    >>> unpacked(np.array([[2 + 3 * 0 + 9 * 1], [2]], dtype=np.uint8), np.array([0.5]))[:, 0]
    tensor([ 0.5000, -0.5000,  0.0000])
    """
    digits = array[:-1, None].astype(np.int64) // FIVE[:, None] % 3 - 1  # (rows / 5, 5, columns)
    flat = digits.reshape(-1, array.shape[1])[: 5 * len(digits) - int(array[-1, 0])]
    return torch.from_numpy(flat).float() * torch.from_numpy(scales).float()


def small_maps(ids: Tensor, count: Tensor, encoder: SmallEncoder | None = None) -> Tensor:
    """Return all maps of the student for one sentence.

    Formula: x_0 = norm(word + position), x_l = layer_l(x_(l-1)), A_l = softmax(Q K^T / sqrt(32)) in each head

    Args:
        ids: (length,) int64, at most 24, [CLS] first; what stands behind the sentence's [SEP] is not read.
        count: number of tokens, [CLS] and [SEP] among them, a tensor of one number.
    Returns: (layers, heads, length, length), each row adding up to 1 over the sentence's tokens.

    >>> ids = torch.tensor(sentence_control("Bees make honey.").ids("Bees make honey."))
    >>> small_maps(ids, torch.tensor(6)).shape
    torch.Size([4, 12, 24, 24])
    """
    weights = (load_small() if encoder is None else encoder).tensors
    length = len(ids)
    x = _norm(weights["words"][ids] + weights["positions"][:length], weights, "norm")  # (length, d_model)
    beyond = torch.arange(length) >= count
    maps = []
    for layer in range(1, LAYERS + 1):
        queries, keys = (_split(_linear(x, weights, f"{layer}.{name}")) for name in ("W_q", "W_k"))
        scores = queries @ keys.mT / queries.shape[-1] ** 0.5  # (heads, length, length)
        maps.append(torch.softmax(scores.masked_fill(beyond, -1e9), dim=-1))
        if layer < LAYERS:  # nothing behind the last maps is needed
            looked = maps[-1] @ _split(_linear(x, weights, f"{layer}.W_v"))  # (heads, length, d_head)
            looked = looked.transpose(0, 1).flatten(1)  # (length, d_model)
            x = _norm(x + _linear(looked, weights, f"{layer}.W_o"), weights, f"{layer}.attention_norm")
            inner = gelu(_linear(x, weights, f"{layer}.inner"))  # (length, num_hiddens)
            x = _norm(x + _linear(inner, weights, f"{layer}.outer"), weights, f"{layer}.output_norm")
    return torch.stack(maps)


def sentence_control(text: str, **more: Any) -> Text:
    """Return the text field of a figure: what is typed is cut into the student's pieces.

    The vocabulary is small: everyday words are whole, rarer ones fall into pieces or letters.

    Returns: the control; its function gets ids of shape (24,) and, as `<name>_length`, their number.

    >>> sentence_control("Bees make honey.").tokens("Bees make honey.")
    ['[CLS]', 'bees', 'make', 'honey', '.', '[SEP]']
    """
    vocabulary = load_small().vocabulary
    ends, unknown = (CLS, SEP), vocabulary.index(UNKNOWN)
    return Text(text, vocabulary=vocabulary, unit="piece", length=LENGTH, unknown=unknown, ends=ends, **more)


def read_small(text: str) -> tuple[list[str], Tensor]:
    """Let the student read a sentence.

    Args:
        text: any English sentence; what goes beyond 24 tokens is cut off.
    Returns: its tokens, and the maps (layers, heads, tokens, tokens).

    >>> tokens, maps = read_small("The fence was painted by her brother.")
    >>> tokens[maps[3, 1, tokens.index("painted"), 1:].argmax() + 1]
    'fence'
    """
    control = sentence_control(text)
    tokens, ids = control.tokens(text), torch.tensor(control.ids(text))
    with torch.no_grad():
        maps = small_maps(ids, torch.tensor(len(tokens)))
    return tokens, maps[..., : len(tokens), : len(tokens)]


def look_at(
    sentence: Tensor, sentence_length: Tensor, layer: Tensor, head: Tensor, words_only: Tensor
) -> dict[str, Tensor]:
    """Return one head's map of a typed sentence: the function of a live figure.

    Args:
        sentence: (24,) ids of `sentence_control`.
        layer: 1 to 4.
        head: 1 to 12.
        words_only: True leaves out [CLS], [SEP] and punctuation as keys and lets the rows add up to 1 again.
    Returns: "weights", (24, 24); rows and columns beyond the sentence mean nothing.

    >>> ids = torch.tensor(sentence_control("Bees make honey.").ids("Bees make honey."))
    >>> ask = lambda words_only: look_at(ids, *map(torch.tensor, (6, 4, 2, words_only)))["weights"]
    >>> ask(False)[2].argmax().item(), ask(True)[2, :6].argmax().item()
    (3, 3)
    """
    maps = small_maps(sentence, sentence_length).flatten(0, 1)  # (layers * heads, length, length)
    weights = maps[(layer - 1) * HEADS + head - 1]
    words = word_ids()[sentence] & (torch.arange(len(sentence)) < sentence_length)
    return {"weights": torch.where(words_only, renormalise(weights, words), weights)}


@cache
def word_ids() -> Tensor:
    """Tell which pieces are words or parts of words: neither special nor punctuation.

    Returns: bool (pieces,).

    >>> word_ids()[:4].any()
    tensor(False)
    """
    return torch.tensor(
        [not (each.startswith("[") or is_punctuation(each)) for each in load_small().vocabulary]
    )


def _linear(x: Tensor, weights: dict[str, Tensor], name: str) -> Tensor:
    return x @ weights[name] + weights[f"{name}.bias"]


def _norm(x: Tensor, weights: dict[str, Tensor], name: str) -> Tensor:
    return layer_norm(x, x.shape[-1:], weights[name], weights[f"{name}.bias"], eps=1e-12)


def _split(x: Tensor) -> Tensor:
    return x.unflatten(-1, (HEADS, -1)).transpose(0, 1)  # (heads, length, d_head)
