"""Train the sequence models of chapter 05 and store their weights in attn_helpers/models/weights/.

Run `python tools/train_translator.py` (all seven models, about five minutes on one core), or name some of
them: `python tools/train_translator.py dates_bahdanau_1x copy_fixed_1x`.
"""

import argparse
import time
from pathlib import Path

import torch

from attn_helpers.models import bottleneck, date_translator
from attn_helpers.models.training import save_weights

WEIGHTS = Path(__file__).parent.parent / "attn_helpers" / "models" / "weights"
RECIPES = {
    f"dates_{attention}_{times}x": (date_translator.train_translator, attention, times)
    for attention, times in date_translator.STORED
} | {
    f"copy_{attention}_{times}x": (bottleneck.train_copier, attention, times)
    for attention, times in bottleneck.STORED
}


def show_progress(step: int, loss: float) -> None:
    """Print the loss now and then."""
    if step % 100 == 0:
        print(f"  step {step:5d}  loss {loss:.4f}", flush=True)


def main() -> None:
    """Train what the command line names, one model after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help=f"any of {', '.join(RECIPES)}; all if left out")
    for name in parser.parse_args().models or RECIPES:
        recipe, attention, times = RECIPES[name]
        start = time.perf_counter()
        model, losses = recipe(attention, times, progress=show_progress)
        path = WEIGHTS / f"{name}.npz"
        save_weights(path, model, losses)
        seconds = time.perf_counter() - start
        print(f"{name}: {seconds:.1f} s, loss {losses[-1]:.4f}, {path.stat().st_size / 1000:.1f} kB")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
