"""Operators one after the other: numbers, comparisons, shapes, sums, dtypes."""

import torch
import torch.nn.functional as F  # noqa: N812

from reader_code._examples import example, noise

GIVEN = noise(2, 2)
ONE_BY_ONE = (
    "exp log log1p expm1 log2 log10 sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh asinh atanh erf "
    "erfc sigmoid abs sign neg reciprocal floor ceil round trunc frac square exp2 sinc isnan relu deg2rad"
)


@example(x=noise(3, 4).sigmoid() * 0.8 + 0.1)
def elementwise(x):
    out = {name: getattr(torch, name)(x) for name in ONE_BY_ONE.split()}
    y = x.flip(0)
    return out | {
        "pow": x**2.5,
        "rpow": 2**x,
        "powers": x**x,
        "atan2": torch.atan2(x, y),
        "mod": x % 0.3,
        "floor_divide": x // 0.3,
        "lerp": torch.lerp(x, y, 0.3),
        "addcmul": torch.addcmul(x, x, y, value=2),
        "logaddexp": torch.logaddexp(x, y),
        "nan_to_num": torch.nan_to_num((x - 0.5) / 0),
    }


@example(x=noise(3, 4), y=noise(3, 4, seed=1))
def comparisons(x, y):
    return {
        "greater": x > y,
        "equal": x == y,
        "both": (x < y) & (x < 0) | ~(y <= 0),
        "either": torch.logical_xor(x > 0, y > 0),
        "larger": torch.maximum(x, y),
        "clamped": x.clamp(-0.5, 0.5),
        "above": torch.clamp(x, min=y),
        "chosen": torch.where(x > 0, x, 0),
        "close": torch.isclose(x, y),
    }


@example(x=noise(3, 4, 2))
def reductions(x):
    return {
        "sum": x.sum(),
        "mean": x.mean((0, 2)),
        "var": x.var(1),
        "std": x.std(),
        "amax": x.amax(-1),
        "amin": x.amin((0, 1), keepdim=True),
        "all": (x > 0).all(1),
        "any": (x > 0).any(),
        "prod": x.prod(1),
        "logsumexp": x.logsumexp(-1),
        "count": torch.count_nonzero(x, 1),
        "argmax": x.argmax(),
        "quantile": torch.quantile(x, 0.5, dim=1),
        "cov": torch.cov(x[..., 0]),
    }


@example(x=noise(3, 4, 2))
def shapes(x):
    return {
        "permute": x.permute(2, 0, 1),
        "flip": x.flip(0, 1),
        "roll": x.roll((1, 2), (0, 1)),
        "pad": F.pad(x, (1, 0, 2, 1), value=-1.0),
        "reflect": F.pad(x, (1, 1), mode="reflect"),
        "circular": F.pad(x, (1, 1), mode="circular"),
        "repeat": x.repeat(2, 1, 1),
        "repeated": x.repeat_interleave(2, 1),
        "expand": x[:, None].expand(3, 5, 4, 2),
        "chunks": torch.cat(x.chunk(2, 1)[::-1], 1),
        "split": x.split([1, 3], 1)[1],
        "unbind": x.unbind(2)[1],
        "diagonal": x[:, :3].diagonal(),
        "diag_embed": torch.diag_embed(x),
        "tril": x[..., 0].tril(),
        "rot90": torch.rot90(x),
        "grid": torch.meshgrid(x[:, 0, 0], x[0, :, 0], indexing="ij")[1],
        "sorted": torch.take_along_dim(x, x.argsort(1), 1),
        "windows": x.unfold(1, 3, 1),
        "columns": F.unfold(x[None], (2, 1)),
    }


@example(x=noise(5, 4))
def orders(x):
    return {
        "sorted": x.sort(-1).values,
        "places": x.argsort(0, descending=True),
        "largest": x.max(1).indices,
        "median": x.median(1).values,
        "sums": x.cumsum(0),
        "products": x.cumprod(1),
        "so_far": x.cummax(0).values,
        "bucket": torch.bucketize(x, torch.tensor([-1.0, 0.0, 1.0])),
    }


@example(x=noise(4, 3), y=noise(3, 5), v=noise(3))
def products(x, y, v):
    return {
        "matrix": x @ y,
        "vector": x @ v,
        "dot": v @ v,
        "outer": torch.outer(v, v),
        "added": torch.addmm(torch.ones(5), x, y, alpha=2, beta=0.5),
        "batched": torch.baddbmm(torch.ones(1, 4, 5), x[None], y[None]),
        "bilinear": F.bilinear(v, v, torch.ones(2, 3, 3)),
        "kron": torch.kron(x, y),
        "distances": torch.cdist(x, y.T),
        "cosine": F.cosine_similarity(x[:, None], y.T[None], dim=-1),
    }


@example(q=noise(2, 5, 2, 4), k=noise(2, 5, 2, 4, seed=1))
def einsums(q, k):
    weights = torch.einsum("bqhd,bkhd->bhqk", q, k).softmax(-1)
    return {"output": torch.einsum("bhqk,bkhd->bqhd", weights, k), "total": torch.einsum("bqhd->", q)}


@example(n=5, x=noise(6), flag=True)
def whole_numbers_and_truth(n, x, flag):
    return {
        "mask": torch.arange(6) < n,
        "chosen": torch.where(flag, x, -x),
        "half": (n + 1) // 2,
        "rest": n % 3,
        "quotient": n / 2,
        "both": (n > 3) & flag,
        "float": n.float(),
        "double": 2.0 * n,
        "counted": F.one_hot(n, 6),
    }


@example(x=noise(4))
def other_dtypes(x):
    return {
        "half": x.half() * 2.5,
        "bfloat16": x.bfloat16().exp(),
        "double": x.double() / 3,
        "long": x.long(),
        "bool": x.bool(),
        "mixed": x.double() * torch.arange(4) + x,
    }


@example(x=noise(3, 4))
def empty_tensors(x):
    return {"rows": x[:0], "sum": x[:0].sum(), "joined": torch.cat([x[:0], x]), "none": torch.zeros(0)}


@example(x=noise(3, 4))
def nothing_to_do(x):
    return {"same": x, "constant": GIVEN, "turned": x.t(), "number": torch.tensor(3)}


@example(x=noise(5, 2, 2), t=0.3)
def complex_numbers(x, t):
    z = torch.view_as_complex(x)
    turned = z * torch.exp(1j * t * torch.arange(5))[:, None]
    filtered = 1 / (1 - 0.5 * turned)
    return {
        "turned": torch.view_as_real(turned),
        "size": turned.abs(),
        "real": (z * z.conj()).real,
        "both": torch.view_as_real(torch.stack([filtered, z], -1)),
        "same": turned == z,
        "other": turned != z.roll(1),
    }
