"""How near is near? A kernel average whose width is learned, in plain PyTorch: the whole machine.

Run it: python learned_width.py
"""

import torch
from torch import nn


class KernelAverage(nn.Module):
    """Average the values, weighted by how near their keys are to the query."""

    def __init__(self, width: float) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.tensor(1 / width))  # the only parameter

    def forward(self, queries, keys, values, mask=None) -> torch.Tensor:
        u = (queries[:, None] - keys) * self.w  # (queries, keys), in widths
        scores = -(u**2) / 2
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)  # True = may attend
        weights = torch.softmax(scores, dim=-1)  # each row adds up to 1
        return weights @ values  # (queries,)


def train(model, x, y, mask, steps=3000):
    """Predict each point from those it may attend to; gives the last error."""
    optimiser = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(steps):
        error = (model(x, x, y, mask) - y).square().mean()
        optimiser.zero_grad()
        error.backward()
        optimiser.step()
    return error.item()


def noisy_curve(points=40, seed=0):
    """Scatter points around a curve, from left to right."""
    generator = torch.Generator().manual_seed(seed)
    x = (5 * torch.rand(points, generator=generator)).sort().values
    return x, 2 * torch.sin(x) + x / 2 + 0.5 * torch.randn(points, generator=generator)


if __name__ == "__main__":
    x, y = noisy_curve()
    others = ~torch.eye(len(x), dtype=torch.bool)  # nobody answers their own question
    for name, mask in {"leave one out": others, "points see themselves": None}.items():
        model = KernelAverage(width=2.0)
        error = train(model, x, y, mask)
        print(f"{name}: width {1 / model.w.abs().item():.2f}, error {error:.3f}")
