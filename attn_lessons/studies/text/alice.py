"""The language model of lessons 10a and 10b: trained on a book for children, and how good it is at it.

Chapter: notebooks/10b_inside_the_writer.ipynb
"""

import math
from collections.abc import Callable

import torch

from attn_lessons.studies.text.characters import alice_part, encode_text, text_batches, vocabulary
from attn_lessons.studies.text.language_model import LanguageModel, text_loss
from attn_lessons.studies.training import load_weights, seeded, train

WINDOW = 64
NUM_STEPS = 8000
MAX_RATE = 6e-3
BATCH_SIZE = 32
NAME = "alice_language_model"


def make_language_model(*, seed: int = 0) -> LanguageModel:
    """Make an untrained language model of the book's characters: two layers of four heads.

    >>> sum(parameter.numel() for parameter in make_language_model().parameters())
    108416
    """

    def make() -> LanguageModel:
        return LanguageModel(
            len(vocabulary()), max_length=WINDOW, d_model=64, num_heads=4, num_layers=2, dropout=0.1
        )

    return seeded(make, seed)


def train_language_model(
    *,
    seed: int = 0,
    stop_after: int | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> tuple[LanguageModel, list[float]]:
    """Train the language model as the stored one was trained (about seven minutes on one core).

    Returns: (the trained model, the loss of each step in nats).

    >>> model, losses = train_language_model(stop_after=1)
    >>> len(losses)
    1
    """
    model = make_language_model(seed=seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)  # dropout draws from torch's own generator
        losses = train(
            model,
            text_batches(BATCH_SIZE, WINDOW, seed=seed),
            text_loss,
            num_steps=NUM_STEPS,
            max_rate=MAX_RATE,
            stop_after=stop_after,
            progress=progress,
        )
    return model, losses


def load_language_model() -> tuple[LanguageModel, list[float]]:
    """Load the stored language model, trained by `train_language_model` with seed 0, weights kept as float16.

    Returns: (the trained model, the loss of each step of its training in nats).

    >>> model, losses = load_language_model()
    >>> losses[0] / math.log(2) > 5, losses[-1] / math.log(2) < 2.2
    (True, True)
    """
    model = make_language_model()
    return model, load_weights(model, f"text/{NAME}")


def bits_per_character(model: LanguageModel, part: str, *, stride: int = 16) -> float:
    """Return how many bits the model needs for a character of a part of the text, on average.

    Formula: bits = -mean log2 p(character | start mark, the characters before it in the window)
    Source: Shannon 1951, Prediction and Entropy of Printed English.

    Each character is counted once, seen from a window in which at least `window - stride` characters come
    before it; only the first window's have fewer.

    Args:
        part: "train", "validation" or "test".
        stride: by how many characters the window moves on, 1 to the window's size.

    >>> round(bits_per_character(make_language_model().eval(), "test")) in (6, 7)  # untrained
    True
    """
    window = model.max_length
    if not 1 <= stride <= window:
        raise ValueError(f"stride must be in 1..{window}, got stride={stride}.")
    ids = encode_text(alice_part(part))
    starts = [*range(0, len(ids) - window, stride), len(ids) - window]
    counted, nats = 0, 0.0
    for some in torch.tensor(starts).split(64):
        targets = ids[some[:, None] + torch.arange(window)]  # (batch, window)
        with torch.no_grad():
            logits, _ = model(torch.nn.functional.pad(targets[:, :-1], (1, 0)))
        costs = -logits.log_softmax(dim=-1).gather(-1, targets[..., None])[..., 0]  # (batch, window)
        for start, row in zip(some.tolist(), costs, strict=True):
            fresh = start + window - counted
            nats, counted = nats + row[window - fresh :].sum().item(), start + window
    return nats / counted / math.log(2)
