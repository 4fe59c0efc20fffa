"""Induction heads: the recipe, what is measured about them, and the models stored for lesson 11b.

Chapter: notebooks/11b_induction_learned.ipynb
"""

from collections.abc import Callable
from importlib.resources import files

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from attn_lessons.studies.induction.attention_only import AttentionOnly
from attn_lessons.studies.induction.repeats import knowable, repeat_batches
from attn_lessons.studies.training import load_weights, seeded, train

VOCABULARY, MAX_LENGTH, PERIODS = 64, 48, (8, 24)
NUM_STEPS, MAX_RATE = 1500, 4e-3
STORED = ((2, 0), (2, 1), (2, 2), (1, 0), (1, 1), (1, 2))  # (layers, seed)


def make_repeater(num_layers: int = 2) -> AttentionOnly:
    """Make an untrained model of lesson 11b's size: 64 tokens, sequences of 48, one head in each layer.

    >>> sum(p.numel() for p in make_repeater().parameters())
    44416
    """
    return AttentionOnly(VOCABULARY, MAX_LENGTH, 64, num_layers=num_layers)


def repeat_loss(model: AttentionOnly, tokens: Tensor, periods: Tensor) -> Tensor:
    """Cross-entropy of the next token, averaged over the queries at which it can be known.

    Formula: loss = -mean over knowable (b, i) of log softmax(logits[b, i])[tokens[b, i + 1]]

    Args:
        tokens: (batch, length) int64.
        periods: (batch,) int64.

    >>> undecided = lambda tokens: (torch.zeros(1, 5, 4), None)  # 4 tokens, all alike
    >>> repeat_loss(undecided, torch.tensor([[3, 1, 3, 1, 3]]), torch.tensor([2]))
    tensor(1.3863)
    """
    counted = knowable(tokens, periods)[:, :-1]  # (batch, length - 1)
    losses = cross_entropy(model(tokens)[0][:, :-1].mT, tokens[:, 1:], reduction="none")
    return (losses * counted).sum() / counted.sum()


def train_repeater(
    num_layers: int = 2,
    *,
    seed: int = 0,
    stop_after: int | None = None,
    watch: Callable[[int, AttentionOnly], None] | None = None,
) -> tuple[AttentionOnly, list[float]]:
    """Train a model on fresh repeated tokens (about 25 seconds with two layers).

    Args:
        watch: called with (step, model) after each step, counted from 1.
    Returns: (the trained model, the loss of each step).

    >>> model, losses = train_repeater(stop_after=2)
    >>> len(losses)
    2
    """
    model = seeded(lambda: make_repeater(num_layers), seed)
    batches = repeat_batches(64, length=MAX_LENGTH, vocabulary=VOCABULARY, periods=PERIODS, seed=seed)
    losses = train(
        model,
        batches,
        repeat_loss,
        num_steps=NUM_STEPS,
        max_rate=MAX_RATE,
        stop_after=stop_after,
        progress=None if watch is None else lambda step, loss: watch(step, model),
    )
    return model, losses


def load_repeater(num_layers: int = 2, *, seed: int = 0) -> tuple[AttentionOnly, list[float]]:
    """Give a stored model, trained as `train_repeater` does it.

    Args:
        seed: 0, 1 or 2.
    Returns: (the model, the loss of each step of its training).

    >>> model, losses = load_repeater(2, seed=0)
    >>> losses[-1] < 0.1 < losses[0]
    True
    """
    model = make_repeater(num_layers)
    return model, load_weights(model, f"induction/induction_{num_layers}_layers_seed_{seed}")


def training_record(num_layers: int = 2, *, seed: int = 0) -> dict[str, Tensor]:
    """Give what was measured while a stored model was trained: every 10 steps to step 600, on fresh tokens.

    Args:
        seed: 0, 1 or 2.
    Returns: "step", "accuracy" (`repeat_accuracy`), "previous token" (`previous_token_score` of the first
        layer) and "follower" (`follower_score` of the last layer), each (points,).

    >>> record = training_record(2, seed=0)
    >>> record["step"][-1], record["accuracy"][0] < 0.2 < 0.9 < record["accuracy"][-1]
    (tensor(600.), tensor(True))
    """
    path = files("attn_lessons.studies.induction").joinpath("weights", "induction_record.npz")
    with path.open("rb") as file, np.load(file) as stored:
        columns = torch.from_numpy(stored[f"induction_{num_layers}_layers_seed_{seed}"]).unbind(dim=1)
    return dict(zip(("step", "accuracy", "previous token", "follower"), columns, strict=True))
