"""Odd things: masks that broadcast, dtypes that mix, whole numbers that wrap, views that are written."""

import torch
import torch.nn.functional as F  # noqa: N812

from reader_code._examples import example, noise

X = noise(4, 6)
ROWS = torch.tensor([True, False, True, True])


@example(x=X, m=ROWS)
def masks_that_broadcast(x, m):
    w = (x @ x.T).masked_fill(~m, float("-inf")).softmax(-1).nan_to_num()
    return {
        "w": w,
        "rows": torch.where(m[:, None], w, 0),
        "count": m.sum() + m.cumsum(0),
        "and": m & ~m.flip(0),
        "inverse": 1 - m.int(),
        "chosen": x[m].sum() + x[m].amax(),
    }


@example(x=X, m=ROWS)
def masked_writing(x, m):
    y = x.clone()
    y[m] = x.mean(0)
    y[~m, 2] = 9
    y[m, 1:3] += torch.tensor([1.0, 2.0])
    y[y > 1] *= 2
    y[:, x[0] > 0] -= 5
    y[x < -1] = torch.nan
    return y


@example(x=X, n=3)
def mixed_dtypes(x, n):
    return {
        "half": x.half() + n,
        "product": x.half() @ x.half().T,
        "true division": n / 2,
        "floor": n // 2 + n % -3,
        "bool": (x > 0) * 1.5,
        "where": torch.where(x > 0, n, 0.5),
        "int8": torch.tensor(1, dtype=torch.int8) + n,
        "wraps": (x * 100).to(torch.int8),
        "double": x.double() + x,
        "brain": x.bfloat16().sum(),
        "softmax": x.half().softmax(-1),
        "shift": (n << 2) | 1,
    }


@example(n=-7)
def whole_numbers(n):
    return {
        "floor": torch.stack([n // 2, n % 2, torch.remainder(n, -3), torch.fmod(n, 3)]),
        "cut": torch.div(n, 2, rounding_mode="trunc"),
        "bits": (n >> 1) + ~n + torch.bitwise_and(n, 5),
        "by zero": n.float() / 0,
        "narrow": (n * 50).to(torch.int8),
        "unsigned": (n * 50).to(torch.uint8),
        "power": torch.tensor(2) ** n.abs(),
        "gcd": torch.gcd(n, torch.tensor(21)),
    }


@example(n=123456789)
def xorshift(n):
    out = []
    for _ in range(4):
        n = n ^ (n << 13)
        n = n ^ (n >> 7)
        n = n ^ (n << 17)
        out.append(n)
    return torch.stack(out)


@example(x=X)
def steps_backwards(x):
    return {
        "flip": x.flip(0)[::2],
        "chosen": x[torch.arange(3, -1, -1)],
        "cut": x[:, 1:-1:2].T[1:],
        "deep": x[-3:-1, ..., None],
        "turned": x.rot90().roll((1, -2), (0, 1)),
    }


@example(x=X)
def views_that_are_written(x):
    y = x.clone()
    z = y.view(2, 2, 6)
    w = z.transpose(0, 1)
    w[0, 1] = -1.0
    y[:, [0, 5]] = y[:, [5, 0]]
    y.diagonal().zero_()
    left, right = y.chunk(2, -1)
    left.copy_(right * 2)
    y.T[2].mul_(2)
    y[::2] -= y[1::2].sum()
    return {"y": y, "z": z * 1, "w": w * 1}


@example(x=X)
def losses(x):
    labels = torch.tensor([1, 0, 5, -100])
    return {
        "cross": F.cross_entropy(x, labels, label_smoothing=0.1, reduction="none"),
        "kl": F.kl_div(x.log_softmax(-1), x.flip(0).softmax(-1), reduction="batchmean"),
        "binary": F.binary_cross_entropy_with_logits(x, (x > 0).float()),
        "cosine": F.cosine_similarity(x, x.flip(0)),
        "margin": F.multi_margin_loss(x, labels.clamp(0)),
    }


@example(x=X)
def default_dtype_for_a_while(x):
    torch.set_default_dtype(torch.float64)
    try:
        return x.sum() * torch.tensor(0.1) + torch.arange(3) / 2
    finally:
        torch.set_default_dtype(torch.float32)


class Named(torch.Tensor):
    """A tensor with a name of its own, as libraries for pictures have them."""


@example(x=X)
def subclass(x):
    return x.as_subclass(Named) * 2
