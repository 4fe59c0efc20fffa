"""What is a transformer block? The whole machine in plain PyTorch: attention, MLP, two norms, two sums.

Each token of a sequence is one number, and must learn how far it is from the mean of the sequence. It has to
ask the others (attention) and to bend a straight line (the MLP).

Run it: python transformer_block.py
"""

import torch
from torch import nn


class LayerNorm(nn.Module):
    """Bring the numbers of each token to mean 0 and variance 1, then scale and shift as learned."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.gain, self.shift = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))

    def forward(self, x) -> torch.Tensor:
        centred = x - x.mean(dim=-1, keepdim=True)
        variance = centred.square().mean(dim=-1, keepdim=True)
        return centred / (variance + 1e-5).sqrt() * self.gain + self.shift


class Attention(nn.Module):
    """Let every token ask every token, in several heads."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, mask=None) -> torch.Tensor:
        batch, length, d_model = x.shape
        cut = lambda t: t.reshape(batch, length, self.num_heads, -1).transpose(1, 2)  # noqa: E731
        q, k, v = cut(self.W_q(x)), cut(self.W_k(x)), cut(self.W_v(x))  # (batch, heads, length, dim)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5  # (batch, heads, queries, keys)
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)  # True = may attend
        heads = torch.softmax(scores, dim=-1) @ v
        return self.W_o(heads.transpose(1, 2).reshape(batch, length, d_model))


class MLP(nn.Module):
    """Let every token think by itself: widen, bend, come back."""

    def __init__(self, d_model: int, num_hiddens: int) -> None:
        super().__init__()
        self.grow, self.shrink = nn.Linear(d_model, num_hiddens), nn.Linear(num_hiddens, d_model)

    def forward(self, x) -> torch.Tensor:
        return self.shrink(nn.functional.gelu(self.grow(x)))


class Block(nn.Module):
    """Two steps; each looks at the normalised tokens and adds its answer to what was there (pre-norm)."""

    def __init__(self, d_model: int, num_heads: int, num_hiddens: int | None = None) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attention, self.mlp = Attention(d_model, num_heads), MLP(d_model, num_hiddens or 4 * d_model)

    def forward(self, x, mask=None) -> torch.Tensor:
        x = x + self.attention(self.norm_1(x), mask)
        return x + self.mlp(self.norm_2(x))  # (batch, length, d_model), as it came in


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
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(steps + 1):
        x = torch.randn(1000 if step == steps else 64, 5, generator=generator)
        error = (model(x) - (x - x.mean(dim=-1, keepdim=True)).abs()).square().mean()
        if step < steps:
            optimiser.zero_grad()
            error.backward()
            optimiser.step()
    return error.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    print(f"error on new sequences: {train(Model()):.4f}")
