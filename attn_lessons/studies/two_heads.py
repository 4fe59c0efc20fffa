"""A task of lesson 8d that two heads can do and one head cannot: subtract two named numbers.

Chapter: notebooks/08d_heads_learn.ipynb
"""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from attn_helpers.multihead import MultiHeadAttention

NUM_NAMES = 8


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
