"""Train the models of lesson 11b and store their weights, and what was seen on the way, beside each other.

Run `python tools/recipes/train_induction.py` (six models, about two minutes on one core).
"""

import time
from pathlib import Path

import numpy as np
import torch
from store import save_weights

from attn_lessons.studies.induction import recipe, scores
from attn_lessons.studies.induction.attention_only import AttentionOnly
from attn_lessons.studies.induction.repeats import repeated_tokens

WEIGHTS = Path(__file__).parents[2] / "attn_lessons" / "studies" / "induction" / "weights"
EVERY = 10  # steps between two looks at the model
MOST = 600  # nothing much happens after this step


def look(model: AttentionOnly) -> list[float]:
    """Measure accuracy and, for two layers, the two heads on fresh tokens."""
    tokens, periods = repeated_tokens(64, 48, 64, periods=recipe.PERIODS, seed=777)
    with torch.no_grad():
        weights = model(tokens)[1]
    return [
        scores.repeat_accuracy(model, tokens, periods),
        scores.previous_token_score(weights)[0, 0].item(),
        scores.follower_score(weights, tokens, periods)[-1, 0].item(),
    ]


def main() -> None:
    """Train one model after the other."""
    record = {}
    for layers, seed in recipe.STORED:
        start, seen = time.perf_counter(), []

        def watch(step: int, model: AttentionOnly, seen: list = seen) -> None:
            if step % EVERY == 0 and step <= MOST:
                seen.append([step, *look(model)])

        model, losses = recipe.train_repeater(layers, seed=seed, watch=watch)
        name = f"induction_{layers}_layers_seed_{seed}"
        save_weights(WEIGHTS / f"{name}.npz", model, losses)
        record[name] = np.asarray(seen, dtype=np.float32)
        seconds = time.perf_counter() - start
        print(f"{name}: {seconds:.1f} s, loss {losses[-1]:.4f}, accuracy {look(model)[0]:.4f}", flush=True)
    np.savez_compressed(WEIGHTS / "induction_record.npz", **record)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
