"""A task of lesson 8b that two heads can do and one head cannot: subtract two named numbers.

Chapter: notebooks/08d_heads_learn.ipynb
"""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor, nn

from attn_helpers.multihead import MultiHeadAttention
from attn_lessons.studies.training import seeded, train

NUM_NAMES = 8
NUM_STEPS = 600
MAX_RATE = 5e-3


class DifferenceModel(nn.Module):
    """Answer "what is a minus b?" from numbers with names, by one layer of multi-head attention.

    Formula: answer = w . attention(query(a, b), keys(names), values(numbers))

    One head returns c (w_1 x_1 + w_2 x_2 + ...): weights of at least 0 and one c for all numbers. The answer
    needs +1 for a and -1 for b, so the best one head can do is to return a's number (or minus b's). Its mean
    squared error is then the variance of the number left out, 1/3. Two heads look at one number each, and the
    layer takes one from the other.

    Call it with (names, numbers, asked), as `difference_batches` yields them; it returns the answers (batch,)
    and the weights (batch, heads, 1, keys).

    Args:
        d_model: size of the vectors, divisible by num_heads.

    >>> names, numbers, asked, answers = next(difference_batches(5))
    >>> outputs, weights = DifferenceModel(num_heads=2)(names, numbers, asked)
    >>> outputs.shape, weights.shape
    (torch.Size([5]), torch.Size([5, 2, 1, 8]))
    """

    def __init__(self, num_heads: int, *, num_names: int = NUM_NAMES, d_model: int = 32) -> None:
        super().__init__()
        self.first_asked = nn.Embedding(num_names, d_model)
        self.second_asked = nn.Embedding(num_names, d_model)
        self.name = nn.Embedding(num_names, d_model)
        self.number = nn.Linear(1, d_model, bias=False)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.answer = nn.Linear(d_model, 1)

    def forward(
        self, names: Tensor, numbers: Tensor, asked: Tensor, *, head_mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return answers (batch,) and weights (batch, heads, 1, keys)."""
        question = self.first_asked(asked[:, :1]) + self.second_asked(asked[:, 1:])  # (batch, 1, d_model)
        values = self.number(numbers.unsqueeze(-1))  # (batch, keys, d_model)
        output, weights = self.attention(question, self.name(names), values, head_mask=head_mask)
        return self.answer(output).flatten(), weights


def difference_loss(
    model: DifferenceModel, names: Tensor, numbers: Tensor, asked: Tensor, answers: Tensor
) -> Tensor:
    """Mean squared error of the answers.

    Formula: loss = mean (output - answer)^2

    Args:
        names: (batch, keys) int64.
        numbers: (batch, keys).
        asked: (batch, 2) int64, two names.
        answers: (batch,), the true differences.

    >>> names, numbers, asked, answers = next(difference_batches(3))
    >>> half_too_much = lambda names, numbers, asked: (answers + 0.5, None)
    >>> difference_loss(half_too_much, names, numbers, asked, answers)
    tensor(0.2500)
    """
    return (model(names, numbers, asked)[0] - answers).square().mean()


def train_difference(
    num_heads: int,
    *,
    seed: int = 0,
    stop_after: int | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> tuple[DifferenceModel, list[float]]:
    """Train a model to subtract (about 3 seconds).

    Args:
        num_heads: 1, 2 or another divisor of 32; the number of parameters stays the same.
    Returns: (the trained model, the loss of each step).

    >>> model, losses = train_difference(2, stop_after=3)
    >>> len(losses)
    3
    """
    model = seeded(lambda: DifferenceModel(num_heads), seed)
    losses = train(
        model,
        difference_batches(128, seed=seed),
        difference_loss,
        num_steps=NUM_STEPS,
        max_rate=MAX_RATE,
        stop_after=stop_after,
        progress=progress,
    )
    return model, losses


def difference_error(model: DifferenceModel, *, num_rows: int = 2000, seed: int = 1) -> float:
    """Return the mean squared error on fresh rows.

    Formula: error = mean (output - answer)^2

    >>> error = difference_error(DifferenceModel(num_heads=1))
    >>> error > 0.1
    True
    """
    with torch.no_grad():
        return difference_loss(model, *next(difference_batches(num_rows, seed=seed))).item()


def difference_batches(
    batch_size: int = 64, *, num_names: int = NUM_NAMES, seed: int = 0
) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
    """Yield named numbers and a question "what is a minus b?" for ever.

    Every name occurs once in each row, in random order, with a number between -1 and 1.

    Returns: an iterator of (names (batch, keys) int64, numbers (batch, keys), asked (batch, 2) int64 with two
        different names, answers (batch,) = number of the first minus number of the second).

    >>> names, numbers, asked, answers = next(difference_batches(1, num_names=2))
    >>> names, numbers, asked, answers
    (tensor([[0, 1]]), tensor([[-0.8230, -0.7359]]), tensor([[0, 1]]), tensor([-0.0871]))
    """
    generator = torch.Generator().manual_seed(seed)
    while True:
        names = torch.rand(batch_size, num_names, generator=generator).argsort(dim=-1)
        numbers = torch.rand(batch_size, num_names, generator=generator) * 2 - 1
        asked = torch.rand(batch_size, num_names, generator=generator).argsort(dim=-1)[:, :2]
        places = (names.unsqueeze(1) == asked.unsqueeze(-1)).int().argmax(dim=-1)  # (batch, 2)
        first, second = numbers.gather(1, places).unbind(1)
        yield names, numbers, asked, first - second
