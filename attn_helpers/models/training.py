"""The training loop of the small sequence models, and the file format of their weights."""

from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy


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

    Args:
        model: the model; it is left in evaluation mode.
        batches: at least num_steps batches, each a tuple of tensors.
        loss_function: takes (model, *batch), returns one number.
        num_steps: steps of the whole plan, which the learning rate follows.
        max_rate: highest learning rate.
        weight_decay: how fast weights shrink by themselves: by this share of the learning rate in each step.
        stop_after: do only the first so many steps of the plan.
        progress: called with (step, loss) after each step, counted from 1.

    Returns:
        the loss of each step.

    Example:
        >>> model = seeded(lambda: nn.Linear(1, 1), seed=0)
        >>> batch = (torch.ones(2, 1), torch.zeros(2, 1))
        >>> loss = lambda model, inputs, targets: (model(inputs) - targets).square().mean()
        >>> losses = train(model, [batch] * 5, loss, num_steps=5, max_rate=0.1)
        >>> len(losses), losses[-1] < losses[0]
        (5, True)

    Source: Kingma and Ba 2015 (Adam); Loshchilov and Hutter 2019 (weight decay); Smith and Topin 2019 (one
    cycle of the learning rate).
    Chapter: notebooks/05_seq2seq_attention.ipynb
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
        model: takes (source_ids, lengths, target_ids), returns logits (batch, queries, target_size).
        source_ids: (batch, keys) int64.
        lengths: (batch,) int64, the number of symbols in each source.
        target_ids: (batch, queries) int64 of 0 to target_size - 1.

    Returns:
        the loss, a tensor without axes.

    Example:
        >>> undecided = lambda source_ids, lengths, target_ids: torch.zeros(1, 2, 4)  # 4 symbols, all alike
        >>> symbol_loss(undecided, torch.tensor([[1, 2, 3]]), torch.tensor([3]), torch.tensor([[0, 3]]))
        tensor(1.3863)

    Source: this book.
    Chapter: notebooks/05_seq2seq_attention.ipynb
    """
    logits = model(source_ids, lengths, target_ids)  # (batch, queries, target_size)
    return cross_entropy(logits.flatten(0, 1), target_ids.flatten())


def seeded(make: Callable[[], nn.Module], seed: int) -> nn.Module:
    """Make a model whose random start depends on the seed only; the caller's random state stays as it was.

    Args:
        make: a function without arguments that makes the model.
        seed: any whole number.

    Returns:
        what `make` returns.

    Example:
        >>> first, second = (seeded(lambda: nn.Linear(2, 3), seed=0) for _ in range(2))
        >>> torch.equal(first.weight, second.weight)
        True

    Source: this book.
    Chapter: notebooks/05_seq2seq_attention.ipynb
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make()


def save_weights(path: Path, model: nn.Module, losses: list[float]) -> None:
    """Write a model's parameters as float16, with the losses of its training, to a compressed .npz file.

    Args:
        path: the file to write, its name ending in .npz.
        model: the model; no parameter may be called "losses".
        losses: the loss of each step of its training.

    Returns:
        None.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save_weights(Path(folder) / "line.npz", nn.Linear(1, 1), losses=[0.5, 0.25])
        ...     with np.load(Path(folder) / "line.npz") as stored:
        ...         sorted(stored.files)
        ['bias', 'losses', 'weight']

    Source: this book.
    Chapter: notebooks/05_seq2seq_attention.ipynb
    """
    arrays = {name: tensor.to(torch.float16).numpy() for name, tensor in model.state_dict().items()}
    np.savez_compressed(path, **arrays, losses=np.asarray(losses, dtype=np.float32))


def load_weights(model: nn.Module, name: str) -> list[float]:
    """Fill a model with the stored weights `name`, put it in evaluation mode and return the losses.

    Args:
        model: an untrained model of the kind whose weights were stored.
        name: name of a file in attn_helpers/models/weights, without .npz.

    Returns:
        the loss of each step of the training that gave the weights.

    Raises:
        FileNotFoundError: no weights of this name are stored.
        RuntimeError: the weights are those of another kind of model.

    Example:
        >>> from attn_helpers.models.date_translator import make_translator
        >>> losses = load_weights(make_translator("dot"), "dates_dot_1x")
        >>> len(losses), losses[-1] < losses[0]
        (1000, True)

    Source: this book.
    Chapter: notebooks/05_seq2seq_attention.ipynb
    """
    path = files("attn_helpers.models").joinpath("weights", f"{name}.npz")
    with path.open("rb") as file, np.load(file) as stored:
        arrays = {key: torch.from_numpy(stored[key]) for key in stored.files}
    losses = arrays.pop("losses").tolist()
    model.load_state_dict({key: value.float() for key, value in arrays.items()})
    model.eval()
    return losses
