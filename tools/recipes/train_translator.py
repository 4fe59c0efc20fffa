"""Train the sequence models of chapters 05 and 08 and store their weights in
attn_lessons/studies/translation/weights/.

Run `python tools/recipes/train_translator.py` (all seven models, about five minutes on one core), or
name some of them: `python tools/recipes/train_translator.py dates_bahdanau_1x copy_fixed_1x`.
"""

import argparse
import time
from pathlib import Path

import torch
from store import save_weights

from attn_lessons.studies.training import symbol_loss, train
from attn_lessons.studies.translation import copying, date_translator
from attn_lessons.studies.translation.batches import copy_batches
from attn_lessons.studies.translation.copying import MAX_RATE, NUM_STEPS, make_copier
from attn_lessons.studies.translation.encoder_decoder import train_transformer
from attn_lessons.studies.translation.translator import Translator

WEIGHTS = Path(__file__).parents[2] / "attn_lessons" / "studies" / "translation" / "weights"


def train_copier(
    attention: str, times: int = 1, *, seed: int = 0, **options
) -> tuple[Translator, list[float]]:
    """Train a copying model as the stored ones were trained: the same strings for both (20 to 30 s each).

    Args:
        times: 1 for 1,500 steps, 3 for three times as many.
        options: ``stop_after`` and ``progress`` of ``train``.
    Returns: (the trained model, the loss of each step).

    >>> model, losses = train_copier("fixed", stop_after=2)
    >>> len(losses)
    2
    """
    model = make_copier(attention, seed=seed)
    steps = NUM_STEPS * times
    losses = train(model, copy_batches(seed=seed), symbol_loss, num_steps=steps, max_rate=MAX_RATE, **options)
    return model, losses


RECIPES = {
    f"dates_{attention}_1x": (date_translator.train_translator, attention)
    for attention in date_translator.STORED
} | {f"copy_{attention}_{times}x": (train_copier, attention, times) for attention, times in copying.STORED}
RECIPES["dates_transformer"] = (train_transformer,)


def show_progress(step: int, loss: float) -> None:
    """Print the loss now and then."""
    if step % 100 == 0:
        print(f"  step {step:5d}  loss {loss:.4f}", flush=True)


def main() -> None:
    """Train what the command line names, one model after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help=f"any of {', '.join(RECIPES)}; all if left out")
    for name in parser.parse_args().models or RECIPES:
        recipe, *options = RECIPES[name]
        start = time.perf_counter()
        model, losses = recipe(*options, progress=show_progress)
        path = WEIGHTS / f"{name}.npz"
        save_weights(path, model, losses)
        seconds = time.perf_counter() - start
        print(f"{name}: {seconds:.1f} s, loss {losses[-1]:.4f}, {path.stat().st_size / 1000:.1f} kB")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
