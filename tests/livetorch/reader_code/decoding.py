"""Algorithms in steps: decoders, recurrences, clustering, other ways to make scores into weights."""

import itertools

import torch
import torch.nn.functional as F  # noqa: N812

from reader_code._examples import example, noise

X = noise(4, 6)
Q, K, V = noise(2, 4, 6), noise(2, 5, 6, seed=1), noise(2, 5, 3, seed=2)
IDS = torch.tensor([1, 0, 2, 2, 1])
LOT = torch.rand(4, 6, generator=torch.Generator().manual_seed(3)) * 0.9 + 0.05


@example(q=Q, k=K, v=V)
def online_softmax(q, k, v):
    largest, total = torch.full(q.shape[:-1], -torch.inf), torch.zeros(q.shape[:-1])
    out = torch.zeros(*q.shape[:-1], v.shape[-1])
    for start in range(0, 5, 2):
        scores = q @ k[:, start : start + 2].mT
        new = torch.maximum(largest, scores.amax(-1))
        part, shrink = torch.exp(scores - new[..., None]), torch.exp(largest - new)
        total = total * shrink + part.sum(-1)
        out = out * shrink[..., None] + part @ v[:, start : start + 2]
        largest = new
    return out / total[..., None]


@example(q=Q, k=K, v=V)
def linear_attention(q, k, v):
    a, b = F.elu(q) + 1, F.elu(k) + 1
    share = 1 / (torch.einsum("bnd,bd->bn", a, b.sum(1)) + 1e-6)
    return torch.einsum("bnd,bde,bn->bne", a, torch.einsum("bnd,bne->bde", b, v), share)


@example(q=Q, k=K, v=V)
def delta_rule(q, k, v):
    state, out = torch.zeros(2, 6, 3), []
    for t in range(4):
        key = F.normalize(k[:, t], dim=-1)
        old = torch.einsum("bde,bd->be", state, key)
        state = state + key[..., None] * (v[:, t] - old)[:, None]
        out.append((q[:, t, None] @ state)[:, 0])
    return torch.stack(out, 1)


@example(x=X)
def top_p(x):
    p, order = x.softmax(-1).sort(-1, descending=True)
    p = p.masked_fill(p.cumsum(-1) - p > 0.6, 0)
    return torch.zeros_like(x).scatter(-1, order, p / p.sum(-1, keepdim=True))


@example(x=X)
def gumbel_choice(x):
    return F.one_hot((x - torch.log(-torch.log(LOT))).argmax(-1), 6)


@example(p=torch.tensor([0.1, 0.2, 0.3, 0.4]), u=torch.tensor([0.05, 0.36, 0.97]))
def inverse_cumulative(p, u):
    steps = p.abs().cumsum(0)
    return torch.searchsorted(steps / steps[-1].clone(), u)


@example(x=X)
def beam(x):
    scores, found = torch.zeros(1), torch.zeros(1, 0, dtype=torch.long)
    for t in range(3):
        scores, which = (scores[:, None] + x[t].log_softmax(-1)).flatten().topk(2)
        found = torch.cat([found[which // 6], (which % 6)[:, None]], 1)
    return {"scores": scores, "found": found}


@example(x=X)
def viterbi(x):
    moves, best, back = noise(6, 6), x[0], []
    for t in range(1, 4):
        reach, which = (best[:, None] + moves).max(0)
        best = reach + x[t]
        back.append(which)
    path = [best.argmax()]
    for which in reversed(back):
        path.append(which[path[-1]])
    return torch.stack(path[::-1])


@example(ids=IDS)
def bigrams(ids):
    counts = torch.zeros(3, 3)
    for a, b in itertools.pairwise(ids):
        counts[a, b] += 1
    return counts / counts.sum(1, keepdim=True).clamp(min=1)


@example(ids=IDS)
def induction(ids):
    after, before = F.one_hot(ids, 3)[1:].float(), F.one_hot(ids, 3)[:-1].float()
    return (5 * before @ F.one_hot(ids[-1], 3).float()).softmax(0) @ after


@example(x=X)
def clusters(x):
    centres = x[:2]
    for _ in range(3):
        nearest = torch.cdist(x, centres).argmin(1)
        member = F.one_hot(nearest, 2).float()
        centres = member.T @ x / member.sum(0)[:, None].clamp(min=1)
    return {"centres": centres, "nearest": nearest}


@example(x=X)
def sinkhorn(x):
    p = x.exp()
    for _ in range(10):
        p = p / p.sum(0, keepdim=True)
        p = p / p.sum(1, keepdim=True)
    return p


@example(x=X)
def sparsemax(x):
    z = x.sort(-1, descending=True).values
    k = torch.arange(1, 7)
    total = z.cumsum(-1)
    count = (1 + k * z > total).sum(-1, keepdim=True)
    return (x - (total.gather(-1, count - 1) - 1) / count).clamp(min=0)


@example(x=X)
def entmax_by_halves(x):
    low = x.amax(-1, keepdim=True) - 1
    high = low + 1
    for _ in range(20):
        middle = (low + high) / 2
        more = ((x - middle).clamp(min=0) ** 2).sum(-1, keepdim=True) > 1
        low, high = torch.where(more, middle, low), torch.where(more, high, middle)
    return (x - low).clamp(min=0) ** 2


@example(x=X)
def bucketed_distance(x):
    apart = torch.arange(4) - torch.arange(4)[:, None]
    far = torch.clamp(-apart, min=0)
    log = 2 + (torch.log(far.float() / 2) / 1.3862944 * 2).to(torch.int64)
    bucket = torch.where(far < 2, far, torch.minimum(log, torch.full_like(log, 3)))
    return x.sum() * F.one_hot(bucket, 4) @ torch.arange(4.0)
