"""Where does a translator look? The whole machine in plain PyTorch: encoder, attention, decoder, training.

It reads a date in three languages, letter by letter, and writes 2024-03-05. Nobody tells it where to look.
Run it: python date_translator.py (half a minute)
"""

import torch
from torch import nn

ENGLISH = "January February March April May June July August September October November December".split()  # noqa: SIM905
FRENCH = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()  # noqa: SIM905
SOURCE = ["", *sorted(set("".join(ENGLISH + FRENCH) + "0123456789 ,年月日"))]  # number 0 is padding
TARGET = "0123456789-"


class Attention(nn.Module):
    """Score every state of the encoder with the decoder's state, share out, mix."""

    def __init__(self, size: int, num_hiddens: int) -> None:
        super().__init__()
        self.W_decoder = nn.Linear(size, num_hiddens, bias=False)
        self.W_encoder = nn.Linear(size, num_hiddens, bias=False)
        self.v = nn.Linear(num_hiddens, 1, bias=False)

    def forward(self, s, h, mask) -> tuple[torch.Tensor, torch.Tensor]:
        # (batch, keys, num_hiddens)
        hidden = torch.tanh(self.W_decoder(s)[:, None] + self.W_encoder(h))
        scores = self.v(hidden)[..., 0]  # (batch, keys)
        scores = scores.masked_fill(~mask, -torch.inf)  # padding gets no weight
        weights = torch.softmax(scores, dim=-1)  # (batch, keys)
        return (weights[:, None] @ h)[:, 0], weights  # the context (batch, size)


def step(model, y, s, h, mask):
    """Look back, move to a new state, write one symbol."""
    c, weights = model.attention(s, h, mask)  # (batch, size), (batch, keys)
    s = model.decoder(torch.cat([model.target_embedding(y), c], dim=-1), s)
    logits = model.output(torch.cat([s, c], dim=-1))  # (batch, symbols)
    return logits, s, weights


class Translator(nn.Module):
    """Read the source from both ends, then write one symbol a step and look back at each."""

    def __init__(self, source_size, target_size, embed_size=24, num_hiddens=32) -> None:
        super().__init__()
        size, self.start = 2 * num_hiddens, target_size
        self.source_embedding = nn.Embedding(source_size, embed_size)
        self.target_embedding = nn.Embedding(target_size + 1, embed_size)  # the last row is the start
        self.rightwards, self.leftwards = (nn.GRUCell(embed_size, num_hiddens) for _ in range(2))
        self.bridge, self.attention = nn.Linear(size, size), Attention(size, num_hiddens)
        self.decoder = nn.GRUCell(embed_size + size, size)
        self.output = nn.Sequential(nn.Linear(2 * size, size), nn.Tanh(), nn.Linear(size, target_size))

    def read(self, x, mask) -> tuple[torch.Tensor, torch.Tensor]:
        states, ends, places = [], [], range(x.shape[1])
        for cell, order in ((self.rightwards, places), (self.leftwards, reversed(places))):
            state, seen = x.new_zeros(len(x), cell.hidden_size), {}
            for j in order:  # at padding the state stands still
                seen[j] = state = torch.where(mask[:, j, None], cell(x[:, j], state), state)
            states, ends = [*states, torch.stack([seen[j] for j in places], dim=1)], [*ends, state]
        return torch.cat(states, dim=-1), torch.cat(ends, dim=-1)  # (batch, keys, size), (batch, size)

    def forward(self, source, targets=None, num_steps: int = 10) -> tuple[torch.Tensor, torch.Tensor]:
        mask = source > 0
        h, end = self.read(self.source_embedding(source), mask)
        s, y = torch.tanh(self.bridge(end)), torch.full_like(source[:, 0], self.start)
        logits, maps = [], []
        for t in range(num_steps):
            written, s, weights = step(self, y, s, h, mask)
            logits, maps = [*logits, written], [*maps, weights]
            y = written.argmax(dim=-1) if targets is None else targets[:, t]  # in training: the right one
        return torch.stack(logits, dim=1), torch.stack(maps, dim=1)  # (batch, steps, symbols or keys)


def encode(texts) -> torch.Tensor:
    """Turn texts into rows of numbers, padded with 0 to the longest."""
    longest = max(map(len, texts))
    return torch.tensor([[SOURCE.index(c) for c in text] + [0] * (longest - len(text)) for text in texts])


def batch(size: int, generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw dates, each in one of three forms (days up to 28: every month has them)."""
    draw = lambda low, high: torch.randint(low, high, (size,), generator=generator).tolist()  # noqa: E731
    texts, targets = [], []
    for y, m, d, form in zip(draw(1900, 2100), draw(1, 13), draw(1, 29), draw(0, 3), strict=True):
        texts.append((f"{ENGLISH[m - 1]} {d}, {y}", f"{d} {FRENCH[m - 1]} {y}", f"{y}年{m}月{d}日")[form])
        targets.append([TARGET.index(c) for c in f"{y}-{m:02}-{d:02}"])
    return encode(texts), torch.tensor(targets)


def train(model, steps: int = 1000, seed: int = 0) -> float:
    """Train on fresh dates; gives the loss on the last ones."""
    generator = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.004)
    for _ in range(steps):
        source, targets = batch(64, generator)
        logits, _ = model(source, targets)  # (batch, steps, symbols)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Translator(len(SOURCE), len(TARGET))
    print(f"loss {train(model):.3f}")
    for row in model(encode(["March 5, 2024", "5 mars 2024", "2024年3月5日"]))[0].argmax(dim=-1).tolist():
        print("".join(TARGET[i] for i in row))
