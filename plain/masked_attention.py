"""How do you leave a word out of an average? Scaled dot-product attention with a mask, in plain PyTorch.

Run it: python masked_attention.py
"""

import torch


def masked_weights(scores, mask):
    """Softmax of finite scores over the keys where the mask is True; 0 elsewhere."""
    scores = scores.masked_fill(~mask, -torch.inf)  # e to -inf is 0
    weights = torch.softmax(scores, dim=-1)  # NaN where no key is allowed
    return weights.masked_fill(~mask, 0.0)  # makes those 0


def masked_attention(queries, keys, values, mask):
    """Average the values for each query, over the keys that it may attend to."""
    scores = queries @ keys.mT / keys.shape[-1] ** 0.5  # (batch, queries, keys)
    weights = masked_weights(scores, mask)  # (batch, queries, keys)
    return weights @ values, weights  # (batch, queries, value_dim)


if __name__ == "__main__":
    torch.manual_seed(0)
    sentences = torch.randn(2, 6, 8)  # (batch, length, dim)
    real = torch.arange(6) < torch.tensor([3, 5])[:, None, None]  # (batch, 1, keys)
    causal = torch.ones(6, 6).tril().bool()  # (queries, keys)
    _, weights = masked_attention(sentences, sentences, sentences, real & causal)
    for row in weights[0].tolist():
        print([round(weight, 2) for weight in row])
