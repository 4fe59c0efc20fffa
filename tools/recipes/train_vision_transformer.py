"""Train the digit readers of lessons 12a and 12b; store them in attn_lessons/studies/vision/weights/.

Run `python tools/recipes/train_vision_transformer.py` (sixteen models, about four minutes on one core):
it trains on training and validation part together and then counts, once, what each model gets right on
the test part. `--validate` trains on the training part alone and counts on the validation part instead,
which is what choices are made with; it stores nothing. `--no-shift` and `--shift` overrule whether
images are moved. Name models to train only some: `python tools/recipes/train_vision_transformer.py
transformer_0 cnn_0`.
"""

import argparse
import time
from pathlib import Path

import torch
from store import save_weights

from attn_lessons.studies.vision.digits import load_digits
from attn_lessons.studies.vision.recipe import STORED, count_right, load_reader, train_reader

WEIGHTS = Path(__file__).parents[2] / "attn_lessons" / "studies" / "vision" / "weights"
RECIPES = {f"{kind}_{seed}": (kind, seed) for kind, seed in STORED}


def main() -> None:
    """Train what the command line names, one model after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help=f"any of {', '.join(RECIPES)}; all if left out")
    parser.add_argument("--validate", action="store_true", help="for choices: train on less, store nothing")
    shift = parser.add_mutually_exclusive_group()
    shift.add_argument("--shift", action="store_true", default=None, help="move half of the images")
    shift.add_argument("--no-shift", dest="shift", action="store_false", help="move none")
    options = parser.parse_args()
    if options.shift is not None and not options.validate:
        parser.error("--shift and --no-shift are for choices: they need --validate")
    train_on = load_digits("training") if options.validate else None
    judge_on = load_digits("validation" if options.validate else "test")
    for name in options.models or RECIPES:
        kind, seed = RECIPES[name]
        start = time.perf_counter()
        model, losses = train_reader(kind, seed=seed, digits=train_on, shift=options.shift)
        seconds = time.perf_counter() - start
        if not options.validate:
            save_weights(WEIGHTS / f"digits_{name}.npz", model, losses)
            model, _ = load_reader(kind, seed=seed)  # as stored: rounded to float16
        right = count_right(model, judge_on)
        print(f"{name}: {seconds:.1f} s, {right} of {len(judge_on.labels)} right", flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
