"""Attention in the forms that readers try out."""

import math

import torch
import torch.nn.functional as F  # noqa: N812

from reader_code._examples import example, noise

X = noise(2, 5, 8)
Q, K, V = noise(4, 3), noise(7, 3), noise(7, 2)
HEADS = noise(2, 2, 5, 4)
POINTS = torch.linspace(-2, 2, 9)
W = noise(8, 8, seed=1)
TABLE, KERNEL, BIAS = noise(5, 4), noise(6, 3, 4, 4), noise(6)


@example(width=0.5)
def gaussian_weights(width):
    weights = torch.exp(-((POINTS[:, None] - POINTS) ** 2) / (2 * width**2))
    return weights / weights.sum(-1, keepdim=True)


@example(queries=Q, keys=K, values=V)
def scaled_dot_product(queries, keys, values):
    weights = torch.softmax(queries @ keys.T / math.sqrt(queries.shape[-1]), -1)
    return {"output": weights @ values, "weights": weights}


@example(q=HEADS, k=HEADS * 0.5, v=HEADS.flip(2))
def torch_causal(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


@example(q=HEADS, mask=noise(5, 5) > 0, scale=0.3)
def torch_masked_and_scaled(q, mask, scale):
    return F.scaled_dot_product_attention(q, q, q, attn_mask=mask | torch.eye(5).bool(), scale=scale)


@example(x=X, slope=0.5)
def alibi(x, slope):
    positions = torch.arange(5)
    scores = x @ x.transpose(-1, -2) / 8**0.5 - slope * (positions[:, None] - positions).abs()
    return scores.masked_fill(torch.triu(torch.ones(5, 5), 1).bool(), float("-inf")).softmax(-1)


@example(x=X, base=100.0)
def rotary(x, base):
    angles = torch.arange(5)[:, None] * base ** (-torch.arange(0, 8, 2) / 8)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack(
        [even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()], -1
    )
    return turned.flatten(-2)


@example(x=X)
def rotary_in_place(x):
    out = torch.empty_like(x)
    angles = torch.arange(5)[:, None] / (10000 ** (torch.arange(0, 8, 2) / 8))
    out[..., 0::2] = x[..., 0::2] * angles.cos() - x[..., 1::2] * angles.sin()
    out[..., 1::2] = x[..., 0::2] * angles.sin() + x[..., 1::2] * angles.cos()
    return out


@example(x=noise(2, 5, 2, 4))
def rotary_with_complex_numbers(x):
    angles = torch.outer(torch.arange(5), 1.0 / 10000 ** (torch.arange(0, 4, 2).float() / 4))
    turn = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * turn.view(1, 5, 1, 2)).flatten(3).type_as(x)


@example(x=X)
def gated(x):
    return torch.sigmoid(x @ W) * F.scaled_dot_product_attention(x, x, x) + F.glu(x.repeat(1, 1, 2), -1)


@example(q=Q, k=K, temperature=0.3)
def cosine(q, k, temperature):
    return torch.softmax(F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).T / temperature, -1)


@example(q=Q, k=K)
def top_k(q, k):
    scores = q @ k.T
    values, places = scores.topk(3, -1)
    return torch.softmax(torch.full_like(scores, float("-inf")).scatter(-1, places, values), -1)


@example(q=Q, k=K)
def top_k_by_threshold(q, k):
    scores = q @ k.T
    smallest = scores.topk(2, -1).values[..., -1:]
    return torch.softmax(torch.where(scores < smallest, torch.tensor(float("-inf")), scores), -1)


@example(x=X, scale=0.3)
def online_softmax(x, scale):
    highest, total = torch.full((2, 5), -torch.inf), torch.zeros(2, 5)
    output = torch.zeros(2, 5, 8)
    for start in range(0, 5, 2):
        scores = x @ x[:, start : start + 2].transpose(1, 2) * scale
        higher = torch.maximum(highest, scores.amax(-1))
        weights, fade = torch.exp(scores - higher[..., None]), torch.exp(highest - higher)
        total = total * fade + weights.sum(-1)
        output = output * fade[..., None] + weights @ x[:, start : start + 2]
        highest = higher
    return output / total[..., None]


@example(x=X)
def linear_attention(x):
    features = F.elu(x) + 1
    state = torch.einsum("bnd,bne->bnde", features, x).cumsum(1)
    total = torch.einsum("bnd,bnd->bn", features, features.cumsum(1))
    return torch.einsum("bnd,bnde->bne", features, state) / total[..., None]


@example(x=noise(2, 6, 8))
def sliding_window(x):
    places = torch.arange(6)
    return F.scaled_dot_product_attention(x, x, x, attn_mask=(places[:, None] - places).abs() <= 1)


@example(x=noise(2, 3, 8))
def grouped_queries(x):
    queries = x.view(2, 3, 4, 2).transpose(1, 2)
    keys = x[..., :4].reshape(2, 3, 2, 2).transpose(1, 2)
    return F.scaled_dot_product_attention(queries, keys, keys, enable_gqa=True)


@example(x=noise(5, 3))
def sinkhorn(x):
    for _ in range(5):
        x = x - x.logsumexp(1, keepdim=True)
        x = x - x.logsumexp(0, keepdim=True)
    return x.exp()


@example(x=noise(4, 6), beta=2.0)
def hopfield(x, beta):
    state = x[0]
    for _ in range(3):
        state = torch.softmax(beta * x @ state, 0) @ x
    return state


@example(scores=noise(3, 5))
def sparsemax(scores):
    ordered = scores.sort(-1, descending=True).values
    places = torch.arange(1, 6)
    sums = ordered.cumsum(-1) - 1
    count = (places * ordered > sums).sum(-1, keepdim=True)
    return torch.clamp(scores - sums.gather(-1, count - 1) / count, min=0)


@example(x=noise(5, 8))
def mixture_of_experts(x):
    share, chosen = (x @ W[:, :3]).softmax(-1).topk(2, -1)
    output = torch.zeros_like(x)
    for expert in range(3):
        output = output + torch.tanh(x @ W * (expert + 1)) * ((chosen == expert) * share).sum(
            -1, keepdim=True
        )
    return output


@example(start=1)
def beam_search(start):
    steps = W.log_softmax(-1)
    words, score = start.reshape(1, 1), torch.zeros(1)
    for _ in range(3):
        score, best = (score[:, None] + steps[words[:, -1]]).flatten().topk(3)
        words = torch.cat([words[best // 8], (best % 8)[:, None]], 1)
    return {"words": words, "score": score}


@example(scores=noise(6), chance=0.4)
def sampled_token(scores, chance):
    token = torch.searchsorted(scores.softmax(0).cumsum(0), chance.reshape(1)).squeeze()
    return {"token": token, "one_hot": F.one_hot(token, 6), "score": torch.take(scores, token)}


@example(ids=torch.tensor([1, 3, 2, 0]), length=3)
def next_token(ids, length):
    states = TABLE[ids]
    scores = (states @ states.T).masked_fill(torch.arange(4) >= length, float("-inf"))
    return {"weights": scores.softmax(-1), "next": (states @ TABLE.T)[length - 1].argmax()}


@example(cache=torch.zeros(4, 3), key=noise(3), step=2)
def key_cache(cache, key, step):
    cache[step] = key
    scores = (cache @ key).masked_fill(torch.arange(4) > step, float("-inf"))
    return {"cache": cache, "weights": scores.softmax(0), "step": step + 1}


@example(image=noise(1, 3, 8, 8))
def patches(image):
    return F.conv2d(image, KERNEL, BIAS, stride=4).flatten(2).transpose(1, 2)
