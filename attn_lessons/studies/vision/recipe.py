"""The models of lessons 12a and 12b that read digits: the vision transformer, and its rivals.

Chapter: notebooks/12b_looked_at_or_needed.ipynb
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from attn_lessons.studies.training import load_weights, seeded, train
from attn_lessons.studies.vision.baselines import Logistic, SmallCNN
from attn_lessons.studies.vision.digits import Digits, digit_batches, load_digits
from attn_lessons.studies.vision.vision_transformer import VisionTransformer

NUM_EPOCHS = 80
BATCH_SIZE = 32
MAX_RATE = 4e-3
WEIGHT_DECAY = 0.05
SEEDS = (0, 1, 2, 3, 4)
SHIFTED = {"transformer": True, "no_positions": True, "cnn": True, "logistic": False}


MODELS: dict[str, Callable[[], nn.Module]] = {
    "transformer": VisionTransformer,
    "no_positions": lambda: VisionTransformer(positions=False),
    "cnn": SmallCNN,
    "logistic": Logistic,
}
STORED = tuple((kind, seed) for kind in MODELS for seed in (SEEDS if kind != "no_positions" else (0,)))


def make_reader(kind: str = "transformer", *, seed: int = 0) -> nn.Module:
    """Make an untrained model that is to read digits.

    Args:
        kind: "transformer", "no_positions" (the same without position vectors), "cnn" or "logistic".

    >>> {kind: sum(p.numel() for p in make_reader(kind).parameters()) for kind in MODELS}
    {'transformer': 18218, 'no_positions': 17674, 'cnn': 17970, 'logistic': 650}
    """
    if kind not in MODELS:
        raise ValueError(f"kind must be one of {', '.join(MODELS)}, got {kind!r}.")
    return seeded(MODELS[kind], seed)


def digit_logits(model: nn.Module, images: Tensor) -> Tensor:
    """Return what a model answers, whether or not it also returns weights.

    Args:
        images: (batch, 8, 8), 0 to 1.
    Returns: logits (batch, 10).

    >>> digit_logits(make_reader("cnn"), torch.zeros(2, 8, 8)).shape
    torch.Size([2, 10])
    """
    answer = model(images)
    return answer[0] if isinstance(answer, tuple) else answer


def digit_loss(model: nn.Module, images: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy of the answers.

    Formula: loss = -mean log softmax(logits)[label]

    Args:
        images: (batch, 8, 8), 0 to 1.
        labels: (batch,) int64, 0 to 9.

    >>> undecided = lambda images: torch.zeros(len(images), 10)
    >>> digit_loss(undecided, torch.zeros(3, 8, 8), torch.tensor([0, 4, 9]))
    tensor(2.3026)
    """
    return cross_entropy(digit_logits(model, images), labels)


def final_training_digits() -> Digits:
    """Return the 1,437 images that are not for the test: training and validation part together.

    Returns: images (1437, 8, 8) and labels (1437,).

    >>> final_training_digits().labels.shape
    torch.Size([1437])
    """
    parts = load_digits("training"), load_digits("validation")
    return Digits(*(torch.cat(tensors) for tensors in zip(*parts, strict=True)))


def train_reader(
    kind: str = "transformer",
    *,
    seed: int = 0,
    digits: Digits | None = None,
    shift: bool | None = None,
    stop_after: int | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> tuple[nn.Module, list[float]]:
    """Train a model as the stored ones were trained: 80 epochs, the same recipe for every kind.

    Args:
        digits: what to train on; `final_training_digits()` if left out.
        shift: whether half of the images are moved by up to one pixel each time; if left out, by the kind:
            `SHIFTED` says what was better on the validation part.
    Returns: (the trained model, the loss of each step).

    >>> model, losses = train_reader("logistic", stop_after=2)
    >>> len(losses)
    2
    """
    model = make_reader(kind, seed=seed)
    digits = final_training_digits() if digits is None else digits
    shift = SHIFTED[kind] if shift is None else shift
    losses = train(
        model,
        digit_batches(digits, BATCH_SIZE, shift=shift, seed=seed),
        digit_loss,
        num_steps=NUM_EPOCHS * math.ceil(len(digits.labels) / BATCH_SIZE),
        max_rate=MAX_RATE,
        weight_decay=WEIGHT_DECAY,
        stop_after=stop_after,
        progress=progress,
    )
    return model, losses


def load_reader(kind: str = "transformer", *, seed: int = 0) -> tuple[nn.Module, list[float]]:
    """Load a stored model, trained by `train_reader`, its weights kept as float16.

    Seed 0 was named before training as the one that the chapter looks into.

    Args:
        kind, seed: one of `STORED`.
    Returns: (the trained model, the loss of each step of its training).

    >>> model, losses = load_reader()
    >>> image, label = load_digits("training").images[:1], load_digits("training").labels[:1]
    >>> bool(digit_logits(model, image).argmax() == label)
    True
    """
    if (kind, seed) not in STORED:
        raise ValueError(f"(kind, seed) must be one of {STORED}, got {(kind, seed)}.")
    model = make_reader(kind, seed=seed)
    return model, load_weights(model, f"vision/digits_{kind}_{seed}")


def count_right(model: nn.Module, digits: Digits) -> int:
    """Count the images whose likeliest digit is the right one.

    Formula: right = number of b with argmax logits[b] = labels[b]

    >>> count_right(load_reader("logistic")[0], load_digits("training")) > 1000
    True
    """
    with torch.no_grad():
        return int((digit_logits(model, digits.images).argmax(dim=-1) == digits.labels).sum())
