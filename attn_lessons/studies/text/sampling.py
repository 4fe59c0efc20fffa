"""From logits to the next token: temperature, top-k, and a draw that comes out the same on every machine.

Chapter: notebooks/10a_what_comes_next.ipynb
"""

import torch
from torch import Tensor

from attn_helpers import _check

# Park and Miller's generator: every product stays below 2^53, so that it is exact in a page as well
_MULTIPLIER, _MODULUS = 48271, 2**31 - 1


def top_k_filter(logits: Tensor, top_k: int | Tensor) -> Tensor:
    """Keep the k largest logits and set the others to minus infinity.

    Formula: filtered_j = logits_j if fewer than k logits come before it, else -inf
    Source: Fan, Lewis and Dauphin 2018, Hierarchical Neural Story Generation, section 5.4.

    Exactly k are kept: of equal logits, those with the smaller id come first.

    Args:
        logits: (..., vocabulary).
        top_k: at least 1; as many as there are tokens, or more, keeps all. A tensor without axes will do.
    Returns: (..., vocabulary).

    >>> top_k_filter(torch.tensor([1.0, 3.0, 2.0, 3.0]), 2)
    tensor([-inf, 3., -inf, 3.])
    """
    _check.floating(logits=logits)
    _check_top_k(top_k)
    order = torch.argsort(logits, dim=-1, descending=True, stable=True)
    ranks = torch.argsort(order, dim=-1)  # 0 for the largest
    return torch.where(ranks < top_k, logits, -torch.inf)


def next_probabilities(
    logits: Tensor, *, temperature: float | Tensor = 1.0, top_k: int | Tensor | None = None
) -> Tensor:
    """Turn logits into the probabilities of the next token.

    Formula: p = softmax(top_k_filter(logits) / temperature)
    Source: Ackley, Hinton and Sejnowski 1985 (temperature); Holtzman et al. 2020, section 5.

    Temperature 0 is what this tends to as the temperature falls: the largest logit (the first of equal ones)
    gets probability 1, which is called greedy.

    Args:
        logits: (..., vocabulary).
        temperature: at least 0; below 1 the likely tokens become likelier, above 1 less so.
        top_k: as in `top_k_filter`; None keeps all tokens.
    Returns: probabilities (..., vocabulary); the last axis sums to 1.

    >>> logits = torch.tensor([0.0, 1.0, 2.0])
    >>> for temperature in (0, 0.5, 1, 2):
    ...     print(next_probabilities(logits, temperature=temperature))
    tensor([0., 0., 1.])
    tensor([0.0159, 0.1173, 0.8668])
    tensor([0.0900, 0.2447, 0.6652])
    tensor([0.1863, 0.3072, 0.5065])
    """
    _check.floating(logits=logits)
    _check_temperature(temperature)
    most = logits.shape[-1] if top_k is None else top_k
    _check_top_k(most)
    heat = torch.as_tensor(temperature, dtype=logits.dtype, device=logits.device)
    most = torch.where(heat > 0, torch.as_tensor(most, device=logits.device), 1)
    # the maximum comes off before the division: a tiny temperature gives -inf, not NaN
    gaps = top_k_filter(logits, most) - logits.amax(dim=-1, keepdim=True)
    return torch.softmax(gaps / torch.where(heat > 0, heat, 1), dim=-1)


def pick(probabilities: Tensor, uniform: Tensor) -> Tensor:
    """Pick a token by a number between 0 and 1: lay the probabilities end to end and look where it falls.

    Formula: id = the first j with p_0 + ... + p_j > uniform
    Source: Devroye 1986, Non-Uniform Random Variate Generation, chapter II.2 (inversion).

    Args:
        probabilities: (..., vocabulary), at least 0.
        uniform: (...), at least 0 and below 1; a number from `next_random`, say.
    Returns: ids (...), int64, never of probability 0.

    >>> probabilities = torch.tensor([0.2, 0.0, 0.5, 0.3])
    >>> [pick(probabilities, torch.tensor(u)).item() for u in (0.0, 0.1, 0.2, 0.6, 0.9)]
    [0, 0, 2, 2, 3]
    """
    _check.floating(probabilities=probabilities)
    _check.floating(uniform=uniform)
    if uniform.shape != probabilities.shape[:-1]:
        raise ValueError(
            f"uniform must have shape {tuple(probabilities.shape[:-1])}, the axes of probabilities but the "
            f"last, got {_check.shape_text(uniform)}."
        )
    if _check.values_known(uniform) and not bool(((uniform >= 0) & (uniform < 1)).all()):
        raise ValueError(f"uniform must be at least 0 and below 1, got {uniform.tolist()}.")
    ends = probabilities.double().cumsum(dim=-1)  # (..., vocabulary)
    # divided by the last end, which rounding may leave below 1
    return (ends / ends[..., -1:] <= uniform.unsqueeze(-1)).sum(dim=-1)


def first_state(seed: int) -> Tensor:
    """Turn a seed into the first state of `next_random`, a tensor without axes.

    Formula: state = 1 + (1000003 seed + 123456789) mod (2^31 - 2)

    Neighbouring seeds shall not begin with neighbouring numbers, hence the factor.

    >>> first_state(0), first_state(41)
    (tensor(123456790), tensor(164456913))
    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"seed must be an int, got {type(seed).__name__}.")
    return torch.tensor(1 + (1000003 * seed + 123456789) % (_MODULUS - 1))


def next_random(state: Tensor) -> tuple[Tensor, Tensor]:
    """Make the next random number, and the state for the one after it: a function without a memory.

    Formula: state' = 48271 state mod (2^31 - 1), number = state' / (2^31 - 1)
    Source: Park and Miller 1988, Random Number Generators: Good Ones Are Hard to Find (with Park's 48271).

    `torch.rand` keeps its state to itself, and other versions and machines may draw other numbers. Here the
    state goes in and comes out, so that a live figure can carry it from step to step.

    Args:
        state: whole numbers of 1 to 2^31 - 2, any shape; `first_state` makes one.
    Returns: (the next state, float64 numbers above 0 and below 1).

    >>> state, number = next_random(first_state(0))
    >>> state, round(number.item(), 6)
    (tensor(115589665), 0.053826)
    """
    if not isinstance(state, Tensor) or state.dtype != torch.int64:
        kind = state.dtype if isinstance(state, Tensor) else type(state).__name__
        raise TypeError(f"state must be an int64 torch.Tensor, got {kind}.")
    after = state * _MULTIPLIER % _MODULUS
    return after, after.double() / _MODULUS


def _check_top_k(top_k: int | Tensor) -> None:
    if isinstance(top_k, Tensor):
        if top_k.is_floating_point() or top_k.dtype == torch.bool or top_k.numel() != 1:
            raise TypeError(f"top_k must be one whole number, got {top_k.dtype} {tuple(top_k.shape)}.")
        if not _check.values_known(top_k):
            return
        top_k = int(top_k)
    _check.count("top_k", top_k, least=1)


def _check_temperature(temperature: float | Tensor) -> None:
    if isinstance(temperature, Tensor) and not _check.values_known(temperature):
        return
    if not isinstance(temperature, Tensor) and (
        isinstance(temperature, bool) or not isinstance(temperature, int | float)
    ):
        raise TypeError(f"temperature must be a number, got {type(temperature).__name__}.")
    if not 0 <= float(temperature) < float("inf"):
        raise ValueError(
            f"temperature must be at least 0 and finite, got temperature={float(temperature):g}."
        )
