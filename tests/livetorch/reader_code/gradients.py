"""Functions that take gradients: one training step, or many."""

import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from reader_code._examples import example, noise
from reader_code.modules import settled

X = noise(2, 5, 8)
W = noise(8, 8, seed=1)
LINEAR = settled(nn.Linear(8, 3))


@example(x=X, y=torch.tensor([[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]]), w1=noise(8, 16), w2=noise(16, 6))
def learn_two_layers(x, y, w1, w2):
    def loss(w1, w2):
        return F.cross_entropy((F.gelu(x @ w1) @ w2).flatten(0, 1), y.flatten())

    (g1, g2), value = torch.func.grad_and_value(loss, argnums=(0, 1))(w1, w2)
    return {"w1": w1 - 0.1 * g1, "w2": w2 - 0.1 * g2, "loss": value}


@example(x=X)
def autograd_grad(x):
    x.requires_grad_()
    return torch.autograd.grad((torch.tanh(x @ W) ** 2).sum(), x)[0]


@example(x=X)
def backward(x):
    LINEAR.zero_grad()
    LINEAR(x).pow(2).sum().backward()
    return {"weight": LINEAR.weight.grad, "bias": LINEAR.bias.grad}


@example(w=noise(3, 3))
def torch_optimisers(w):
    out = {}
    for name, kind in (("sgd", torch.optim.SGD), ("adam", torch.optim.Adam), ("rms", torch.optim.RMSprop)):
        weight = w.clone().requires_grad_()
        optimiser = kind([weight], lr=0.1, foreach=name == "adam")
        for _ in range(3):
            optimiser.zero_grad()
            (weight**4).sum().backward()
            nn.utils.clip_grad_norm_([weight], 1.0)
            optimiser.step()
        out[name] = weight
    return out


@example(x=noise(3))
def gradient_of_a_gradient(x):
    x.requires_grad_()
    (first,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    hessian = torch.autograd.functional.hessian(lambda z: (z**3).sum(), x)
    return {"second": torch.autograd.grad(first.sum(), x)[0], "hessian": hessian}


@example(x=noise(3))
def jacobians(x):
    def f(z):
        return torch.softmax(z * 2, -1)

    return {
        "backwards": torch.func.jacrev(f)(x),
        "forwards": torch.func.jacfwd(f)(x),
        "second": torch.func.hessian(lambda z: f(z).pow(2).sum())(x),
        "direction": torch.func.jvp(f, (x,), (torch.ones(3),))[1],
    }


@example(x=X)
def one_gradient_per_example(x):
    return torch.vmap(torch.func.grad(lambda w, a: (a @ w).tanh().sum()), in_dims=(None, 0))(W, x)


@example(x=X)
def mapped(x):
    return torch.vmap(lambda a: torch.vmap(lambda q: (q * a).sum(-1).softmax(-1))(a))(x)


@example(x=noise(2, 3))
def gradient_through_writes(x):
    def loss(z):
        y = z.clone()
        y[0] = y[0] * 2
        y[:, 1] += z[:, 0]
        return (y**2).sum()

    leaf = x.clone().requires_grad_()
    loss(leaf).backward()
    return {"functional": torch.func.grad(loss)(x), "autograd": leaf.grad}


FUNCTIONS = {
    "sort": lambda z: (z.sort(-1).values * torch.arange(5)).sum(),
    "topk": lambda z: z.topk(2).values.sum(),
    "cumsum": lambda z: z.cumsum(0).pow(2).sum(),
    "gather": lambda z: z.gather(1, torch.tensor([[0], [1], [2], [0]])).pow(2).sum(),
    "index": lambda z: z[[0, 0, 1]].pow(2).sum(),
    "amax": lambda z: z.amax(-1).sum(),
    "max": lambda z: z.max(1).values.sum(),
    "norm": lambda z: z.norm(dim=-1).sum(),
    "prod": lambda z: z.prod(1).sum(),
    "var": lambda z: z.var(1).sum(),
    "logsumexp": lambda z: z.logsumexp(0).sum(),
    "pow": lambda z: (z**z).sum(),
    "where": lambda z: torch.where(z > 0.5, z, z * z).sum(),
    "clamp": lambda z: z.clamp(0.2, 0.8).sum(),
    "slice": lambda z: (z[1:, ::2] ** 2).sum(),
    "windows": lambda z: z.unfold(1, 2, 1).pow(2).sum(),
    "tril": lambda z: z.tril().pow(2).sum(),
    "pad": lambda z: F.pad(z, (1, 1)).pow(2).sum(),
    "roll": lambda z: (z.roll(1, 0) * z).sum(),
    "diagonal": lambda z: z.diagonal().pow(2).sum(),
    "repeat": lambda z: z.repeat(2, 2).pow(2).sum(),
    "cdist": lambda z: torch.cdist(z, z.flip(0) + 1).sum(),
    "minimum": lambda z: torch.minimum(z, z.flip(0)).pow(2).sum(),
    "layer_norm": lambda z: F.layer_norm(z, (5,)).pow(3).sum(),
    "masked": lambda z: z.masked_fill(z > 0.5, 0.0).pow(2).sum(),
}


@example(x=noise(4, 5).abs() + 0.1)
def gradients_of_many(x):
    return {name: torch.func.grad(f)(x) for name, f in FUNCTIONS.items()}
