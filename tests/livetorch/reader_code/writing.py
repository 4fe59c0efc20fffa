"""Functions that write into tensors, look at the same memory twice, or find places by other tensors."""

import copy

import torch

from reader_code._examples import example, noise

TABLE = noise(4, 4, seed=2)


@example(x=noise(4, 3))
def writes(x):
    y = torch.zeros(4, 3)
    y[0] = x[0]
    y[1:3] += x[1:3]
    y[:, 2].mul_(2)
    y.view(-1)[3] = 7
    y.t()[1] = x[:, 0]
    y.masked_fill_(y > 1, 0.5)
    window = y[::2]
    window.add_(1)
    x += 1
    y[y < 0] = 0.25
    return {"y": y, "x": x, "window": window}


@example(x=noise(6))
def writes_in_a_loop(x):
    out, state = torch.empty(6), torch.tensor(0.0)
    for i in range(6):
        state = 0.5 * state + x[i]
        out[i] = state
    return out


@example(x=noise(3, 4))
def one_memory_many_names(x):
    turned = x.view(4, 3).t()
    part = turned[1:]
    x.mul_(2)
    copy = part.clone()
    x[0, 0] = 9
    square = torch.zeros(3, 4)
    inner = square[1:, 1:]
    inner += x[1:, 1:]
    square.diagonal().fill_(5)
    windows = square.unfold(0, 2, 1)
    square[0] = x[0]
    return {
        "turned": turned,
        "part": part,
        "copy": copy,
        "square": square,
        "inner": inner,
        "windows": windows,
    }


@example(x=noise(3, 4))
def copies(x):
    same_memory, own_memory = copy.copy(x), copy.deepcopy(x)
    x += 1
    return {"shallow": same_memory, "deep": own_memory}


@example(x=noise(3, 4))
def results_into_given_tensors(x):
    doubled, total = torch.empty(3, 4), torch.zeros(4)
    torch.mul(x, 2, out=doubled)
    torch.sum(x, 0, out=total)
    y = x.clone()
    y.unsqueeze_(0).transpose_(1, 2).squeeze_(0)
    y[0] = 1
    return {"doubled": doubled, "total": total, "y": y}


@example(x=noise(4, 3, 2), n=2, k=-1)
def places_given_by_inputs(x, n, k):
    rows, cells = torch.zeros(4, 3, 2), torch.zeros(4, 3, 2)
    rows[n] = x[n]
    cells[:, k, 0] = x[n, :, 0].sum()
    cells[..., n - 1] += 1
    changed = x.clone()
    changed[n, k] = 5.0
    return {
        "row": x[n],
        "column": x[:, n],
        "rows": rows,
        "cells": cells,
        "both": x[n, k],
        "last": x[..., n - 1],
        "changed": changed,
        "new_axis": x[None, n],
    }


@example(x=noise(5, 4), i=torch.tensor([0, 2, 2]), j=torch.tensor([1, 1, 3]))
def places_given_by_tensors(x, i, j):
    y = x.clone()
    y[i] = 1.0
    y[[0, 1], [2, 3]] += 2
    added = torch.zeros(5, 4).index_put((i,), x[:3], accumulate=True)
    kept = x[torch.tensor([True, False, True, True, False])]
    return {
        "rows": x[i],
        "cells": x[i, j],
        "columns": x[:, j],
        "y": y,
        "added": added,
        "kept": kept,
        "grid": x[i[:, None], j],
    }


@example(x=noise(2, 4))
def gather_and_scatter(x):
    places = torch.tensor([[0, 2, 1], [1, 0, 3]])
    taken = x.gather(1, places)
    zeros = torch.zeros(2, 4)
    return {
        "taken": taken,
        "put": zeros.scatter(1, places, taken),
        "added": zeros.scatter_add(1, places, taken),
        "largest": x.scatter_reduce(1, places, taken, "amax"),
        "rows": torch.zeros(5, 4).index_add(0, torch.tensor([0, 3]), x),
    }


@example(x=torch.tensor(0.4), s=torch.tensor(0.7))
def tensors_made_of_inputs(x, s):
    print(x)
    return {
        "list": torch.tensor([[x, 1], [2.0, s]]),
        "full": torch.full((2, 3), x),
        "filled": torch.zeros(2).fill_(x),
        "density": torch.distributions.Normal(x, s).log_prob(torch.tensor(1.0)),
    }


@example(x=noise(4, 4))
def decided_by_constants(x):
    table = TABLE.abs()
    chosen = table > table.mean()
    if table.sum() > 0:
        x = x * 2
    places = torch.nonzero(chosen)[:, 0]
    count, spread = int(chosen.sum()), table.std().item()
    return {"chosen": x[chosen], "rows": x[places], "scaled": x * spread + count, "kept": x[:, chosen.any(0)]}


@example(x=noise(3))
def python_around(x):
    state, steps = x, 0
    while steps < 3:
        state, steps = torch.tanh(state) + x, steps + 1
    for row, factor in zip(torch.eye(3).tolist(), [1, 2, 3], strict=True):
        state = state + factor * torch.tensor(row)
    first, *rest = state
    return first + sum(rest)
