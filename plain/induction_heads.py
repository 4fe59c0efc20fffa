"""Will a model find induction by itself? Two layers of attention that learn it, in plain PyTorch: all of it.

Random tokens are drawn and repeated with a random period. From the second copy on, the next token can be
known: it is what followed last time. One layer cannot say it, two can.

Run it: python induction_heads.py  (a minute or two)
"""

import torch
from torch import nn


class Layer(nn.Module):
    """One head of causal attention; it returns what it adds, and its weights."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x) -> tuple[torch.Tensor, torch.Tensor]:
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)  # (batch, length, d_model)
        scores = q @ k.mT / q.shape[-1] ** 0.5  # (batch, queries, keys)
        future = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
        weights = torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)
        return self.W_o(weights @ v), weights


class AttentionOnly(nn.Module):
    """Tokens and positions, layers that add to a running sum, scores of the next token."""

    def __init__(self, vocabulary: int, max_length: int, d_model: int, num_layers: int = 2) -> None:
        super().__init__()
        self.embedding, self.positions = nn.Embedding(vocabulary, d_model), nn.Embedding(max_length, d_model)
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(num_layers))
        self.layers = nn.ModuleList(Layer(d_model) for _ in range(num_layers))
        self.last_norm, self.unembed = nn.LayerNorm(d_model), nn.Linear(d_model, vocabulary, bias=False)
        for table in (self.embedding.weight, self.positions.weight):
            nn.init.normal_(table, std=0.1)

    def forward(self, tokens, off=()) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits (batch, length, vocabulary) and weights (batch, layers, queries, keys)."""
        x = self.embedding(tokens) + self.positions.weight[: tokens.shape[1]]
        maps = []
        for number, (norm, layer) in enumerate(zip(self.norms, self.layers, strict=True), start=1):
            added, weights = layer(norm(x))
            x = x + added * (number not in off)  # layers count from 1; one that is off adds nothing
            maps.append(weights)
        return self.unembed(self.last_norm(x)), torch.stack(maps, dim=1)


def repeats(rows: int, length: int, vocabulary: int, periods, generator) -> tuple[torch.Tensor, ...]:
    """Draw rows of tokens, each repeated with its period; True where the next token can be known."""
    blocks = torch.randint(vocabulary, (rows, length), generator=generator)
    period = torch.randint(periods[0], periods[1] + 1, (rows, 1), generator=generator)
    places = torch.arange(length)
    return blocks.gather(1, places % period), period, (places >= period)[:, :-1]


def train(
    model, steps: int = 600, seed: int = 0, length: int = 24, vocabulary: int = 16, periods=(5, 12)
) -> float:
    """Walk downhill on fresh rows; gives the share of right answers on 500 new ones."""
    generator = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.005)
    for step in range(steps + 1):
        rows = 500 if step == steps else 64
        tokens, _, known = repeats(rows, length, vocabulary, periods, generator)
        logits = model(tokens)[0][:, :-1][known]
        answers = tokens[:, 1:][known]
        if step < steps:
            optimiser.zero_grad()
            nn.functional.cross_entropy(logits, answers).backward()
            optimiser.step()
    return (logits.argmax(dim=-1) == answers).float().mean().item()


if __name__ == "__main__":
    for num_layers in (1, 2):
        shares = []
        for seed in range(3):
            torch.manual_seed(seed)
            shares.append(f"{train(AttentionOnly(16, 24, 32, num_layers), seed=seed):.2f}")
        print(f"layers: {num_layers}, right on new rows, from three starts:", *shares)
