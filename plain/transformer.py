"""The whole transformer in plain PyTorch: encoder, causal decoder, cross-attention, training and writing.

It reads dates in three languages (from date_translator.py, beside it) and writes 2024-03-05.
Run it: python transformer.py (half a minute)
"""

import torch
from date_translator import SOURCE, TARGET, batch, encode
from torch import nn
from torch.nn.functional import cross_entropy, gelu


class Attention(nn.Module):
    """Several heads. Queries come from x; keys and values from memory, which may be x itself."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def cut(self, x) -> torch.Tensor:
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)  # (batch, heads, length, dim)

    def forward(self, x, memory, mask) -> tuple[torch.Tensor, torch.Tensor]:
        q, k, v = self.cut(self.W_q(x)), self.cut(self.W_k(memory)), self.cut(self.W_v(memory))
        scores = q @ k.mT / q.shape[-1] ** 0.5  # (batch, heads, queries, keys)
        weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights  # (batch, queries, d_model)


class EncoderBlock(nn.Module):
    """Each source token looks at all source tokens, then at itself alone."""

    def __init__(self, d_model: int, num_heads: int, num_hiddens: int) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = Attention(d_model, num_heads)
        self.grow, self.shrink = nn.Linear(d_model, num_hiddens), nn.Linear(num_hiddens, d_model)

    def forward(self, x, mask) -> tuple[torch.Tensor, torch.Tensor]:
        found, weights = self.attention(y := self.norm_1(x), y, mask)
        x = x + found
        return x + self.shrink(gelu(self.grow(self.norm_2(x)))), weights


class DecoderBlock(nn.Module):
    """Each target token looks back at the target, at the source, then at itself."""

    def __init__(self, d_model: int, num_heads: int, num_hiddens: int) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.norm_3 = nn.LayerNorm(d_model)
        self.self_attention = Attention(d_model, num_heads)
        self.cross_attention = Attention(d_model, num_heads)
        self.grow = nn.Linear(d_model, num_hiddens)
        self.shrink = nn.Linear(num_hiddens, d_model)

    def forward(self, x, memory, causal, mask) -> tuple[torch.Tensor, ...]:
        found, back = self.self_attention(y := self.norm_1(x), y, causal)
        x = x + found  # (batch, queries, d_model)
        read, across = self.cross_attention(self.norm_2(x), memory, mask)
        x = x + read
        return x + self.shrink(gelu(self.grow(self.norm_3(x)))), back, across


class Transformer(nn.Module):
    """Encode the source once; decode the target from what is written so far."""

    def __init__(self, source_size, target_size, d_model=48, num_heads=4, num_hiddens=128, layers=1) -> None:
        super().__init__()
        sizes, self.start = (d_model, num_heads, num_hiddens), target_size
        self.source_embedding = nn.Embedding(source_size, d_model)
        self.target_embedding = nn.Embedding(target_size + 1, d_model)  # the last row is the start
        self.encoder = nn.ModuleList(EncoderBlock(*sizes) for _ in range(layers))
        self.decoder = nn.ModuleList(DecoderBlock(*sizes) for _ in range(layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.output = nn.Linear(d_model, target_size)

    def place(self, x) -> torch.Tensor:
        angles = torch.arange(x.shape[1])[:, None] / 10000 ** (torch.arange(0, x.shape[2], 2) / x.shape[2])
        return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)  # (batch, length, d_model)

    def forward(self, source, written) -> torch.Tensor:
        mask = (source > 0)[:, None, None]  # (batch, 1, 1, keys): padding gets no weight
        x = self.place(self.source_embedding(source))
        for block in self.encoder:
            x = block(x, mask)[0]
        memory = self.encoder_norm(x)  # (batch, keys, d_model)
        given = torch.cat([torch.full_like(source[:, :1], self.start), written], dim=1)
        y = self.place(self.target_embedding(given))
        causal = torch.ones(y.shape[1], y.shape[1], dtype=torch.bool).tril()  # (queries, queries)
        for block in self.decoder:
            y = block(y, memory, causal, mask)[0]
        return self.output(self.decoder_norm(y))  # (batch, 1 + written, target_size)

    def write(self, source, steps: int = 10) -> torch.Tensor:
        y = source[:, :0]
        for _ in range(steps):
            y = torch.cat([y, self(source, y)[:, -1:].argmax(dim=-1)], dim=1)
        return y


def train(model, steps: int = 1000, seed: int = 0) -> float:
    """Train on fresh dates, every position of the target at once; gives the last loss."""
    generator, optimiser = torch.Generator().manual_seed(seed), torch.optim.Adam(model.parameters(), 0.003)
    for _ in range(steps):
        source, targets = batch(64, generator)  # told what came before, not what comes:
        loss = cross_entropy(model(source, targets[:, :-1]).flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Transformer(len(SOURCE), len(TARGET))
    print(f"loss {train(model):.3f}")
    for row in model.write(encode(["March 5, 2024", "5 mars 2024", "2024年3月5日"])).tolist():
        print("".join(TARGET[i] for i in row))
