"""What does a trained model look at? The whole machine in plain PyTorch: text, pieces, six layers, maps.

It is MiniLM (all-MiniLM-L6-v2, Apache-2.0) with rounded weights: a letter for each number (A to Z, a to z,
0 to 9 and - for -31 to 31), a scale for each output. They lie in attn_lessons/studies/minilm/weights/minilm.

Run it: python minilm.py FOLDER "The mouse was eaten by the cat."
"""

import base64
import json
import re
import string
import sys
import unicodedata
from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import gelu, layer_norm

LAYERS, HEADS, LONGEST = 6, 12, 24
LETTERS = (string.ascii_uppercase + string.ascii_lowercase + string.digits + "-").encode()
NUMBER = np.zeros(128, dtype=np.float32)
NUMBER[list(LETTERS)] = np.arange(-31, 32)


def numbers(spec) -> torch.Tensor:
    """Read one matrix or vector."""
    stored = np.frombuffer(base64.b64decode(spec["data"]), dtype=spec.get("stored", "float32"))
    found = torch.from_numpy(stored.astype(np.float32))
    if "letters" not in spec:
        return found.reshape(spec["shape"])
    whole = NUMBER[np.frombuffer(spec["letters"].encode(), dtype=np.uint8)]
    scales = found[:, None] if spec["axis"] == 0 else found
    return torch.from_numpy(whole).reshape(spec["shape"]) * scales


def load(folder) -> tuple[list[str], dict[str, torch.Tensor]]:
    """Read the vocabulary and the weights; a matrix lies in a script that calls LiveTorch.provide(...)."""
    stored = json.loads((Path(folder) / "encoder.json").read_text(encoding="utf-8"))
    weights = {name: numbers(spec) for name, spec in stored["vectors"].items()}
    for name, file in stored["files"].items():
        text = (Path(folder) / file).read_text(encoding="utf-8")
        weights[name] = numbers(json.loads(text[text.index("[") : text.rindex("]") + 1])[0])
    weights["words"] = torch.cat([weights.pop(name) for name in stored["files"] if name[:6] == "words."])
    return stored["vocabulary"].split("\n"), weights


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


def maps(pieces, vocabulary, weights) -> torch.Tensor:
    """Give where each token looks: (layers, heads, queries, keys), each row adding up to 1."""

    def linear(x, name):
        return x @ weights[name] + weights[f"{name}.bias"]  # a matrix is (inputs, outputs)

    def norm(x, name):
        return layer_norm(x, x.shape[-1:], weights[name], weights[f"{name}.bias"], eps=1e-12)

    ids = torch.tensor([vocabulary.index(piece) for piece in pieces])
    x = norm(weights["words"][ids] + weights["positions"][: len(ids)], "norm")  # (length, d_model)
    found = []
    for layer in range(1, LAYERS + 1):
        last = layer == LAYERS  # nothing is needed after its maps
        parts = linear(x, f"{layer}.W_qk" if last else f"{layer}.W_qkv")
        q, k, *v = parts.reshape(len(x), -1, HEADS, 32).permute(1, 2, 0, 3)  # (heads, length, 32) each
        found.append(torch.softmax(q @ k.transpose(1, 2) / 32**0.5, dim=-1))
        if not last:
            looked = (found[-1] @ v[0]).transpose(0, 1).flatten(1)
            x = norm(x + linear(looked, f"{layer}.W_o"), f"{layer}.attention_norm")
            x = norm(x + linear(gelu(linear(x, f"{layer}.inner")), f"{layer}.outer"), f"{layer}.output_norm")
    return torch.stack(found)


if __name__ == "__main__":
    vocabulary, weights = load(sys.argv[1])
    pieces = cut(sys.argv[2], vocabulary)
    head = maps(pieces, vocabulary, weights)[3, 1]  # layer 4, head 2: from a verb to what it is done to
    for piece, row in zip(pieces, head, strict=True):
        best = row[1:-1].argmax() + 1  # [CLS] and [SEP] left out
        print(f"{piece:>12} looks at {pieces[best]:12} {row[best]:.2f}   ([CLS] {row[0]:.2f})")
