"""How do you compare two numbers with three? Additive attention in plain PyTorch, complete.

A traveller (degrees wished for, money) asks six towns (day, night, price). Right is what the cheapest town
that is warm enough has to offer, or, if none is, the warmest one. Nobody tells the network this rule.

Run it: python additive_attention.py
"""

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    """Score each key by a small network that sees it beside the query; average."""

    def __init__(self, query_size: int, key_size: int, num_hiddens: int) -> None:
        super().__init__()
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)

    def scores(self, queries, keys) -> torch.Tensor:
        from_q = self.W_q(queries).unsqueeze(2)  # (batch, queries, 1, num_hiddens)
        from_k = self.W_k(keys).unsqueeze(1)  # (batch, 1, keys, num_hiddens)
        hidden = torch.tanh(from_q + from_k)  # (batch, queries, keys, num_hiddens)
        return self.w_v(hidden).squeeze(-1)  # (batch, queries, keys)

    def forward(self, queries, keys, values, mask=None) -> torch.Tensor:
        scores = self.scores(queries, keys)
        if mask is not None:  # True = may attend
            scores = scores.masked_fill(~mask & mask.any(-1, keepdim=True), -torch.inf)
        weights = torch.softmax(scores, dim=-1)  # (batch, queries, keys)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)  # clears rows without a key
        return weights @ values  # (batch, queries, value_dim)


class BilinearAttention(AdditiveAttention):
    """The same with one matrix between query and key, to compare."""

    def __init__(self, query_size: int, key_size: int) -> None:
        nn.Module.__init__(self)
        self.W = nn.Linear(query_size, key_size, bias=False)

    def scores(self, queries, keys) -> torch.Tensor:
        return self.W(queries) @ keys.transpose(1, 2)


def travellers(count, generator):
    """Draw travellers, six towns for each, what these have to offer, and which town is right."""
    queries = torch.rand(count, 1, 2, generator=generator) * torch.tensor([3.0, 2.0])
    keys = torch.rand(count, 6, 3, generator=generator) * torch.tensor([4.0, 2.0, 2.0])
    values = torch.randn(count, 6, 1, generator=generator)
    warmth, price = keys[..., :2].mean(dim=-1), keys[..., 2]  # (batch, keys)
    enough = warmth >= queries[..., 0]
    cheapest = price.masked_fill(~enough, torch.inf).argmin(dim=-1)
    return queries, keys, values, torch.where(enough.any(dim=-1), cheapest, warmth.argmax(dim=-1))


def train(model, steps=1500, seed=0):
    """Walk downhill; gives the share of 2,000 new travellers whose right town has the largest weight."""
    generator = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01, foreach=True)  # faster
    for _ in range(steps):
        queries, keys, values, right = travellers(256, generator)
        wanted = values[torch.arange(256), right]  # (batch, value_dim)
        error = (model(queries, keys, values)[:, 0] - wanted).square().mean()
        optimiser.zero_grad()
        error.backward()
        optimiser.step()
    queries, keys, _, right = travellers(2000, generator)
    return (model.scores(queries, keys)[:, 0].argmax(dim=-1) == right).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    print(f"one matrix: right town for {train(BilinearAttention(2, 3)):.0%}")
    for hiddens in (1, 2, 8, 32):
        print(f"{hiddens} hidden units: right town for {train(AdditiveAttention(2, 3, hiddens)):.0%}")
