"""The copying models of chapter 05: one fixed vector against attention on strings of growing length."""

from collections.abc import Callable, Sequence

import torch

from ..datasets.tasks import NUM_SYMBOLS, copy_batches, copy_strings
from .training import load_weights, seeded, symbol_loss, train
from .translator import Translator

NUM_STEPS = 1500
MAX_RATE = 5e-3
# the fixed vector gets two more hidden units: without attention it would have fewer parameters
NUM_HIDDENS = {"bahdanau": 32, "fixed": 34}
STORED = (("bahdanau", 1), ("fixed", 1), ("fixed", 3))


def make_copier(attention: str, *, seed: int = 0) -> Translator:
    """Make an untrained model that is to copy strings.

    Args:
        attention: "bahdanau" or "fixed".
        seed: decides the random start.

    Returns:
        a Translator.

    Raises:
        ValueError: another attention.

    Example:
        >>> [sum(p.numel() for p in make_copier(kind).parameters()) for kind in NUM_HIDDENS]
        [55760, 57680]

    Source: this book.
    Chapter: notebooks/05_seq2seq_attention.ipynb
    """
    if attention not in NUM_HIDDENS:
        raise ValueError(f"attention must be one of {', '.join(NUM_HIDDENS)}, got {attention!r}.")
    sizes = {"embed_size": 16, "num_hiddens": NUM_HIDDENS[attention]}
    return seeded(lambda: Translator(NUM_SYMBOLS + 1, NUM_SYMBOLS, attention, **sizes), seed)


def train_copier(
    attention: str,
    times: int = 1,
    *,
    seed: int = 0,
    stop_after: int | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> tuple[Translator, list[float]]:
    """Train a copying model as the stored ones were trained: the same strings for both (20 to 30 s each).

    Args:
        attention: "bahdanau" or "fixed".
        times: 1 for 1,500 steps, 3 for three times as many.
        seed: decides the random start and the strings.
        stop_after: do only the first so many steps.
        progress: called with (step, loss) after each step.

    Returns:
        (the trained model, the loss of each step).

    Raises:
        ValueError: another attention.

    Example:
        >>> model, losses = train_copier("fixed", stop_after=2)
        >>> len(losses)
        2

    Source: this book.
    Chapter: notebooks/05_seq2seq_attention.ipynb
    """
    model = make_copier(attention, seed=seed)
    losses = train(
        model,
        copy_batches(seed=seed),
        symbol_loss,
        num_steps=NUM_STEPS * times,
        max_rate=MAX_RATE,
        stop_after=stop_after,
        progress=progress,
    )
    return model, losses


def load_copier(attention: str, times: int = 1) -> tuple[Translator, list[float]]:
    """Load a stored copying model, trained by `train_copier` with seed 0, its weights kept as float16.

    Args:
        attention: "bahdanau" or "fixed".
        times: as in `train_copier`; (attention, times) is one of `STORED`.

    Returns:
        (the trained model, the loss of each step of its training).

    Raises:
        ValueError: no such model is stored.

    Example:
        >>> model, losses = load_copier("bahdanau")
        >>> accuracy_by_length(model, [3])
        [1.0]

    Source: this book.
    Chapter: notebooks/05_seq2seq_attention.ipynb
    """
    model = make_copier(attention)
    if (attention, times) not in STORED:
        raise ValueError(f"(attention, times) must be one of {STORED}, got {(attention, times)}.")
    return model, load_weights(model, f"copy_{attention}_{times}x")


def accuracy_by_length(
    model: Translator, lengths: Sequence[int], *, num_strings: int = 200, seed: int = 1
) -> list[float]:
    """Return, for each length, the share of fresh random strings that are copied without a mistake.

    Args:
        model: a copying model.
        lengths: lengths to try, each at least 1.
        num_strings: strings of each length.
        seed: decides the strings; not the training seed.

    Returns:
        one number between 0 and 1 for each length.

    Example:
        >>> accuracy_by_length(make_copier("fixed"), [20])
        [0.0]

    Source: this book.
    Chapter: notebooks/05_seq2seq_attention.ipynb
    """
    shares = []
    for length in lengths:
        source_ids, source_lengths, target_ids = copy_strings(num_strings, length, seed=seed + length)
        with torch.no_grad():
            ids, _ = model.translate(source_ids, source_lengths, length)
        shares.append((ids == target_ids).all(dim=-1).float().mean().item())
    return shares
