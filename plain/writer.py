"""What comes after `th`? A model that writes, in plain PyTorch: blocks, loss, training, writing.

Run it: python writer.py BOOK.txt     (without a book it learns from its own source)
"""

import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn.functional import cross_entropy, gelu


class Attention(nn.Module):
    """Let every token ask those before it and itself, in several heads."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x) -> torch.Tensor:
        batch, length, d_model = x.shape
        cut = lambda t: t.reshape(batch, length, self.num_heads, -1).transpose(1, 2)  # noqa: E731
        q, k, v = cut(self.W_q(x)), cut(self.W_k(x)), cut(self.W_v(x))  # (batch, heads, length, dim)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5  # (batch, heads, queries, keys)
        later = torch.ones(length, length, dtype=torch.bool).triu(1)
        heads = scores.masked_fill(later, -torch.inf).softmax(dim=-1) @ v
        return self.W_o(heads.transpose(1, 2).reshape(batch, length, d_model))


class Block(nn.Module):
    """Look back, then think; both steps add to what was there."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = Attention(d_model, num_heads)
        self.grow, self.shrink = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

    def forward(self, x) -> torch.Tensor:
        x = x + self.attention(self.norm_1(x))
        return x + self.shrink(gelu(self.grow(self.norm_2(x)), approximate="tanh"))


class Writer(nn.Module):
    """Ids (batch, length) to logits (batch, length, vocabulary); id 0 is the start mark."""

    def __init__(self, vocabulary: int, window=64, d_model=64, num_heads=4, num_layers=2) -> None:
        super().__init__()
        self.window = window
        self.table, self.positions = nn.Embedding(vocabulary, d_model), nn.Embedding(window, d_model)
        nn.init.normal_(self.table.weight, std=d_model**-0.5)
        self.blocks = nn.ModuleList(Block(d_model, num_heads) for _ in range(num_layers))
        self.norm = nn.LayerNorm(d_model)

    def forward(self, ids) -> torch.Tensor:
        x = self.table(ids) + self.positions.weight[: ids.shape[1]]  # (batch, length, d_model)
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.table.weight.T  # the same table, used again


def train(model, ids, steps: int = 1000, seed: int = 0) -> list[float]:
    """Learn to guess the next id of a text (length,); gives the loss of each step in nats."""
    generator = torch.Generator().manual_seed(seed)
    optimiser, losses = torch.optim.Adam(model.parameters(), lr=3e-3), []
    for _ in range(steps):
        starts = torch.randint(len(ids) - model.window + 1, (32, 1), generator=generator)
        targets = ids[starts + torch.arange(model.window)]  # (batch, length)
        read = nn.functional.pad(targets[:, :-1], (1, 0))  # one place later, behind the start mark
        loss = cross_entropy(model(read).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses


@torch.no_grad()
def write(model, ids, steps: int, temperature: float = 1.0, top_k: int | None = None) -> torch.Tensor:
    """Continue a text: guess, pick, append."""
    for _ in range(steps):
        window = nn.functional.pad(ids[max(0, len(ids) - model.window + 1) :], (1, 0))
        logits = model(window[None])[0, -1]
        values, kept = logits.topk(top_k or len(logits))
        p = torch.softmax(values / max(temperature, 1e-6), dim=-1)
        ids = torch.cat([ids, kept[torch.multinomial(p, 1)]])
    return ids


if __name__ == "__main__":
    text = " ".join(Path(sys.argv[1] if sys.argv[1:] else __file__).read_text().split())
    letters = ["<s>", *sorted(set(text))]
    ids = torch.tensor([letters.index(letter) for letter in text])
    torch.manual_seed(0)
    model = Writer(len(letters))
    print(f"last loss {train(model, ids)[-1]:.2f} nats")
    print("".join(letters[i] for i in write(model, ids[:20], 200, temperature=0.7)))
