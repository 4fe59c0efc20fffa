"""The functions and modules of the package itself."""

import torch
from torch import nn

from attn_helpers import (
    AdditiveAttention,
    DotProductAttention,
    MultiHeadAttention,
    NadarayaWatson,
    alibi_bias,
    alibi_slopes,
    apply_rotary,
    causal_mask,
    combine_masks,
    gaussian_scores,
    kernel_functions,
    kernel_weights,
    length_mask,
    masked_softmax,
    nadaraya_watson,
    rotary_angles,
    scaled_dot_product_attention,
    score_functions,
    sinusoidal_positions,
    softmax_with_fill,
    window_mask,
)
from reader_code._examples import example, noise
from reader_code.modules import settled

Q, K, V = noise(2, 3, 4), noise(2, 5, 4), noise(2, 5, 7)
ADDITIVE, DOT = settled(AdditiveAttention(4, 4, 6)), DotProductAttention().eval()
HEADS = settled(MultiHeadAttention(4, 2))
POOLING = settled(NadarayaWatson(0.5))


@example(queries=noise(6), width=0.7)
def every_kernel(queries, width):
    return {name: kernel_weights(queries, noise_keys, kernel=name, width=width) for name in kernel_functions}


noise_keys = noise(5, seed=3)


@example(width=0.7, values=noise(5))
def kernel_pooling(width, values):
    output, weights = nadaraya_watson(noise_keys, noise_keys, values, width=width)
    return {"output": output, "weights": weights}


@example(x=noise(5), y=noise(5, seed=1))
def step_of_kernel_pooling(x, y):
    weights = {name: weight.detach() for name, weight in POOLING.named_parameters()}

    def loss(weights):
        return (torch.func.functional_call(POOLING, weights, (x, x, y)) - y).pow(2).mean()

    return torch.func.grad(loss)(weights)


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


@example(q=Q, k=K, v=V, mask=noise(2, 3, 5) > 0)
def attention_with_a_mask(q, k, v, mask):
    output, weights = scaled_dot_product_attention(q, k, v, mask=mask)
    gradient = torch.func.grad(lambda q: scaled_dot_product_attention(q, k, v, mask=mask)[0].pow(2).sum())(q)
    return {"output": output, "weights": weights, "gradient": gradient}


@example(q=Q, k=K, v=V, lengths=torch.tensor([2, 4]))
def attention_modules(q, k, v, lengths):
    return {
        "additive": ADDITIVE(q, k, v, lengths),
        "additive_weights": ADDITIVE.attention_weights,
        "dot": DOT(q, k, v, lengths),
        "heads": HEADS(q, k, k, valid_lens=lengths)[0],
        "head_weights": HEADS(q, k, k, mask=causal_mask(3, 5)[None])[1],
    }


@example(q=Q, k=K, width=0.8)
def scores(q, k, width):
    return {"gaussian": gaussian_scores(q, k, width=width), "dot": score_functions["dot_product"](q, k)}


@example(x=noise(3, 4), base=100.0)
def positions(x, base):
    angles = rotary_angles(3, 4, base=base)
    return {
        "rotary": apply_rotary(x, angles),
        "added": x + sinusoidal_positions(3, 4),
        "alibi": (x @ x.T + alibi_bias(alibi_slopes(2), 3)).softmax(-1),
    }


@example(q=Q)
def heads_of_torch(q):
    layer = MultiHeadAttention.from_torch(TORCH_HEADS)
    return layer(q, q, q)[0]


TORCH_HEADS = settled(nn.MultiheadAttention(4, 2, batch_first=True))
