"""Exercise of lesson 9a: merge two states of an online softmax."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers

CHAPTER = "09a_same_answer_less_memory"
State = tuple[Tensor, Tensor, Tensor]

merge = Exercise(
    "merge-tiles",
    CHAPTER,
    """Write f(m_1, l_1, o_1, m_2, l_2, o_2): two states of an online softmax over different keys, m and l
    (queries, 1), o (queries, value_dim). Return the state (m, l, o) of all the keys together. A state that
    has seen no key has m = -inf, l = 0, o = 0.""",
    (
        "Which maximum belongs to all the keys?",
        "Each half has a correction of its own: bring both to the new maximum.",
        "If both maxima are minus infinity, their difference is not a number. Subtract 0 there.",
    ),
    "maximum (queries, one); sum (queries, one); partial output (queries, value_dim)",
)


@merge.solution
def merge_states(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    """Bring both halves to the larger maximum, then add them."""
    m = torch.maximum(m_1, m_2)  # (queries, 1)
    finite = torch.where(m == -torch.inf, 0.0, m)  # -inf - -inf would be NaN
    c_1, c_2 = torch.exp(m_1 - finite), torch.exp(m_2 - finite)
    return m, c_1 * l_1 + c_2 * l_2, c_1 * o_1 + c_2 * o_2


def _state(scores: Tensor, values: Tensor, keys: slice) -> State:
    """Sum up some keys, one exponential at a time."""
    rows = []
    for row in scores[:, keys].tolist():
        m = max(row, default=-math.inf)
        p = [math.exp(score - m) for score in row]
        o = [sum(a * b for a, b in zip(p, column, strict=True)) for column in values[keys].T.tolist()]
        rows.append((m, sum(p), o))
    ms, ls, os = zip(*rows, strict=True)
    return torch.tensor(ms)[:, None], torch.tensor(ls)[:, None].float(), torch.tensor(os).float()


def _halves(seed: int, cut: int) -> tuple[State, State, State]:
    """Give two states and the one of all keys: 3 queries, 5 keys, 2 numbers a value."""
    scores, values = numbers(3, 5, seed=seed), numbers(5, 2, seed=seed + 1)
    first, second, both = (
        _state(scores, values, part) for part in (slice(0, cut), slice(cut, 5), slice(0, 5))
    )
    return first, second, both


@merge.check
def _two_halves(answer: Answer) -> None:
    """Two halves give the state of all keys."""
    (m_1, l_1, o_1), (m_2, l_2, o_2), wanted = _halves(seed=0, cut=2)
    m = torch.maximum(m_1, m_2)
    _c_1, _c_2 = torch.exp(m_1 - m), torch.exp(m_2 - m)
    _gives(answer, (m_1, l_1, o_1, m_2, l_2, o_2), wanted)


@merge.check
def _an_empty_half(answer: Answer) -> None:
    """a half without keys changes nothing."""
    none, whole, _ = _halves(seed=2, cut=0)
    _gives(answer, (*none, *whole), whole)
    _gives(answer, (*whole, *none), whole)


@merge.check
def _two_empty_halves(answer: Answer) -> None:
    """two halves without keys stay empty, without NaN."""
    none, _, _ = _halves(seed=2, cut=0)
    _gives(answer, (*none, *none), none)


@merge.check
def _large_scores(answer: Answer) -> None:
    """scores of 200 do not overflow."""
    first, second, wanted = (list(state) for state in _halves(seed=4, cut=3))
    for state in (first, second, wanted):
        state[0] = state[0] + 200
    _gives(answer, (*first, *second), tuple(wanted))


def _gives(answer: Answer, states: tuple[Any, ...], wanted: tuple[Tensor, ...]) -> None:
    answer.gives(*states, wanted=tuple(wanted))


@merge.also
def _more() -> Iterator[tuple]:
    """other sizes."""
    for queries, size in ((1, 4), (4, 3)):
        m, lsum, o = (
            numbers(2, queries, 1),
            numbers(2, queries, 1, seed=1).abs() + 1,
            numbers(2, queries, size),
        )
        yield m[0], lsum[0], o[0], m[1], lsum[1], o[1]


def _corrected(m_1, l_1, o_1, m_2, l_2, o_2):
    m = torch.maximum(m_1, m_2)
    return m, torch.exp(m_1 - m), torch.exp(m_2 - m)


def _averaged(m_1, l_1, o_1, m_2, l_2, o_2, *, corrected=True):
    m, c_1, c_2 = (
        _corrected(m_1, l_1, o_1, m_2, l_2, o_2) if corrected else (torch.maximum(m_1, m_2), 1.0, 1.0)
    )
    new = c_1 * l_1 + c_2 * l_2
    return m, new, (c_1 * l_1 * o_1 + c_2 * l_2 * o_2) / new


@merge.mistake("the halves are added without a correction")
def _plain_sum(m_1, l_1, o_1, m_2, l_2, o_2):
    """l_1 is in units of exp(m_1), l_2 of exp(m_2). Bring both to the same unit first."""
    return torch.maximum(m_1, m_2), l_1 + l_2, o_1 + o_2


@merge.mistake("the second half is not corrected")
def _like_a_step(m_1, l_1, o_1, m_2, l_2, o_2):
    """Either half may hold the smaller maximum, so each needs its own correction."""
    m = torch.where(m_1 > m_2, m_1, m_2)
    shrink = (m_1 - m).exp()
    return m, shrink * l_1 + l_2, shrink * o_1 + o_2


@merge.mistake("the first half is not corrected")
def _the_other_way(m_1, l_1, o_1, m_2, l_2, o_2):
    """Either half may hold the smaller maximum, so each needs its own correction."""
    m = torch.where(m_1 > m_2, m_1, m_2)
    shrink = (m_2 - m).exp()
    return m, l_1 + shrink * l_2, o_1 + shrink * o_2


@merge.mistake("the sums are corrected, the outputs are not")
def _sums_only(m_1, l_1, o_1, m_2, l_2, o_2):
    """o is a sum of exp(s - m) v: what holds for l holds for it too."""
    m = torch.cat([m_1, m_2], dim=1).amax(dim=1, keepdim=True)
    return m, l_1 * (m_1 - m).exp() + l_2 * (m_2 - m).exp(), o_1 + o_2


@merge.mistake("the outputs are corrected, the sums are not")
def _outputs_only(m_1, l_1, o_1, m_2, l_2, o_2):
    """l is a sum of exp(s - m): what holds for o holds for it too."""
    m = torch.cat([m_1, m_2], dim=1).amax(dim=1, keepdim=True)
    return m, l_1 + l_2, o_1 * (m_1 - m).exp() + o_2 * (m_2 - m).exp()


@merge.mistake("the correction is upside down")
def _grows(m_1, l_1, o_1, m_2, l_2, o_2):
    """The half with the smaller maximum must shrink: exp(m_1 - m) is at most 1."""
    m = torch.maximum(m_1, m_2)
    a, b = torch.exp(m - m_1), torch.exp(m - m_2)
    return m, a * l_1 + b * l_2, a * o_1 + b * o_2


@merge.mistake("each half is corrected by the other's maximum")
def _crossed(m_1, l_1, o_1, m_2, l_2, o_2):
    """exp(m_1 - m) belongs to l_1 and o_1."""
    m = torch.maximum(m_1, m_2)
    a, b = torch.exp(m_2 - m), torch.exp(m_1 - m)
    return m, a * l_1 + b * l_2, a * o_1 + b * o_2


@merge.mistake("the output is divided already")
def _divided(m_1, l_1, o_1, m_2, l_2, o_2):
    """A state is still to be merged with others: return the sum, and divide once at the end."""
    m, total, o = merge_states(m_1, l_1, o_1, m_2, l_2, o_2)
    return m, total, o / total


@merge.mistake("the new maximum is the smaller one")
def _smaller(m_1, l_1, o_1, m_2, l_2, o_2):
    """With it, exp(score - m) can overflow. The largest score of all keys is needed."""
    m = torch.minimum(m_1, m_2)
    a, b = torch.exp(m_1 - m), torch.exp(m_2 - m)
    return m, a * l_1 + b * l_2, a * o_1 + b * o_2


@merge.mistake("exponentials of the whole maximum overflow")
def _whole_exponentials(m_1, l_1, o_1, m_2, l_2, o_2):
    """exp(200) does not fit float32. Exponentiate differences of maxima only."""
    m = torch.maximum(m_1, m_2)
    a, b = m_1.exp(), m_2.exp()
    return m, (a * l_1 + b * l_2) / m.exp(), (a * o_1 + b * o_2) / m.exp()


@merge.mistake("the outputs are taken for averages")
def _averages(*s):
    """o is a sum of exp(s - m) v that was not divided yet: only its correction is needed."""
    return _averaged(*s)


@merge.mistake("the outputs are taken for averages, and nothing is corrected")
def _outputs_taken_averages_nothing_corrected(*s):
    """o is a sum of exp(s - m) v that was not divided yet: only its correction is needed."""
    return _averaged(*s, corrected=False)


@merge.mistake("the sums are not corrected, the outputs are taken for averages")
def _sums_not_corrected_outputs_taken(*s):
    """o is a sum of exp(s - m) v that was not divided yet: only its correction is needed."""
    return (_averaged(*s)[0], s[1] + s[4], _averaged(*s)[2])


@merge.mistake("the outputs are averaged")
def _outputs_averaged(*s):
    """o is a sum of exp(s - m) v that was not divided yet: only its correction is needed."""
    return (*merge_states(*s)[:2], (s[2] + s[5]) / 2)


@merge.mistake("the outputs are corrected, then averaged")
def _outputs_corrected_then_averaged(*s):
    """o is a sum of exp(s - m) v that was not divided yet: only its correction is needed."""
    return (*merge_states(*s)[:2], merge_states(*s)[2] / 2)


@merge.mistake("the output is multiplied by the sum")
def _output_multiplied_sum(*s):
    """o and l stand side by side: neither is a factor of the other."""
    return (*merge_states(*s)[:2], merge_states(*s)[2] * merge_states(*s)[1])


@merge.mistake("the sums belong to the larger half only")
def _sums_belong_larger_half_only(*s):
    """Both halves have keys: add both, each corrected."""
    return tuple((torch.where(s[0] > s[3], a, b) for a, b in zip(s[:3], s[3:], strict=True)))


@merge.mistake("the maxima are added")
def _maxima_added(*s):
    """Of all keys the largest score counts: torch.maximum."""
    return (s[0] + s[3], *merge_states(*s)[1:])


@merge.mistake("the maxima are averaged")
def _maxima_averaged(*s):
    """Of all keys the largest score counts: torch.maximum."""
    return ((s[0] + s[3]) / 2, *merge_states(*s)[1:])


@merge.mistake("the outputs are multiplied by their sums before they are added")
def _weighted(m_1, l_1, o_1, m_2, l_2, o_2):
    """o and l stand side by side: neither is a factor of the other."""
    m, total, _ = merge_states(m_1, l_1, o_1, m_2, l_2, o_2)
    return m, total, merge_states(m_1, l_1, l_1 * o_1, m_2, l_2, l_2 * o_2)[2]


@merge.mistake("m is the logarithm of a sum of exponentials, not a maximum")
def _smooth_maximum(m_1, l_1, o_1, m_2, l_2, o_2):
    """Of all keys the largest score counts: torch.maximum."""
    _, total, o = merge_states(m_1, l_1, o_1, m_2, l_2, o_2)
    return torch.logaddexp(m_1, m_2), total, o


@merge.mistake("the second half is corrected to the first one's maximum, not to the new one")
def _to_the_first(m_1, l_1, o_1, m_2, l_2, o_2):
    """Both halves go to the same m, the larger of the two: exp(m_1 - m) and exp(m_2 - m)."""
    factor = torch.exp(m_2 - m_1)
    return torch.maximum(m_1, m_2), l_1 + factor * l_2, o_1 + factor * o_2


@merge.mistake("both halves are corrected twice")
def _corrected_twice(m_1, l_1, o_1, m_2, l_2, o_2):
    """Once: l and o times exp(m_1 - m) for the first half, exp(m_2 - m) for the second."""
    m = torch.maximum(m_1, m_2)
    a, b = torch.exp(m_1 - m) ** 2, torch.exp(m_2 - m) ** 2
    return m, a * l_1 + b * l_2, a * o_1 + b * o_2


@merge.mistake("NaN in the")
def _empty_is_nan(m_1, l_1, o_1, m_2, l_2, o_2):
    m = torch.maximum(m_1, m_2)
    a, b = torch.exp(m_1 - m), torch.exp(m_2 - m)
    return m, a * l_1 + b * l_2, a * o_1 + b * o_2
