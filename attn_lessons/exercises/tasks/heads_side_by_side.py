"""Exercise of lesson 8a: several heads for one sentence, put side by side and mixed."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers, softmax_rows

beside = Exercise(
    "heads-side-by-side",
    "08a_two_heads",
    """Write f(queries, notes, W_q, W_k, W_v, W_o): queries (queries, d_model), notes (keys, d_model), one
    matrix for each head in W_q, W_k and W_v (heads, d_model, dim), and W_o (heads * dim, d_model). Return the
    output (queries, d_model).""",
    (
        "Head h is the attention that you know, with `W_q[h]`, `W_k[h]` and `W_v[h]`. Loop over the heads.",
        "Each head divides by the root of its own dim.",
        "`torch.cat(heads, dim=-1)` puts them side by side, for `W_o` to mix.",
    ),
    "output (queries, d_model)",
)


def _heads(queries, notes, W_q, W_k, W_v, scale=None):
    """Give what each head returns."""
    found = []
    for q_of, k_of, v_of in zip(W_q, W_k, W_v, strict=True):
        q, k, v = queries @ q_of, notes @ k_of, notes @ v_of
        scores = q @ k.T / (scale or q.shape[-1]) ** 0.5  # (queries, keys)
        found.append(torch.softmax(scores, dim=-1) @ v)
    return found


@beside.solution
def side_by_side_and_mixed(queries, notes, W_q, W_k, W_v, W_o):
    """Attend in each head, put the heads side by side, mix."""
    heads = []
    for h in range(len(W_q)):
        q, k, v = queries @ W_q[h], notes @ W_k[h], notes @ W_v[h]
        scores = q @ k.T / q.shape[-1] ** 0.5  # (queries, keys)
        heads.append(torch.softmax(scores, dim=-1) @ v)
    return torch.cat(heads, dim=-1) @ W_o


def _inputs(heads: int, dim: int, queries: int, keys: int, d_model: int, seed: int = 0) -> tuple[Tensor, ...]:
    matrices = (numbers(heads, d_model, dim, seed=seed + i) for i in (2, 3, 4))
    return (
        numbers(queries, d_model, seed=seed),
        numbers(keys, d_model, seed=seed + 1),
        *matrices,
        numbers(heads * dim, d_model, seed=seed + 5),
    )


@beside.check
def _two_heads(answer: Answer) -> None:
    """two heads of three numbers, head by head."""
    queries, notes, W_q, W_k, W_v, W_o = given = _inputs(2, 3, 2, 4, 6)
    output = torch.zeros(2, 6)
    for h in range(2):
        scores = torch.einsum("id,de,jf,fe->ij", queries, W_q[h], notes, W_k[h]) / 3**0.5
        output = output + softmax_rows(scores) @ notes @ W_v[h] @ W_o[3 * h : 3 * h + 3]
    answer.gives(*given, wanted=output)


@beside.also
def _more() -> Iterator[tuple]:
    """other numbers of heads and sizes."""
    yield _inputs(1, 4, 3, 2, 4, seed=10)
    yield _inputs(3, 2, 1, 5, 6, seed=20)
    yield _inputs(4, 5, 2, 3, 7, seed=30)


@beside.mistake("the scores are not divided")
def _unscaled(queries, notes, W_q, W_k, W_v, W_o):
    """Each head divides by the root of its own dim."""
    return torch.cat(_heads(queries, notes, W_q, W_k, W_v, scale=1), dim=-1) @ W_o


@beside.mistake("the scores are divided by the root of d_model")
def _root_of_d_model(queries, notes, W_q, W_k, W_v, W_o):
    """A dot product in one head adds dim numbers."""
    return torch.cat(_heads(queries, notes, W_q, W_k, W_v, scale=queries.shape[-1]), dim=-1) @ W_o


@beside.mistake("the scores are divided by dim, not by its root")
def _by_dim(queries, notes, W_q, W_k, W_v, W_o):
    """The spread of a dot product grows with the root."""
    scale = W_q.shape[-1] ** 2
    return torch.cat(_heads(queries, notes, W_q, W_k, W_v, scale=scale), dim=-1) @ W_o


@beside.mistake("all heads use the first head's matrices")
def _same_head(queries, notes, W_q, W_k, W_v, W_o):
    """Head h has matrices of its own."""
    first = _heads(queries, notes, W_q[:1], W_k[:1], W_v[:1])[0]
    return torch.cat([first] * len(W_q), dim=-1) @ W_o


@beside.mistake("the heads stand side by side in the wrong order")
def _last_first(queries, notes, W_q, W_k, W_v, W_o):
    """Head 1 comes first, so that the first rows of W_o meet it."""
    return torch.cat(_heads(queries, notes, W_q, W_k, W_v)[::-1], dim=-1) @ W_o


@beside.mistake("the heads are not mixed")
def _not_mixed(queries, notes, W_q, W_k, W_v, W_o):
    """Multiply what stands side by side by W_o."""
    return torch.cat(_heads(queries, notes, W_q, W_k, W_v), dim=-1)


@beside.mistake("the softmax runs along the queries")
def _columns(queries, notes, W_q, W_k, W_v, W_o):
    """Each row of weights adds up to 1: dim=-1."""
    heads = []
    for q_of, k_of, v_of in zip(W_q, W_k, W_v, strict=True):
        scores = queries @ q_of @ (notes @ k_of).T / q_of.shape[-1] ** 0.5
        heads.append(torch.softmax(scores, dim=0) @ notes @ v_of)
    return torch.cat(heads, dim=-1) @ W_o


@beside.mistake("queries and keys have changed matrices")
def _swapped(queries, notes, W_q, W_k, W_v, W_o):
    """W_q is for the queries, W_k for the notes."""
    return torch.cat(_heads(queries, notes, W_k, W_q, W_v), dim=-1) @ W_o


@beside.mistake("the heads are cut into rows without being put side by side")
def _reshaped(queries, notes, W_q, W_k, W_v, W_o):
    """From (heads, queries, dim) the axes of heads and queries must change places before a reshape."""
    heads = torch.stack(_heads(queries, notes, W_q, W_k, W_v))  # (heads, queries, dim)
    return heads.reshape(len(queries), -1) @ W_o
