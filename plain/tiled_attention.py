"""The same answer in less memory: attention by tiles, and writing with a cache, in plain PyTorch.

A softmax is summed up tile by tile: keep the largest score so far, the sum, and the sum with values; when a
larger score comes, correct both sums. Nothing is approximated.

Run it: python tiled_attention.py
"""

import torch


def dense_attention(q, k, v, mask=None) -> torch.Tensor:
    """Hold the whole map of weights: what the others must be equal to."""
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5  # (..., queries, keys)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)  # True = may attend
    return torch.softmax(scores, dim=-1) @ v


def read_tile(state, scores, v) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Take one more tile of keys into account: scores (..., queries, tile), v (..., tile, value_dim)."""
    largest, total, output = state
    new = torch.maximum(largest, scores.amax(dim=-1, keepdim=True))  # (..., queries, 1)
    finite = new.masked_fill(new == -torch.inf, 0.0)  # no key allowed yet: -inf - -inf would be NaN
    correction, p = torch.exp(largest - finite), torch.exp(scores - finite)
    return new, correction * total + p.sum(dim=-1, keepdim=True), correction * output + p @ v


def tiled_attention(q, k, v, tile: int = 64, causal: bool = False) -> torch.Tensor:
    """Hold one square of the map at a time; gives (..., queries, value_dim).

    With `causal`, query i sees keys 0 to i, and squares that lie in the future are skipped.
    """
    rows = []
    for first in range(0, q.shape[-2], tile):
        part = q[..., first : first + tile, :]
        places = torch.arange(first, first + part.shape[-2])
        start = part.new_zeros(*part.shape[:-1], 1)
        state = start - torch.inf, start, part.new_zeros(*part.shape[:-1], v.shape[-1])
        for key in range(0, k.shape[-2], tile):
            if causal and key > places[-1]:
                break
            keys = k[..., key : key + tile, :]
            scores = part @ keys.transpose(-2, -1) / q.shape[-1] ** 0.5  # (..., tile, tile)
            if causal:
                later = torch.arange(key, key + keys.shape[-2]) > places[:, None]
                scores = scores.masked_fill(later, -torch.inf)
            state = read_tile(state, scores, v[..., key : key + tile, :])
        _, total, output = state
        rows.append(output / total)
    return torch.cat(rows, dim=-2)


class Cache:
    """Keep the keys and values of the words written so far: a new word asks with one query."""

    def __init__(self) -> None:
        self.keys = self.values = None

    def step(self, q, k, v) -> torch.Tensor:
        """Add the new word's key and value, then attend: each (..., 1, dim)."""
        self.keys = k if self.keys is None else torch.cat([self.keys, k], dim=-2)
        self.values = v if self.values is None else torch.cat([self.values, v], dim=-2)
        return dense_attention(q, self.keys, self.values)


if __name__ == "__main__":
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 1000, 16)
    gap = (tiled_attention(q, k, v) - dense_attention(q, k, v)).abs().max()
    print(f"tiles against the whole map: {gap:.1e}")
