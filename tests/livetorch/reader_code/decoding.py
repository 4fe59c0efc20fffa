"""Algorithms in steps: decoders, recurrences, clustering, other ways to make scores into weights."""

import torch
import torch.nn.functional as F  # noqa: N812

from reader_code._examples import example, noise

X = noise(4, 6)


@example(x=X)
def beam(x):
    scores, found = torch.zeros(1), torch.zeros(1, 0, dtype=torch.long)
    for t in range(3):
        scores, which = (scores[:, None] + x[t].log_softmax(-1)).flatten().topk(2)
        found = torch.cat([found[which // 6], (which % 6)[:, None]], 1)
    return {"scores": scores, "found": found}


@example(x=X)
def clusters(x):
    centres = x[:2]
    for _ in range(3):
        nearest = torch.cdist(x, centres).argmin(1)
        member = F.one_hot(nearest, 2).float()
        centres = member.T @ x / member.sum(0)[:, None].clamp(min=1)
    return {"centres": centres, "nearest": nearest}


@example(x=X)
def bucketed_distance(x):
    apart = torch.arange(4) - torch.arange(4)[:, None]
    far = torch.clamp(-apart, min=0)
    log = 2 + (torch.log(far.float() / 2) / 1.3862944 * 2).to(torch.int64)
    bucket = torch.where(far < 2, far, torch.minimum(log, torch.full_like(log, 3)))
    return x.sum() * F.one_hot(bucket, 4) @ torch.arange(4.0)
