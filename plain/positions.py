"""Where does a word stand? Four ways to tell, in plain PyTorch: the whole machine, trained and looked at.

Sixteen times the same word. Each looks at the word before it, which only its place tells apart.
The first eight are trained; the others show what each way has learned.

Run it: python positions.py
"""

import torch
from torch import nn


def hand_angles(length: int, dim: int, base: float = 10000.0) -> torch.Tensor:
    """Give each place the angle of each clock hand: the first hand is fast, the last one slow."""
    places = torch.arange(length)[:, None]  # the words before this one
    return places / base ** (torch.arange(0, dim, 2) / dim)  # (length, dim / 2)


def sinusoidal(length: int, dim: int) -> torch.Tensor:
    """Write down where the tips of the hands are, one pair of numbers each."""
    angles = hand_angles(length, dim)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)  # (length, dim)


def turn(vectors: torch.Tensor) -> torch.Tensor:
    """Turn each pair of numbers of each word by the angle of its hand (rotary)."""
    angles = hand_angles(*vectors.shape)
    x, y = vectors[:, 0::2], vectors[:, 1::2]  # (length, dim / 2)
    cos, sin = angles.cos(), angles.sin()
    return torch.stack([x * cos - y * sin, x * sin + y * cos], dim=-1).flatten(-2)


class LookBack(nn.Module):
    """One head of causal attention whose words know their places in one of four ways, or not."""

    def __init__(self, kind: str, dim: int = 8, max_length: int = 16, slope: float = 0.5) -> None:
        super().__init__()
        self.kind, self.slope = kind, slope
        self.W = nn.Parameter(torch.randn(dim, dim) * 0.1)  # projects the queries
        self.table = nn.Parameter(torch.randn(max_length, dim) * 0.5)  # for "learned" only

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        length, dim = x.shape
        if self.kind == "sinusoidal":
            x = x + sinusoidal(length, dim)
        if self.kind == "learned":
            x = x + self.table[:length]
        q, k = x @ self.W, x
        if self.kind == "rotary":
            q, k = turn(q), turn(k)
        scores = q @ k.T / dim**0.5  # (queries, keys)
        ahead = torch.arange(length) - torch.arange(length)[:, None]  # how far on a key stands
        if self.kind == "ALiBi":
            scores = scores + self.slope * ahead  # a key n words back loses n times the slope
        scores = scores.masked_fill(ahead > 0, -torch.inf)  # nobody sees later words
        return torch.softmax(scores, dim=-1)  # each row adds up to 1


def train(
    model: LookBack, words: torch.Tensor, trained: int = 8, steps: int = 300, rate: float = 4.0
) -> float:
    """Walk downhill until words 2 to `trained` look at the word before them; gives the last loss."""
    asked = torch.arange(1, trained)
    optimiser = torch.optim.SGD(model.parameters(), lr=rate)
    for _ in range(steps):
        loss = -model(words)[asked, asked - 1].log().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    words = torch.ones(16, 8)  # (length, dim): sixteen times the same word
    print("weight on the word before:")
    for kind in ("nothing", "sinusoidal", "learned", "rotary", "ALiBi"):
        model = LookBack(kind)
        loss = train(model, words)
        before = model(words).diagonal(-1)  # of words 2 to 16
        told = ", ".join(f"word {n} {before[n - 2]:.2f}" for n in (2, 8, 16))
        print(f"{kind:>10}: {told}, loss {loss:.3f}")
