"""MiniLM as it runs in a page: its own weights, rounded to 63 values, and its more frequent pieces of words.

Chapter: notebooks/13a_a_heads_name.ipynb
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import gelu, layer_norm

from attn_lessons.studies.minilm.map_reading import renormalise
from attn_lessons.studies.minilm.tokens import CLS, SEP, UNKNOWN, is_punctuation
from livetorch import Text
from livetorch.pools import read_file
from livetorch.program.encoding import Constant

FOLDER, FILE = "weights/minilm", "encoder.json"
LAYERS, HEADS = 6, 12
LENGTH = 24  # tokens that a page reads, [CLS] and [SEP] among them
PART = 4000  # pieces whose vectors lie in one file: in one for all, they would be 6 MB


class PageEncoder(NamedTuple):
    """The encoder's weights.

    Args:
        vocabulary: the pieces, in the order of their ids.
        tensors: by name, layers from 1: "words.1" (4000 pieces, d_model), "3.W_qkv" (d_model, 3 d_model)
            and so on.

    >>> encoder = load_encoder()
    >>> len(encoder.vocabulary), encoder.tensors["1.W_qkv"].shape
    (16000, torch.Size([384, 1152]))
    """

    vocabulary: tuple[str, ...]
    tensors: dict[str, Tensor]


@cache
def load_encoder() -> PageEncoder:
    """Return the stored encoder: large matrices from the files that the page loads too.

    Source: made by tools/minilm/shrink.py.

    >>> load_encoder().vocabulary[:4]
    ('[PAD]', '[UNK]', '[CLS]', '[SEP]')
    """
    folder = files("attn_lessons.studies.minilm").joinpath(FOLDER)
    stored = json.loads(folder.joinpath(FILE).read_text("utf-8"))
    tensors = {name: Constant.from_dict(spec).tensor for name, spec in stored["vectors"].items()}
    for name, file in stored["files"].items():
        (spec,) = read_file(folder.joinpath(file))
        tensors[name] = Constant.from_dict(spec).tensor
    return PageEncoder(tuple(stored["vocabulary"].split("\n")), tensors)


def encoder_maps(ids: Tensor, count: Tensor, encoder: PageEncoder | None = None) -> Tensor:
    """Return all maps of the encoder for one sentence.

    Formula: x_0 = norm(word + position), x_l = layer_l(x_(l-1)), A_l = softmax(Q K^T / sqrt(32)) in each head

    Args:
        ids: (length,) int64, at most 24, [CLS] first; what stands behind the sentence's [SEP] is not read.
        count: number of tokens, [CLS] and [SEP] among them, a tensor of one number.
        encoder: by default the stored one.
    Returns: (layers, heads, length, length), each row adding up to 1 over the sentence's tokens.

    >>> ids = torch.tensor(sentence_control("Bees make honey.").ids("Bees make honey."))
    >>> encoder_maps(ids, torch.tensor(6)).shape
    torch.Size([6, 12, 24, 24])
    """
    weights = (load_encoder() if encoder is None else encoder).tensors
    length = len(ids)
    x = _norm(_vectors(ids, weights) + weights["positions"][:length], weights, "norm")  # (length, d_model)
    beyond = torch.arange(length) >= count
    maps = []
    for layer in range(1, LAYERS + 1):
        last = layer == LAYERS  # its maps are the last ones: nothing behind them is needed
        parts = _linear(x, weights, f"{layer}.W_qk" if last else f"{layer}.W_qkv")
        queries, keys, *values = parts.unflatten(-1, (-1, HEADS, 32)).permute(1, 2, 0, 3)
        scores = queries @ keys.mT / 32**0.5  # (heads, length, length)
        maps.append(torch.softmax(scores.masked_fill(beyond, -1e9), dim=-1))
        if not last:
            looked = (maps[-1] @ values[0]).transpose(0, 1).flatten(1)  # (length, d_model)
            x = _norm(x + _linear(looked, weights, f"{layer}.W_o"), weights, f"{layer}.attention_norm")
            inner = gelu(_linear(x, weights, f"{layer}.inner"))  # (length, num_hiddens)
            x = _norm(x + _linear(inner, weights, f"{layer}.outer"), weights, f"{layer}.output_norm")
    return torch.stack(maps)


def sentence_control(text: str, **more: Any) -> Text:
    """Return the text field of a figure: what is typed is cut into the encoder's pieces.

    Everyday words are whole as in the trained encoder; some rarer ones fall into more pieces.

    Returns: the control; its function gets ids of shape (24,) and, as `<name>_length`, their number.

    >>> sentence_control("Bees make honey.").tokens("Bees make honey.")
    ['[CLS]', 'bees', 'make', 'honey', '.', '[SEP]']
    """
    vocabulary = load_encoder().vocabulary
    ends, unknown = (CLS, SEP), vocabulary.index(UNKNOWN)
    return Text(text, vocabulary=vocabulary, unit="piece", length=LENGTH, unknown=unknown, ends=ends, **more)


def read_typed(text: str) -> tuple[list[str], Tensor]:
    """Let the encoder read a sentence.

    Args:
        text: any English sentence; what goes beyond 24 tokens is cut off.
    Returns: its tokens, and the maps (layers, heads, tokens, tokens).

    >>> tokens, maps = read_typed("The fence was painted by her brother.")
    >>> tokens[maps[3, 1, tokens.index("painted"), 1:].argmax() + 1]
    'fence'
    """
    control = sentence_control(text)
    tokens, ids = control.tokens(text), torch.tensor(control.ids(text))
    with torch.no_grad():
        maps = encoder_maps(ids, torch.tensor(len(tokens)))
    return tokens, maps[..., : len(tokens), : len(tokens)]


def look_at(
    sentence: Tensor, sentence_length: Tensor, layer: Tensor, head: Tensor, words_only: Tensor
) -> dict[str, Tensor]:
    """Return one head's map of a typed sentence: the function of a live figure.

    Args:
        sentence: (24,) ids of `sentence_control`.
        sentence_length: how many of them are tokens.
        layer: 1 to 6.
        head: 1 to 12.
        words_only: True leaves out [CLS], [SEP] and punctuation as keys and lets the rows add up to 1 again.
    Returns: "weights", (24, 24); rows and columns beyond the sentence mean nothing.

    >>> ids = torch.tensor(sentence_control("Bees make honey.").ids("Bees make honey."))
    >>> ask = lambda words_only: look_at(ids, *map(torch.tensor, (6, 4, 2, words_only)))["weights"]
    >>> ask(False)[2].argmax().item(), ask(True)[2, :6].argmax().item()
    (3, 3)
    """
    maps = encoder_maps(sentence, sentence_length).flatten(0, 1)  # (layers * heads, length, length)
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
        [not (each.startswith("[") or is_punctuation(each)) for each in load_encoder().vocabulary]
    )


def _vectors(ids: Tensor, weights: dict[str, Tensor]) -> Tensor:
    parts = [tensor for name, tensor in weights.items() if name.startswith("words.")]
    rows = torch.stack([part[ids % PART] for part in parts])  # (parts, length, d_model)
    return rows[ids // PART, torch.arange(len(ids))]


def _linear(x: Tensor, weights: dict[str, Tensor], name: str) -> Tensor:
    return x @ weights[name] + weights[f"{name}.bias"]


def _norm(x: Tensor, weights: dict[str, Tensor], name: str) -> Tensor:
    return layer_norm(x, x.shape[-1:], weights[name], weights[f"{name}.bias"], eps=1e-12)
