"""Typical wrong answers to merge-tiles."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.merge_tiles import State, merge_states


@wrong("the halves are added without a correction")
def _plain_sum(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    return torch.maximum(m_1, m_2), l_1 + l_2, o_1 + o_2


@wrong("the second half is not corrected")
def _like_a_step(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    m = torch.where(m_1 > m_2, m_1, m_2)
    shrink = (m_1 - m).exp()
    return m, shrink * l_1 + l_2, shrink * o_1 + o_2


@wrong("the first half is not corrected")
def _the_other_way(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    m = torch.where(m_1 > m_2, m_1, m_2)
    shrink = (m_2 - m).exp()
    return m, l_1 + shrink * l_2, o_1 + shrink * o_2


@wrong("the sums are corrected, the outputs are not")
def _sums_only(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    m = torch.cat([m_1, m_2], dim=1).amax(dim=1, keepdim=True)
    return m, l_1 * (m_1 - m).exp() + l_2 * (m_2 - m).exp(), o_1 + o_2


@wrong("the outputs are corrected, the sums are not")
def _outputs_only(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    m = torch.cat([m_1, m_2], dim=1).amax(dim=1, keepdim=True)
    return m, l_1 + l_2, o_1 * (m_1 - m).exp() + o_2 * (m_2 - m).exp()


@wrong("the correction is upside down")
def _grows(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    m = torch.maximum(m_1, m_2)
    a, b = torch.exp(m - m_1), torch.exp(m - m_2)
    return m, a * l_1 + b * l_2, a * o_1 + b * o_2


@wrong("each half is corrected by the other's maximum")
def _crossed(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    m = torch.maximum(m_1, m_2)
    a, b = torch.exp(m_2 - m), torch.exp(m_1 - m)
    return m, a * l_1 + b * l_2, a * o_1 + b * o_2


@wrong("the output is divided already")
def _divided(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    m, total, o = merge_states(m_1, l_1, o_1, m_2, l_2, o_2)
    return m, total, o / total


@wrong("the new maximum is the smaller one")
def _smaller(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    m = torch.minimum(m_1, m_2)
    a, b = torch.exp(m_1 - m), torch.exp(m_2 - m)
    return m, a * l_1 + b * l_2, a * o_1 + b * o_2


@wrong("NaN in the")
def _empty_is_nan(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    m = torch.maximum(m_1, m_2)
    a, b = torch.exp(m_1 - m), torch.exp(m_2 - m)
    return m, a * l_1 + b * l_2, a * o_1 + b * o_2


@wrong("multiplied by their sums before they are added")
def _weighted(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    m, total, _ = merge_states(m_1, l_1, o_1, m_2, l_2, o_2)
    return m, total, merge_states(m_1, l_1, l_1 * o_1, m_2, l_2, l_2 * o_2)[2]


@wrong("m is the logarithm of a sum of exponentials")
def _smooth_maximum(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    _, total, o = merge_states(m_1, l_1, o_1, m_2, l_2, o_2)
    return torch.logaddexp(m_1, m_2), total, o


@wrong("corrected to the first one's maximum")
def _to_the_first(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    factor = torch.exp(m_2 - m_1)
    return torch.maximum(m_1, m_2), l_1 + factor * l_2, o_1 + factor * o_2


@wrong("both halves are corrected twice")
def _corrected_twice(m_1: Tensor, l_1: Tensor, o_1: Tensor, m_2: Tensor, l_2: Tensor, o_2: Tensor) -> State:
    m = torch.maximum(m_1, m_2)
    a, b = torch.exp(m_1 - m) ** 2, torch.exp(m_2 - m) ** 2
    return m, a * l_1 + b * l_2, a * o_1 + b * o_2
