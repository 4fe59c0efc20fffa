"""Attention in the forms that readers try out."""

import torch
import torch.nn.functional as F  # noqa: N812

from reader_code._examples import example, noise

HEADS = noise(2, 2, 5, 4)
TABLE, KERNEL, BIAS = noise(5, 4), noise(6, 3, 4, 4), noise(6)


@example(q=HEADS, k=HEADS * 0.5, v=HEADS.flip(2))
def torch_causal(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


@example(q=HEADS, mask=noise(5, 5) > 0, scale=0.3)
def torch_masked_and_scaled(q, mask, scale):
    return F.scaled_dot_product_attention(q, q, q, attn_mask=mask | torch.eye(5).bool(), scale=scale)


@example(scores=noise(6), chance=0.4)
def sampled_token(scores, chance):
    token = torch.searchsorted(scores.softmax(0).cumsum(0), chance.reshape(1)).squeeze()
    return {"token": token, "one_hot": F.one_hot(token, 6), "score": torch.take(scores, token)}


@example(ids=torch.tensor([1, 3, 2, 0]), length=3)
def next_token(ids, length):
    states = TABLE[ids]
    scores = (states @ states.T).masked_fill(torch.arange(4) >= length, float("-inf"))
    return {"weights": scores.softmax(-1), "next": (states @ TABLE.T)[length - 1].argmax()}


@example(image=noise(1, 3, 8, 8))
def patches(image):
    return F.conv2d(image, KERNEL, BIAS, stride=4).flatten(2).transpose(1, 2)
