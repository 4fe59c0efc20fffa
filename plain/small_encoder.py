"""What does a trained model look at? The whole machine in plain PyTorch: text, pieces, four layers, maps.

It is a student of MiniLM (all-MiniLM-L6-v2, Apache-2.0): three values a weight, five of them in a byte.
The weights are attn_lessons/studies/minilm/weights/minilm_small.npz of this book.

Run it: python small_encoder.py minilm_small.npz "The mouse was eaten by the cat."
"""

import re
import sys
import unicodedata

import numpy as np
import torch
from torch.nn.functional import gelu, layer_norm

LAYERS, HEADS, LONGEST = 4, 12, 24


def load(path) -> tuple[list[str], dict[str, torch.Tensor]]:
    """Read the vocabulary and the weights: a byte is a number of five digits in base 3."""
    stored = np.load(path)
    weights = {}
    for name in stored.files:
        if name == "vocabulary" or name.endswith(".scales"):
            continue
        array = stored[name]
        if f"{name}.scales" in stored.files:  # digits 0, 1, 2 stand for -s, 0, s; one s for each column
            rows, added = array[:-1].astype(np.int64), int(array[-1, 0])
            digits = np.stack([rows // 3**place % 3 - 1 for place in range(5)], axis=1)
            flat = digits.reshape(-1, array.shape[1])
            array = flat[: len(flat) - added] * stored[f"{name}.scales"].astype(np.float32)
        weights[name] = torch.from_numpy(array.astype(np.float32))
    weights["words"] = weights["words"].T  # (pieces, d_model)
    return str(stored["vocabulary"]).split("\n"), weights


def cut(text, vocabulary) -> list[str]:
    """Cut a text into pieces: small letters without accents, then the longest known piece from the left."""
    known = set(vocabulary)
    plain = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")
    pieces = []
    for word in re.findall(r"[^\W_]+|[^\w\s]|_", plain):
        start, found = 0, []
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = ("##" if start else "") + word[start:end]
                if piece in known:
                    break
            else:
                found = ["[UNK]"]
                break
            found.append(piece)
            start = end
        pieces += found
    return ["[CLS]", *pieces[: LONGEST - 2], "[SEP]"]


def linear(x, weights, name) -> torch.Tensor:
    """Multiply by a matrix (inputs, outputs) and add a bias."""
    return x @ weights[name] + weights[f"{name}.bias"]


def norm(x, weights, name) -> torch.Tensor:
    """Bring each token's numbers to mean 0 and variance 1, then scale and shift as learned."""
    return layer_norm(x, x.shape[-1:], weights[name], weights[f"{name}.bias"], eps=1e-12)


def split(x) -> torch.Tensor:
    """Cut each token's numbers into one part for each head: (heads, length, d_head)."""
    return x.reshape(len(x), HEADS, -1).transpose(0, 1)


def maps(pieces, vocabulary, weights) -> torch.Tensor:
    """Give where each token looks: (layers, heads, queries, keys), each row adding up to 1."""
    ids = torch.tensor([vocabulary.index(piece) for piece in pieces])
    x = norm(weights["words"][ids] + weights["positions"][: len(ids)], weights, "norm")  # (length, d_model)
    found = []
    for layer in range(1, LAYERS + 1):
        q, k = (split(linear(x, weights, f"{layer}.W_{letter}")) for letter in "qk")
        found.append(torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, dim=-1))
        if layer == LAYERS:  # behind its maps the student has learned nothing more
            break
        heads = found[-1] @ split(linear(x, weights, f"{layer}.W_v"))  # (heads, length, d_head)
        looked = linear(heads.transpose(0, 1).flatten(1), weights, f"{layer}.W_o")
        x = norm(x + looked, weights, f"{layer}.attention_norm")
        thought = linear(gelu(linear(x, weights, f"{layer}.inner")), weights, f"{layer}.outer")
        x = norm(x + thought, weights, f"{layer}.output_norm")
    return torch.stack(found)


if __name__ == "__main__":
    vocabulary, weights = load(sys.argv[1])
    pieces = cut(sys.argv[2], vocabulary)
    head = maps(pieces, vocabulary, weights)[3, 1]  # layer 4, head 2: from a verb to what it is done to
    for piece, row in zip(pieces, head, strict=True):
        best = row[1:-1].argmax() + 1  # [CLS] and [SEP] left out
        print(f"{piece:>12} looks at {pieces[best]:12} {row[best]:.2f}   ([CLS] {row[0]:.2f})")
