"""What is a transformer block? Attention, MLP, two norms and two sums, in plain PyTorch.

Each token is one number and must say how far it is from the mean of its sequence: attention finds the mean,
and the MLP makes a distance of the difference. Run it: python transformer_block.py
"""

import torch
from torch import nn


class LayerNorm(nn.Module):
    """Bring each token to mean 0 and variance 1, then scale and shift as learned."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d_model))  # gamma
        self.shift = nn.Parameter(torch.zeros(d_model))  # beta

    def forward(self, x) -> torch.Tensor:
        centred = x - x.mean(dim=-1, keepdim=True)
        variance = centred.square().mean(dim=-1, keepdim=True)
        return centred / (variance + 1e-5).sqrt() * self.gain + self.shift


class Attention(nn.Module):
    """Every token attends to every token, in several heads."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.W_v, self.W_o = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def cut(self, x) -> torch.Tensor:
        return x.reshape(*x.shape[:2], self.num_heads, -1).transpose(1, 2)  # (batch, heads, length, dim)

    def forward(self, x, mask=None) -> torch.Tensor:
        q, k, v = self.cut(self.W_q(x)), self.cut(self.W_k(x)), self.cut(self.W_v(x))
        scores = q @ k.mT / q.shape[-1] ** 0.5  # (batch, heads, queries, keys)
        if mask is None:
            mask = torch.ones_like(scores, dtype=torch.bool)  # True = may attend
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)  # no key: all 0
        return self.W_o((weights @ v).transpose(1, 2).flatten(2))  # (batch, length, d_model)


class MLP(nn.Module):
    """Treat each token by itself: widen, cut softly at 0, come back."""

    def __init__(self, d_model: int, num_hiddens: int) -> None:
        super().__init__()
        self.grow = nn.Linear(d_model, num_hiddens)  # x W_1 + b_1
        self.shrink = nn.Linear(num_hiddens, d_model)  # x W_2 + b_2

    def forward(self, x) -> torch.Tensor:
        return self.shrink(nn.functional.gelu(self.grow(x)))


class Block(nn.Module):
    """Two steps; each reads the normalised tokens and adds to the tokens (pre-norm)."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attention = Attention(d_model, num_heads)
        self.mlp = MLP(d_model, 4 * d_model)

    def forward(self, x, mask=None) -> torch.Tensor:
        y = x + self.attention(self.norm_1(x), mask)
        return y + self.mlp(self.norm_2(y))  # (batch, length, d_model)


class Model(nn.Module):
    """Numbers to vectors, one block, vectors to numbers."""

    def __init__(self, d_model: int = 16, num_heads: int = 2) -> None:
        super().__init__()
        self.enter, self.leave = nn.Linear(1, d_model), nn.Linear(d_model, 1)
        self.block = Block(d_model, num_heads)

    def forward(self, numbers) -> torch.Tensor:
        return self.leave(self.block(self.enter(numbers[..., None])))[..., 0]  # (batch, length)


def train(model, steps: int = 400, seed: int = 0) -> float:
    """Train on random sequences of five; gives the mean squared error on 1,000 new ones."""
    generator = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01, foreach=True)  # faster
    for step in range(steps + 1):
        x = torch.randn(1000 if step == steps else 64, 5, generator=generator)
        error = (model(x) - (x - x.mean(dim=-1, keepdim=True)).abs()).square().mean()
        optimiser.zero_grad()
        error.backward()
        if step < steps:
            optimiser.step()
    return error.item()


if __name__ == "__main__":
    print(f"error on new sequences: {train(Model()):.4f}")
