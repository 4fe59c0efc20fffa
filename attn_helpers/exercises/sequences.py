"""Exercise of chapter 05: one step of Bahdanau's attention."""

import math

import torch
from torch import Tensor

from ._answer import Answer
from ._compare import Suspect
from ._exercise import Exercise
from ._inputs import numbers, softmax_rows

__all__ = ["step"]

step = Exercise(
    "bahdanau-step",
    "05_seq2seq_attention",
    "Write f(state, states, W_s, W_h, v, valid_lens): decoder state (batch, decoder), encoder states "
    "(batch, keys, "
    "encoder), W_s (hidden, decoder), W_h (hidden, encoder), v (hidden,), real lengths (batch,). Return the "
    "context (batch, encoder) and the weights (batch, keys).",
    (
        "The score of source position j is `v . tanh(W_s s + W_h h_j)`. Which axis must the decoder state "
        "get?",
        "`(state @ W_s.T)[:, None]` is (batch, 1, hidden); `states @ W_h.T` is (batch, keys, hidden).",
        "Mask padding before the softmax over the keys. The context is the weighted sum of the encoder "
        "states.",
    ),
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
            "Then the decoder state adds the same number to all scores of a source, and the softmax takes "
            "it away.",
            both(softmax_rows(linear, real)),
        ),
        Suspect(
            "the decoder state has no part in the scores",
            "The same map in every step: where does the state come in?",
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
    answer.gives(
        *given, wanted=right, axes="batch encoder; batch keys", suspects=suspects, named="context; weights"
    )


def _finish(scores: Tensor, states: Tensor, valid_lens: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
    padding = torch.arange(states.shape[1]) >= valid_lens.unsqueeze(1)
    weights = scores.masked_fill(padding, -1e9).softmax(dim)
    return (weights.unsqueeze(1) @ states).squeeze(1), weights


@step.wrong("padding gets weight: valid_lens is not used")
def _no_mask(state, states, W_s, W_h, v, valid_lens):
    weights = ((state @ W_s.T).unsqueeze(1) + states @ W_h.T).tanh().matmul(v).softmax(-1)
    return (weights.unsqueeze(1) @ states).squeeze(1), weights


@step.wrong("the mask is applied after the softmax")
def _mask_after(state, states, W_s, W_h, v, valid_lens):
    weights = _no_mask(state, states, W_s, W_h, v, valid_lens)[1]
    weights = weights * (torch.arange(states.shape[1]) < valid_lens[:, None])
    return torch.einsum("bk,bke->be", weights, states), weights


@step.wrong("the tanh is missing")
def _linear(state, states, W_s, W_h, v, valid_lens):
    return _finish(((state @ W_s.T)[:, None] + states @ W_h.T) @ v, states, valid_lens)


@step.wrong("the decoder state has no part in the scores")
def _no_question(state, states, W_s, W_h, v, valid_lens):
    return _finish(torch.tanh(states @ W_h.T) @ v, states, valid_lens)


@step.wrong("the softmax runs over the batch")
def _over_the_batch(state, states, W_s, W_h, v, valid_lens):
    weights = _finish(torch.tanh((state @ W_s.T)[:, None] + states @ W_h.T) @ v, states, valid_lens, dim=0)[1]
    weights = weights * (torch.arange(states.shape[1]) < valid_lens[:, None])
    return torch.einsum("bk,bke->be", weights, states), weights


@step.wrong("the context is the mean over keys of the weighted states")
def _mean(state, states, W_s, W_h, v, valid_lens):
    weights = look_at_the_source(state, states, W_s, W_h, v, valid_lens)[1]
    return (weights[:, :, None] * states).mean(dim=1), weights


@step.wrong("weights and context are returned in the wrong order")
def _order(state, states, W_s, W_h, v, valid_lens):
    context, weights = look_at_the_source(state, states, W_s, W_h, v, valid_lens)
    return weights, context


@step.wrong("only the best position is fetched")
def _argmax(state, states, W_s, W_h, v, valid_lens):
    weights = look_at_the_source(state, states, W_s, W_h, v, valid_lens)[1]
    weights = (weights == weights.amax(dim=-1, keepdim=True)).float()
    return torch.einsum("bk,bke->be", weights, states), weights


@step.wrong("the shape of the context is wrong")
def _axis_left(state, states, W_s, W_h, v, valid_lens):
    weights = look_at_the_source(state, states, W_s, W_h, v, valid_lens)[1]
    return weights[:, None] @ states, weights
