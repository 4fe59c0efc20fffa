"""The functions and modules of the package itself."""

import torch
from torch import nn

from attn_helpers import (
    AdditiveAttention,
    DotProductAttention,
    MultiHeadAttention,
    causal_mask,
    combine_masks,
    kernel_functions,
    kernel_weights,
    length_mask,
    masked_softmax,
    softmax_with_fill,
    window_mask,
)
from reader_code._examples import example, noise
from reader_code.modules import settled

Q, K, V = noise(2, 3, 4), noise(2, 5, 4), noise(2, 5, 7)
ADDITIVE, DOT = settled(AdditiveAttention(4, 4, 6)), DotProductAttention().eval()
HEADS = settled(MultiHeadAttention(4, 2))


@example(queries=noise(6), width=0.7)
def every_kernel(queries, width):
    return {name: kernel_weights(queries, noise_keys, kernel=name, width=width) for name in kernel_functions}


noise_keys = noise(5, seed=3)


@example(scores=noise(2, 3, 5), mask=noise(3, 5) > 0, lengths=torch.tensor([2, 0]))
def masks(scores, mask, lengths):
    return {
        "masked": masked_softmax(scores, mask[None]),
        "lengths": masked_softmax(scores, valid_lens=lengths),
        "causal": masked_softmax(scores, causal_mask(3, 5)[None]),
        "window": masked_softmax(scores, combine_masks(window_mask(3, 5, reach=1), mask)[None]),
        "filled": softmax_with_fill(scores, mask[None], fill=-1e6),
        "mask": length_mask(lengths, 5),
    }


@example(q=Q, k=K, v=V, lengths=torch.tensor([2, 4]))
def attention_modules(q, k, v, lengths):
    return {
        "additive": ADDITIVE(q, k, v, lengths),
        "additive_weights": ADDITIVE.attention_weights,
        "dot": DOT(q, k, v, lengths),
        "heads": HEADS(q, k, k, valid_lens=lengths)[0],
        "head_weights": HEADS(q, k, k, mask=causal_mask(3, 5)[None])[1],
    }


@example(q=Q)
def heads_of_torch(q):
    layer = MultiHeadAttention.from_torch(TORCH_HEADS)
    return layer(q, q, q)[0]


TORCH_HEADS = settled(nn.MultiheadAttention(4, 2, batch_first=True))
