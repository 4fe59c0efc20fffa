"""Factors of matrices, Fourier transforms and counts, as readers call them."""

import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from reader_code._examples import example, noise

M = torch.tensor([[2.0, 1.0, 0.5], [0.3, 3.0, 1.0], [1.0, 0.2, 1.5]])
X = noise(4, 6)
TABLE = noise(6, 2)
PLACES = torch.tensor([[0, 3, 5], [1, 1, 2]])


@example(x=M)
def principal(x):
    centred = x - x.mean(0)
    values, vectors = torch.linalg.eigh(centred.T @ centred + torch.eye(3))
    return {"values": values, "shown": centred @ vectors[:, -2:], "rank": torch.linalg.matrix_rank(x)}


@example(x=M)
def slopes_of_factors(x):
    def of(y):
        values, vectors = torch.linalg.eigh(y @ y.T)
        q, r = torch.linalg.qr(y)
        return (
            (values * vectors[0] ** 2).sum() + r.diagonal().abs().sum() + q[0, 1] + torch.linalg.svdvals(y)[0]
        )

    return torch.func.grad(of)(x)


@example(x=M)
def solved(x):
    fit = torch.linalg.lstsq(x[:, :2], x[:, 2:], driver="gels")
    return {
        "solution": torch.linalg.solve(x, x[:, :2]),
        "fit": fit.solution,
        "left": fit.residuals,
        "pinv": torch.linalg.pinv(x[:2]),
        "rates": torch.matrix_exp(x - 3 * torch.eye(3)),
        "pairs": torch.pdist(x),
    }


@example(x=X)
def spectrum(x):
    f = torch.fft.rfft(x)
    return {
        "power": f.abs() ** 2,
        "phase": f.angle(),
        "back": torch.fft.irfft(f, n=6),
        "short": torch.fft.rfft(x, n=3).real,
    }


@example(x=X)
def mixing(x):
    return torch.fft.fft(torch.fft.fft(x, dim=-1), dim=-2).real


@example(x=X)
def slopes_of_a_spectrum(x):
    return torch.func.grad(lambda y: (torch.fft.fft2(y, norm="ortho").abs() ** 2 * torch.arange(6)).sum())(x)


@example(x=M)
def complex_matrices(x):
    turns = torch.polar(torch.ones(3, 3), x)
    both = torch.complex(x, x * 2)
    n = torch.arange(3)
    waves = torch.exp(-2j * torch.pi * n[:, None] * n / 3) @ x.to(torch.complex64)
    return {
        "product": torch.view_as_real(both @ turns),
        "einsum": torch.einsum("ij,kj->ik", both, turns.conj()).imag,
        "vector": (both @ turns[0]).abs(),
        "waves": waves.abs(),
        "power": ((both - 1j) ** 3).real + torch.cat([both, turns])[1:4].imag,
    }


@example(n=PLACES, w=torch.tensor([[0.5, 1.0, 2.0], [1.0, 0.0, -1.0]]))
def bags(n, w):
    return {
        "mean": F.embedding_bag(n, TABLE, mode="mean", padding_idx=1),
        "max": F.embedding_bag(n, TABLE, mode="max"),
        "weighted": F.embedding_bag(n, TABLE, mode="sum", per_sample_weights=w),
        "offsets": F.embedding_bag(n.flatten(), TABLE, torch.tensor([0, 4, 4]), mode="sum"),
    }


@example(w=TABLE)
def slopes_of_bags(w):
    def loss(rows, mode):
        return (F.embedding_bag(PLACES, rows, mode=mode, padding_idx=5) ** 2).sum()

    return {mode: torch.func.grad(loss)(w, mode) for mode in ("sum", "mean", "max")}


@example(x=X)
def leaky_without_training(x):
    return nn.RReLU().eval()(x) + F.rrelu(x, 0.1, 0.5)
