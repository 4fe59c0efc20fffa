"""The training loop of the small sequence models, and the file format of their weights.

Chapter: notebooks/05b_trained_translator.ipynb
"""

from collections.abc import Callable, Iterable
from importlib.resources import files
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

Made = TypeVar("Made", bound=nn.Module)


def train(
    model: nn.Module,
    batches: Iterable[tuple[Tensor, ...]],
    loss_function: Callable[..., Tensor],
    *,
    num_steps: int,
    max_rate: float,
    weight_decay: float = 0.0,
    stop_after: int | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> list[float]:
    """Train a model in place with Adam, the learning rate rising first and falling to 0 then.

    Formula: parameters <- parameters - rate_t Adam(gradient of loss_function(model, *batch))
    Source: Kingma and Ba 2015 (Adam); Loshchilov and Hutter 2019 (weight decay); Smith and Topin 2019 (one
        cycle of the learning rate).

    Args:
        batches: at least num_steps batches, each a tuple of tensors.
        loss_function: takes (model, *batch), returns one number.
        num_steps: steps of the whole plan, which the learning rate follows.
        weight_decay: how fast weights shrink by themselves: by this share of the learning rate in each step.

    >>> model = seeded(lambda: nn.Linear(1, 1), seed=0)
    >>> batch = (torch.ones(2, 1), torch.zeros(2, 1))
    >>> loss = lambda model, inputs, targets: (model(inputs) - targets).square().mean()
    >>> losses = train(model, [batch] * 5, loss, num_steps=5, max_rate=0.1)
    >>> len(losses), losses[-1] < losses[0]
    (5, True)
    """
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=weight_decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_rate, total_steps=num_steps)
    losses = []
    model.train()
    steps = range(1, (num_steps if stop_after is None else min(stop_after, num_steps)) + 1)
    for step, batch in zip(steps, batches, strict=False):
        loss = loss_function(model, *batch)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if progress is not None:
            progress(step, losses[-1])
    model.eval()
    return losses


def symbol_loss(model: nn.Module, source_ids: Tensor, lengths: Tensor, target_ids: Tensor) -> Tensor:
    """Cross-entropy of a translator's next symbol, averaged over steps and batch.

    Formula: loss = -mean log softmax(logits_t)[target_t]

    Args:
        source_ids: (batch, keys) int64.
        lengths: (batch,) int64, the number of symbols in each source.
        target_ids: (batch, queries) int64 of 0 to target_size - 1.

    >>> undecided = lambda source_ids, lengths, target_ids: torch.zeros(1, 2, 4)  # 4 symbols, all alike
    >>> symbol_loss(undecided, torch.tensor([[1, 2, 3]]), torch.tensor([3]), torch.tensor([[0, 3]]))
    tensor(1.3863)
    """
    logits = model(source_ids, lengths, target_ids)  # (batch, queries, target_size)
    return cross_entropy(logits.flatten(0, 1), target_ids.flatten())


def seeded(make: Callable[[], Made], seed: int) -> Made:
    """Make a model whose random start depends on the seed only; the caller's random state stays as it was.

    >>> first, second = (seeded(lambda: nn.Linear(2, 3), seed=0) for _ in range(2))
    >>> torch.equal(first.weight, second.weight)
    True
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make()


def load_weights(model: nn.Module, name: str) -> list[float]:
    """Fill a model with the stored weights `name`, put it in evaluation mode and return the losses.

    Args:
        name: subject and file, such as "vision/digits_cnn_0" for studies/vision/weights/digits_cnn_0.npz.
    Returns: the loss of each step of the training that gave the weights.

    >>> from attn_lessons.studies.translation.date_translator import make_translator
    >>> losses = load_weights(make_translator("dot"), "translation/dates_dot_1x")
    >>> len(losses), losses[-1] < losses[0]
    (1000, True)
    """
    subject, _, file = name.partition("/")
    path = files("attn_lessons.studies").joinpath(subject, "weights", f"{file}.npz")
    with path.open("rb") as opened, np.load(opened) as stored:
        arrays = {key: torch.from_numpy(stored[key]) for key in stored.files}
    losses = arrays.pop("losses").tolist()
    model.load_state_dict({key: value.float() for key, value in arrays.items()})
    model.eval()
    return losses
