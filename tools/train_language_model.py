"""Train the language model of chapter 10 and store its weights in attn_helpers/models/weights/.

Run `python tools/train_language_model.py`: seed 0, one thread, about seven minutes.
"""

import time
from pathlib import Path

import torch

from attn_helpers.models import alice
from attn_helpers.models.training import save_weights

PATH = Path(alice.__file__).parent / "weights" / f"{alice.NAME}.npz"


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
