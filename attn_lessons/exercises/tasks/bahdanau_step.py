"""Exercise of lesson 5b: one step of Bahdanau's attention."""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers, softmax_rows

Bend = Callable[[Tensor], Tensor]

step = Exercise(
    "bahdanau-step",
    "05b_trained_translator",
    """Write f(state, states, W_decoder, W_encoder, v, valid_lens): decoder state (batch, decoder), encoder
    states (batch, keys, encoder), W_decoder (hidden, decoder), W_encoder (hidden, encoder), v (hidden,), real
    lengths (batch,). Return the context (batch, encoder) and the weights (batch, keys).""",
    (
        """The score of source position j is `v . tanh(W_decoder s + W_encoder h_j)`. Which axis must the
        decoder state get?""",
        """`(state @ W_decoder.T)[:, None]` is (batch, 1, hidden); `states @ W_encoder.T` is (batch, keys,
        hidden).""",
        """Mask padding before the softmax over the keys. The context is the weighted sum of the encoder
        states.""",
    ),
    "context (batch, encoder); weights (batch, keys)",
)


@step.solution
def look_at_the_source(state, states, W_decoder, W_encoder, v, valid_lens):
    """Score every source position, mask padding, average the encoder states."""
    question = (state @ W_decoder.T)[:, None]  # (batch, 1, hidden)
    scores = torch.tanh(question + states @ W_encoder.T) @ v  # (batch, keys)
    padding = torch.arange(states.shape[1]) >= valid_lens[:, None]
    scores = scores.masked_fill(padding, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return (weights[:, None] @ states)[:, 0], weights


def _scores(state: Tensor, states: Tensor, W_decoder: Tensor, W_encoder: Tensor, v: Tensor) -> Tensor:
    """Score one position and one hidden unit at a time."""
    rows = []
    for s, source in zip(state.double(), states.double(), strict=True):
        units = [
            [math.tanh(a @ s + b @ h) for a, b in zip(W_decoder.double(), W_encoder.double(), strict=True)]
            for h in source
        ]
        rows.append([sum(x * w for x, w in zip(unit, v.tolist(), strict=True)) for unit in units])
    return torch.tensor(rows)


@step.check
def _one_step(answer: Answer) -> None:
    """Context and weights are right, padding gets nothing."""
    W_decoder, W_encoder, v = numbers(11, 3, seed=2) / 2, numbers(11, 7, seed=3) / 4, numbers(11, seed=4) / 2
    _gives(answer, numbers(2, 3), numbers(2, 5, 7, seed=1), W_decoder, W_encoder, v, torch.tensor([5, 2]))


@step.check
def _very_low_scores(answer: Answer) -> None:
    """padding gets nothing beside very low scores either."""
    W = torch.ones(2, 2), torch.ones(2, 2), torch.tensor([-150.0, -150.0])
    states = numbers(1, 4, 2, seed=1).abs() * torch.tensor([1.0, 1.0, -9.0, -9.0])[:, None]
    _gives(answer, torch.ones(1, 2), states, *W, torch.tensor([2]))


def _gives(
    answer: Answer,
    state: Tensor,
    states: Tensor,
    W_decoder: Tensor,
    W_encoder: Tensor,
    v: Tensor,
    lens: Tensor,
) -> None:
    real = torch.tensor([[j < n for j in range(states.shape[1])] for n in lens.tolist()])
    weights = softmax_rows(_scores(state, states, W_decoder, W_encoder, v), real)
    wanted = (weights[:, :, None] * states).sum(dim=1), weights
    answer.gives(state, states, W_decoder, W_encoder, v, lens, wanted=wanted)


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


def _logits(
    state: Tensor, states: Tensor, W_decoder: Tensor, W_encoder: Tensor, v: Tensor, bend: Bend = torch.tanh
) -> Tensor:
    return bend((state @ W_decoder.T)[:, None] + states @ W_encoder.T) @ v  # (batch, keys)


def _real(states: Tensor, valid_lens: Tensor) -> Tensor:
    return torch.arange(states.shape[1]) < valid_lens[:, None]


def _pooled(weights: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
    return (weights[:, None] @ states)[:, 0], weights


def _finish(scores: Tensor, states: Tensor, valid_lens: Tensor, low: float = -1e9) -> tuple[Tensor, Tensor]:
    return _pooled(scores.masked_fill(~_real(states, valid_lens), low).softmax(-1), states)


@step.mistake("padding gets weight: valid_lens is not used")
def _no_mask(state, states, W_decoder, W_encoder, v, valid_lens):
    """The second source has 2 real positions. Mask the others before the softmax."""
    return _pooled(_logits(state, states, W_decoder, W_encoder, v).softmax(-1), states)


@step.mistake("the mask is applied after the softmax")
def _mask_after(state, states, W_decoder, W_encoder, v, valid_lens):
    """The weights of the second source no longer sum to 1."""
    weights = _logits(state, states, W_decoder, W_encoder, v).softmax(-1)
    return _pooled(weights * _real(states, valid_lens), states)


@step.mistake("the softmax runs over padding too, which is taken out afterwards")
def _mask_and_share_out(state, states, W_decoder, W_encoder, v, valid_lens):
    """Where padding has a high score, the real weights underflow, and 0 / 0 is NaN. Mask before the
    softmax."""
    weights = _logits(state, states, W_decoder, W_encoder, v).softmax(-1) * _real(states, valid_lens)
    return _pooled(weights / weights.sum(-1, keepdim=True), states)


@step.mistake("the tanh is missing")
def _linear(state, states, W_decoder, W_encoder, v, valid_lens):
    """Then the decoder state adds the same number to all scores of a source, and the softmax takes it
    away."""
    return _finish(_logits(state, states, W_decoder, W_encoder, v, lambda x: x), states, valid_lens)


@step.mistake("the decoder state has no part in the scores that the softmax keeps")
def _no_question(state, states, W_decoder, W_encoder, v, valid_lens):
    """Is it added before the tanh? In tanh(a) + tanh(b) it cancels: the softmax sees differences."""
    return _finish(torch.tanh(states @ W_encoder.T) @ v, states, valid_lens)


@step.mistake("the softmax runs over the batch")
def _over_the_batch(state, states, W_decoder, W_encoder, v, valid_lens):
    """The weights of one source should sum to 1 over its positions."""
    real = _real(states, valid_lens)
    weights = _logits(state, states, W_decoder, W_encoder, v).masked_fill(~real, -1e9).softmax(0)
    return _pooled(weights * real, states)


@step.mistake("the encoder states are averaged evenly")
def _even(state, states, W_decoder, W_encoder, v, valid_lens):
    """The context should be the weighted sum."""
    real = _real(states, valid_lens)
    return _pooled(real / valid_lens[:, None], states)[0], look_at_the_source(
        state, states, W_decoder, W_encoder, v, valid_lens
    )[1]


@step.mistake("the context is the mean over keys of the weighted states, not their sum")
def _mean(state, states, W_decoder, W_encoder, v, valid_lens):
    """The weights sum to 1 already: what does a further division by the number of keys do?"""
    weights = look_at_the_source(state, states, W_decoder, W_encoder, v, valid_lens)[1]
    return (weights[:, :, None] * states).mean(dim=1), weights


@step.mistake("weights and context are returned in the wrong order")
def _order(state, states, W_decoder, W_encoder, v, valid_lens):
    """The context first."""
    context, weights = look_at_the_source(state, states, W_decoder, W_encoder, v, valid_lens)
    return weights, context


@step.mistake("the scores are returned, not the weights")
def _scores_returned(state, states, W_decoder, W_encoder, v, valid_lens):
    """Return what multiplies the encoder states."""
    scores = _logits(state, states, W_decoder, W_encoder, v).masked_fill(
        ~_real(states, valid_lens), -torch.inf
    )
    return look_at_the_source(state, states, W_decoder, W_encoder, v, valid_lens)[0], scores


@step.mistake("only the best position is fetched")
def _argmax(state, states, W_decoder, W_encoder, v, valid_lens):
    """An argmax has no gradient: nothing could be learned."""
    weights = look_at_the_source(state, states, W_decoder, W_encoder, v, valid_lens)[1]
    weights = (weights == weights.amax(dim=-1, keepdim=True)).float()
    return _pooled(weights, states)


@step.mistake("a ReLU stands in the place of tanh")
def _relu(state, states, W_decoder, W_encoder, v, valid_lens):
    """A fine idea, but another score."""
    return _finish(_logits(state, states, W_decoder, W_encoder, v, torch.relu), states, valid_lens)


@step.mistake("a sigmoid stands in the place of tanh")
def _sigmoid(state, states, W_decoder, W_encoder, v, valid_lens):
    """A fine idea, but another score."""
    return _finish(_logits(state, states, W_decoder, W_encoder, v, torch.sigmoid), states, valid_lens)


@step.mistake("the context averages all positions alike, padding too")
def _even_padding(state, states, W_decoder, W_encoder, v, valid_lens):
    """The context is the sum of the states, each times its weight."""
    return states.mean(1), look_at_the_source(state, states, W_decoder, W_encoder, v, valid_lens)[1]


@step.mistake("the context is the sum of all states, without weights")
def _plain_sum(state, states, W_decoder, W_encoder, v, valid_lens):
    """The context is the sum of the states, each times its weight."""
    return states.sum(1), look_at_the_source(state, states, W_decoder, W_encoder, v, valid_lens)[1]


@step.mistake("the hidden units are added up without v")
def _without_v(state, states, W_decoder, W_encoder, v, valid_lens):
    """v weighs them."""
    return look_at_the_source(state, states, W_decoder, W_encoder, torch.ones_like(v), valid_lens)


@step.mistake("state and source are multiplied, not added")
def _multiplied(state, states, W_decoder, W_encoder, v, valid_lens):
    """The additive score adds the two projections."""
    scores = torch.tanh((state @ W_decoder.T)[:, None] * (states @ W_encoder.T)) @ v
    return _finish(scores, states, valid_lens)


@step.mistake("a tanh is taken after v too")
def _tanh_twice(state, states, W_decoder, W_encoder, v, valid_lens):
    """Once, inside."""
    return _finish(torch.tanh(_logits(state, states, W_decoder, W_encoder, v)), states, valid_lens)


@step.mistake("the tanh comes after v")
def _tanh_late(state, states, W_decoder, W_encoder, v, valid_lens):
    """It belongs inside, on the hidden units."""
    scores = torch.tanh(_logits(state, states, W_decoder, W_encoder, v, lambda x: x))
    return _finish(scores, states, valid_lens)


@step.mistake("the context is the heaviest state alone")
def _hard(state, states, W_decoder, W_encoder, v, valid_lens):
    """The context is the sum of the states, each times its weight."""
    weights = look_at_the_source(state, states, W_decoder, W_encoder, v, valid_lens)[1]
    return states[torch.arange(len(states)), weights.argmax(-1)], weights


@step.mistake("the states are multiplied by their weights twice")
def _twice(state, states, W_decoder, W_encoder, v, valid_lens):
    """Once: a product with the states, or a sum over weights * states."""
    weights = look_at_the_source(state, states, W_decoder, W_encoder, v, valid_lens)[1]
    return _pooled(weights, weights[..., None] * states)[0], weights


@step.mistake("a sigmoid stands in the place of the softmax")
def _gates(state, states, W_decoder, W_encoder, v, valid_lens):
    """The weights of a source should share out 1."""
    return _pooled(
        _logits(state, states, W_decoder, W_encoder, v).sigmoid() * _real(states, valid_lens), states
    )


@step.mistake("the real positions are hidden, the padding is seen")
def _padding_only(state, states, W_decoder, W_encoder, v, valid_lens):
    """positions < valid_lens are real."""
    scores = _logits(state, states, W_decoder, W_encoder, v).masked_fill(_real(states, valid_lens), -1e9)
    return _pooled(scores.softmax(-1), states)


@step.mistake("masked scores are set to 0")
def _zeroed(state, states, W_decoder, W_encoder, v, valid_lens):
    """exp(0) = 1 is weight. Which score has none?"""
    return _finish(_logits(state, states, W_decoder, W_encoder, v), states, valid_lens, low=0.0)


@step.mistake("the projected states are averaged, not the encoder states")
def _projected(state, states, W_decoder, W_encoder, v, valid_lens):
    """W_encoder serves the scores alone: what is fetched are the states themselves."""
    return _finish(_logits(state, states, W_decoder, W_encoder, v), states @ W_encoder.T, valid_lens)


@step.mistake("the context: all numbers are right, only the shape is not")
def _axis_left(state, states, W_decoder, W_encoder, v, valid_lens):
    weights = look_at_the_source(state, states, W_decoder, W_encoder, v, valid_lens)[1]
    return weights[:, None] @ states, weights


@step.mistake("the number written over masked scores is not low enough")
def _low_but_not_lowest(state, states, W_decoder, W_encoder, v, valid_lens):
    """Real scores may lie below it: then padding wins. Which number lies below all others?"""
    return _finish(_logits(state, states, W_decoder, W_encoder, v), states, valid_lens, low=-100.0)
