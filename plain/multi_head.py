"""Can an average subtract? Multi-head attention that learns to, in plain PyTorch: the whole machine.

Every row holds four names with a number each, and asks: what is a's number minus b's? One head returns one
average and cannot tell; two heads look at one name each, and the layer takes one number from the other.

Run it: python multi_head.py
"""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Project, cut into heads, attend in each, put the heads side by side, mix."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.W_v, self.W_o = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def split(self, x) -> torch.Tensor:
        x = x.reshape(*x.shape[:2], self.num_heads, -1)  # (batch, length, heads, dim)
        return x.transpose(1, 2)  # (batch, heads, length, dim)

    def forward(self, queries, keys, values):
        q, k = self.split(self.W_q(queries)), self.split(self.W_k(keys))
        v = self.split(self.W_v(values))  # all (batch, heads, length, dim)
        scores = q @ k.mT  # (batch, heads, queries, keys)
        weights = torch.softmax(scores / q.shape[-1] ** 0.5, dim=-1)
        heads = weights @ v  # (batch, heads, queries, dim)
        side_by_side = heads.transpose(1, 2).flatten(2)  # (batch, queries, d_model)
        return self.W_o(side_by_side), weights


class Subtract(nn.Module):
    """Ask by two names, look among the names, fetch numbers, answer with one number."""

    def __init__(self, num_heads: int, num_names: int = 4, d_model: int = 8) -> None:
        super().__init__()
        self.first_asked = nn.Embedding(num_names, d_model)  # a learned vector for each name
        self.second_asked = nn.Embedding(num_names, d_model)
        self.name = nn.Embedding(num_names, d_model)
        self.number = nn.Linear(1, d_model, bias=False)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.answer = nn.Linear(d_model, 1)

    def forward(self, names, numbers, asked) -> tuple[torch.Tensor, torch.Tensor]:
        question = self.first_asked(asked[:, :1]) + self.second_asked(asked[:, 1:])  # (batch, 1, d_model)
        values = self.number(numbers[:, :, None])  # (batch, keys, d_model)
        output, weights = self.attention(question, self.name(names), values)
        return self.answer(output).flatten(), weights  # (batch,), (batch, heads, 1, keys)


def rows(count: int, generator, num_names: int = 4) -> tuple[torch.Tensor, ...]:
    """Draw rows of the task: each name once, a number from -1 to 1 for each, two names to ask for."""
    names = torch.arange(num_names).expand(count, num_names)  # (batch, keys)
    numbers = torch.rand(count, num_names, generator=generator) * 2 - 1
    asked = torch.rand(count, num_names, generator=generator).argsort(dim=-1)[:, :2]
    first, second = numbers.gather(1, asked).unbind(dim=1)
    return names, numbers, asked, first - second


def train(model, steps: int = 300, seed: int = 0) -> float:
    """Walk downhill on fresh rows; gives the mean squared error on 2,000 new ones."""
    generator = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01, foreach=True)  # faster
    for step in range(steps + 1):
        *inputs, answers = rows(2000 if step == steps else 128, generator)
        error = (model(*inputs)[0] - answers).square().mean()
        if step < steps:
            optimiser.zero_grad()
            error.backward()
            optimiser.step()
    return error.item()


if __name__ == "__main__":
    for num_heads in (1, 2, 4):
        errors = []
        for seed in range(5):  # not every start gets there: look at all of them
            torch.manual_seed(seed)
            errors.append(f"{train(Subtract(num_heads), seed=seed):.3f}")
        print(f"heads: {num_heads}, error on new rows from five starts:", *errors)
