"""The copying models of lesson 5a: one fixed vector against attention on strings of growing length.

Chapter: notebooks/05a_bottleneck.ipynb
"""

from collections.abc import Sequence

import torch

from attn_lessons.studies.training import load_weights, seeded
from attn_lessons.studies.translation.batches import NUM_SYMBOLS, copy_strings
from attn_lessons.studies.translation.translator import Translator

NUM_STEPS = 1500
MAX_RATE = 5e-3
# the fixed vector gets two more hidden units: without attention it would have fewer parameters
NUM_HIDDENS = {"bahdanau": 32, "fixed": 34}
STORED = (("bahdanau", 1), ("fixed", 1), ("fixed", 3))


def make_copier(attention: str, *, seed: int = 0) -> Translator:
    """Make an untrained model that is to copy strings.

    >>> [sum(p.numel() for p in make_copier(kind).parameters()) for kind in NUM_HIDDENS]
    [55760, 57680]
    """
    if attention not in NUM_HIDDENS:
        raise ValueError(f"attention must be one of {', '.join(NUM_HIDDENS)}, got {attention!r}.")
    sizes = {"embed_size": 16, "num_hiddens": NUM_HIDDENS[attention]}
    return seeded(lambda: Translator(NUM_SYMBOLS + 1, NUM_SYMBOLS, attention, **sizes), seed)


def load_copier(attention: str, times: int = 1) -> tuple[Translator, list[float]]:
    """Load a stored copying model, as tools/recipes/train_translator.py trained it with seed 0.

    Args:
        times: 1 for 1,500 steps, 3 for three times as many; (attention, times) is one of `STORED`.
    Returns: (the trained model, the loss of each step of its training).

    >>> model, losses = load_copier("bahdanau")
    >>> accuracy_by_length(model, [3])
    [1.0]
    """
    model = make_copier(attention)
    if (attention, times) not in STORED:
        raise ValueError(f"(attention, times) must be one of {STORED}, got {(attention, times)}.")
    return model, load_weights(model, f"translation/copy_{attention}_{times}x")


def accuracy_by_length(
    model: Translator, lengths: Sequence[int], *, num_strings: int = 200, seed: int = 1
) -> list[float]:
    """Return, for each length, the share of fresh random strings that are copied without a mistake.

    Returns: one number between 0 and 1 for each length.

    >>> accuracy_by_length(make_copier("fixed"), [20])
    [0.0]
    """
    shares = []
    for length in lengths:
        source_ids, source_lengths, target_ids = copy_strings(num_strings, length, seed=seed + length)
        with torch.no_grad():
            ids, _ = model.translate(source_ids, source_lengths, length)
        shares.append((ids == target_ids).all(dim=-1).float().mean().item())
    return shares
