"""What can attention do that a convolution cannot? One head of self-attention, and its rival, in PyTorch.

Nine people stand in a row, each with a number; one of them, anywhere, holds a flag, and everybody must say
that one's number. Each person is three numbers: flag (1 or 0), number, and 1.

Run it: python self_attention.py
"""

import torch
from torch import nn


class SelfAttention(nn.Module):
    """Every token attends to every token, itself included."""

    def __init__(self, d_model: int, d_k: int, d_v: int) -> None:
        super().__init__()
        self.W_q = nn.Parameter(torch.randn(d_model, d_k) / 10)  # makes queries
        self.W_k = nn.Parameter(torch.randn(d_model, d_k) / 10)  # makes keys
        self.W_v = nn.Parameter(torch.randn(d_model, d_v) / 10)  # makes values

    def forward(self, x, mask=None) -> torch.Tensor:
        Q, K = x @ self.W_q, x @ self.W_k  # (batch, length, d_k)
        V = x @ self.W_v  # (batch, length, d_v)
        S = Q @ K.mT  # (batch, queries, keys)
        if mask is not None:  # True = may attend
            S = S.masked_fill(~mask & mask.any(-1, keepdim=True), -torch.inf)
        A = torch.softmax(S / Q.shape[-1] ** 0.5, dim=-1)  # rows add up to 1
        if mask is not None:
            A = A.masked_fill(~mask, 0.0)  # clears rows without a key
        self.weights = A
        return A @ V  # O (batch, length, d_v)


class TwoConvolutions(nn.Module):
    """Every token mixes with its neighbours, twice."""

    def __init__(self, d_model: int, channels: int = 32) -> None:
        super().__init__()
        self.first = nn.Conv1d(d_model, channels, 3, padding=1)
        self.second = nn.Conv1d(channels, 1, 3, padding=1)

    def forward(self, x) -> torch.Tensor:
        mixed = torch.relu(self.first(x.mT))  # Conv1d wants (batch, channels, length)
        return self.second(mixed).mT  # (batch, length, 1)


def flagged(count: int, generator: torch.Generator, length: int = 9) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw rows of people (count, length, 3), and the number that all must say (count, 1)."""
    holder = torch.randint(length, (count,), generator=generator)
    flag = nn.functional.one_hot(holder, length).float()
    number = torch.randn(count, length, generator=generator)
    x = torch.stack([flag, number, torch.ones(count, length)], dim=-1)
    return x, (flag * number).sum(dim=1, keepdim=True)


def train(model, steps: int = 600, seed: int = 0) -> float:
    """Train on random rows; gives the mean squared error on 20,000 new ones."""
    generator = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.05, foreach=True)  # faster
    for step in range(steps + 1):
        x, target = flagged(20_000 if step == steps else 64, generator)
        error = (model(x)[..., 0] - target).square().mean()
        if step < steps:
            optimiser.zero_grad()
            error.backward()
            optimiser.step()
    return error.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    rivals = {"self-attention": SelfAttention(3, 2, 1), "two convolutions": TwoConvolutions(3)}
    for name, model in rivals.items():
        print(f"{name}: error {train(model):.2f} on new rows")
