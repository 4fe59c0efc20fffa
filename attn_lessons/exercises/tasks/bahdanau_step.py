"""Exercise of lesson 5b: one step of Bahdanau's attention."""

import math
from collections.abc import Iterator

import torch
import torch.nn.functional as nn
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers, softmax_rows

step = Exercise(
    "bahdanau-step",
    "05b_trained_translator",
    """Write f(state, states, W_s, W_h, v, valid_lens): decoder state (batch, decoder), encoder states
    (batch, keys, encoder), W_s (hidden, decoder), W_h (hidden, encoder), v (hidden,), real lengths (batch,).
    Return the context (batch, encoder) and the weights (batch, keys).""",
    (
        """The score of source position j is `v . tanh(W_s s + W_h h_j)`. Which axis must the decoder state
        get?""",
        "`(state @ W_s.T)[:, None]` is (batch, 1, hidden); `states @ W_h.T` is (batch, keys, hidden).",
        """Mask padding before the softmax over the keys. The context is the weighted sum of the encoder
        states.""",
    ),
    "context (batch, encoder); weights (batch, keys)",
)


@step.solution
def look_at_the_source(state, states, W_s, W_h, v, valid_lens):
    """Score every source position, mask padding, average the encoder states."""
    question = (state @ W_s.T)[:, None]  # (batch, 1, hidden)
    scores = torch.tanh(question + states @ W_h.T) @ v  # (batch, keys)
    padding = torch.arange(states.shape[1]) >= valid_lens[:, None]
    scores = scores.masked_fill(padding, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("bk,bke->be", weights, states), weights


def _scores(state: Tensor, states: Tensor, W_s: Tensor, W_h: Tensor, v: Tensor) -> Tensor:
    """Score one position and one hidden unit at a time."""
    rows = []
    for s, source in zip(state.double(), states.double(), strict=True):
        units = [
            [math.tanh(a @ s + b @ h) for a, b in zip(W_s.double(), W_h.double(), strict=True)]
            for h in source
        ]
        rows.append([sum(x * w for x, w in zip(unit, v.tolist(), strict=True)) for unit in units])
    return torch.tensor(rows)


@step.check
def _one_step(answer: Answer) -> None:
    """Context and weights are right, padding gets nothing."""
    state, states = numbers(2, 3), numbers(2, 5, 7, seed=1)
    W_s, W_h, v = numbers(11, 3, seed=2) / 2, numbers(11, 7, seed=3) / 4, numbers(11, seed=4) / 2
    lens = torch.tensor([5, 2])
    real = torch.tensor([[j < n for j in range(5)] for n in (5, 2)])
    scores = _scores(state, states, W_s, W_h, v)

    def both(weights: Tensor) -> tuple[Tensor, Tensor]:
        return (weights[:, :, None] * states).sum(dim=1), weights

    right = both(softmax_rows(scores, real))
    linear = (state @ W_s.T @ v)[:, None] + states @ W_h.T @ v
    asked_by_zero = _scores(state * 0, states, W_s, W_h, v)
    suspects = [
        Suspect(
            "padding gets weight: valid_lens is not used",
            "The second source has 2 real positions. Mask the others before the softmax.",
            both(softmax_rows(scores)),
        ),
        Suspect(
            "the mask is applied after the softmax",
            "The weights of the second source no longer sum to 1.",
            both(softmax_rows(scores) * real),
        ),
        Suspect(
            "the tanh is missing",
            """Then the decoder state adds the same number to all scores of a source, and the softmax takes
            it away.""",
            both(softmax_rows(linear, real)),
        ),
        Suspect(
            "the decoder state has no part in the scores that the softmax keeps",
            "Is it added before the tanh? In tanh(a) + tanh(b) it cancels: the softmax sees differences.",
            both(softmax_rows(asked_by_zero, real)),
        ),
        Suspect(
            "the softmax runs over the batch",
            "The weights of one source should sum to 1 over its positions.",
            both(softmax_rows(scores.T.contiguous(), real.T).T),
        ),
        Suspect(
            "the encoder states are averaged evenly",
            "The context should be the weighted sum.",
            ((states * real[:, :, None]).sum(1) / lens[:, None], right[1]),
        ),
        Suspect(
            "the context is the mean over keys of the weighted states, not their sum",
            "The weights sum to 1 already: what does a further division by the number of keys do?",
            (right[0] / 5, right[1]),
        ),
        Suspect("weights and context are returned in the wrong order", "The context first.", right[::-1]),
        Suspect(
            "the scores are returned, not the weights",
            "Return what multiplies the encoder states.",
            (right[0], scores.masked_fill(~real, float("-inf"))),
        ),
        Suspect(
            "only the best position is fetched",
            "An argmax has no gradient: nothing could be learned.",
            both(torch.nn.functional.one_hot(right[1].argmax(-1), 5).float()),
        ),
    ]
    given = (state, states, W_s, W_h, v, lens)
    answer.gives(*given, wanted=right, suspects=suspects)


@step.also
def _more() -> Iterator[tuple]:
    """other sizes and lengths."""
    yield (
        numbers(3, 4),
        numbers(3, 4, 2, seed=1),
        numbers(5, 4, seed=2) / 2,
        numbers(5, 2, seed=3) / 2,
        numbers(5, seed=4),
        torch.tensor([1, 4, 3]),
    )


def _bent(state, states, W_s, W_h, v, lens, bend=torch.tanh):
    return _ended(bend((state @ W_s.T)[:, None] + states @ W_h.T) @ v, states, lens)


def _ended(scores: Tensor, states: Tensor, lens: Tensor) -> tuple[Tensor, Tensor]:
    weights = scores.masked_fill(torch.arange(states.shape[1]) >= lens[:, None], -torch.inf).softmax(-1)
    return _pooled(weights, states)


for name, bend in (("a ReLU", torch.relu), ("a sigmoid", torch.sigmoid)):
    step.slip(
        f"{name} stands in the place of tanh",
        "A fine idea, but another score.",
        lambda *args, bend=bend: _bent(*args, bend=bend),
    )
step.slip(
    "the context averages all positions alike, padding too",
    "The context is the sum of the states, each times its weight.",
    lambda s, h, W_s, W_h, v, n: (h.mean(1), look_at_the_source(s, h, W_s, W_h, v, n)[1]),
)
step.slip(
    "the context is the sum of all states, without weights",
    "The context is the sum of the states, each times its weight.",
    lambda s, h, W_s, W_h, v, n: (h.sum(1), look_at_the_source(s, h, W_s, W_h, v, n)[1]),
)
step.slip(
    "the hidden units are added up without v",
    "v weighs them.",
    lambda s, h, W_s, W_h, v, n: look_at_the_source(s, h, W_s, W_h, torch.ones_like(v), n),
)
step.slip(
    "state and source are multiplied, not added",
    "The additive score adds the two projections.",
    lambda s, h, W_s, W_h, v, n: _ended(torch.tanh((s @ W_s.T)[:, None] * (h @ W_h.T)) @ v, h, n),
)
step.slip(
    "a tanh is taken after v too",
    "Once, inside.",
    lambda s, h, W_s, W_h, v, n: _ended(torch.tanh(torch.tanh((s @ W_s.T)[:, None] + h @ W_h.T) @ v), h, n),
)
step.slip(
    "the tanh comes after v",
    "It belongs inside, on the hidden units.",
    lambda s, h, W_s, W_h, v, n: _ended(torch.tanh(((s @ W_s.T)[:, None] + h @ W_h.T) @ v), h, n),
)
step.slip(
    "the context is the heaviest state alone",
    "The context is the sum of the states, each times its weight.",
    lambda *args: _read(*args, lambda w: nn.one_hot(w.argmax(-1), w.shape[1]).to(w.dtype)),
)
step.slip(
    "the states are multiplied by their weights twice",
    "Once: a product with the states, or a sum over weights * states.",
    lambda *args: _read(*args, torch.square),
)
step.slip(
    "a sigmoid stands in the place of the softmax",
    "The weights of a source should share out 1.",
    lambda s, h, W_s, W_h, v, n: _pooled(
        torch.sigmoid(_logits(s, h, W_s, W_h, v)) * (torch.arange(h.shape[1]) < n[:, None]), h
    ),
)
step.slip(
    "the real positions are hidden, the padding is seen",
    "positions < valid_lens are real.",
    lambda s, h, W_s, W_h, v, n: _pooled(
        _logits(s, h, W_s, W_h, v).masked_fill(torch.arange(h.shape[1]) < n[:, None], -1e9).softmax(-1), h
    ),
)
step.slip(
    "masked scores are set to 0",
    "exp(0) = 1 is weight. Which score has none?",
    lambda s, h, W_s, W_h, v, n: _pooled(
        (_logits(s, h, W_s, W_h, v) * (torch.arange(h.shape[1]) < n[:, None])).softmax(-1), h
    ),
)
step.slip(
    "the projected states are averaged, not the encoder states",
    "W_h serves the scores alone: what is fetched are the states themselves.",
    lambda s, h, W_s, W_h, v, n: _pooled(look_at_the_source(s, h, W_s, W_h, v, n)[1], h @ W_h.T),
)


def _logits(state, states, W_s, W_h, v):
    return torch.tanh((state @ W_s.T)[:, None] + states @ W_h.T) @ v  # (batch, keys)


def _pooled(weights: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
    return (weights[:, None] @ states)[:, 0], weights


def _read(state, states, W_s, W_h, v, lens, chosen):
    weights = look_at_the_source(state, states, W_s, W_h, v, lens)[1]
    return _pooled(chosen(weights), states)[0], weights
