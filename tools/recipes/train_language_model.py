"""Train the language model of chapter 10 and store its weights in attn_lessons/studies/text/weights/.

Run `python tools/recipes/train_language_model.py`: seed 0, one thread, about seven minutes.
"""

import time
from pathlib import Path

import torch
from store import save_weights

from attn_lessons.studies.text import alice

PATH = Path(__file__).parents[2] / "attn_lessons" / "studies" / "text" / "weights" / f"{alice.NAME}.npz"


def show_progress(step: int, loss: float) -> None:
    """Print the loss now and then."""
    if step % 500 == 0:
        print(f"  step {step:5d}  loss {loss:.4f}", flush=True)


def main() -> None:
    """Train, store, and say how good the stored weights are on the part that settings are chosen by."""
    start = time.perf_counter()
    model, losses = alice.train_language_model(progress=show_progress)
    seconds = time.perf_counter() - start
    save_weights(PATH, model, losses)
    bits = alice.bits_per_character(alice.load_language_model()[0], "validation")
    print(
        f"{PATH.name}: {len(losses)} steps, {seconds:.0f} s, "
        f"{PATH.stat().st_size / 1000:.1f} kB, {bits:.4f} bits per character of the validation text"
    )


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
