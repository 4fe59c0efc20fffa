"""How far two tensors are apart, when that is next to nothing, and a function that makes much of it.

Where a function grows the last bits of its inputs, two machines, or a page and torch, see other numbers.
"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from livetorch.program.program import Program, run_operator
from livetorch.tracing.recording import page_dtype

_NUDGES = (1, -1, 2, -2, 3, -3)  # each times a few last bits
_SPREAD = 5e-3  # of the largest number of an output: what a reader sees
_APART = 1e-4
_GROWN = 64  # times the last bit of half precision: the nudges alone make 24


def close(got: Tensor, want: Tensor, tolerance: float) -> bool:
    """Tell whether floats are as near as a share of the largest of them, and other numbers equal."""
    if not (want.is_floating_point() or want.is_complex()):
        return torch.equal(got, want)
    least = 0.0 if want.dtype == torch.float64 else 1e-44  # the steps between the smallest numbers are coarse
    got, want = got.double(), want.double()
    finite = want[want.isfinite()].abs()
    size = float(finite.amax()) if finite.numel() else 0.0
    return torch.allclose(got, want, rtol=tolerance, atol=tolerance * size + least, equal_nan=True)


def same(one: dict[str, Tensor], other: dict[str, Tensor]) -> bool:
    """Tell whether two calls gave the same outputs."""
    return list(one) == list(other) and all(
        one[name].shape == want.shape and one[name].dtype == want.dtype and close(one[name], want, 1e-6)
        for name, want in other.items()
    )


def gap(got: Tensor, want: Tensor) -> float:
    """Give the largest difference; infinite where only one of two numbers is finite, or the shapes differ."""
    if got.shape != want.shape:
        return float("inf")
    got, want = got.detach().double(), want.double()
    odd = got.isfinite() != want.isfinite()
    odd |= ~got.isfinite() & ~want.isfinite() & ~torch.isclose(got, want, equal_nan=True)
    if odd.any():
        return float("inf")
    difference = (got - want).nan_to_num(0.0, 0.0, 0.0).abs()
    return float(difference.amax()) if difference.numel() else 0.0


def share(got: Tensor, want: Tensor) -> float:
    """Give the largest difference as a share of the largest number."""
    finite = want.double()[want.isfinite()].abs()
    size = float(finite.amax()) if finite.numel() else 0.0
    off = gap(got, want)
    return off / size if size else (0.0 if off == 0 else float("inf"))


def nudged(tensor: Tensor, sign: int) -> Tensor:
    """Move each number by a few of its last bits, neighbours in opposite directions."""
    if not tensor.is_floating_point():
        return tensor
    ways = torch.arange(tensor.numel()).reshape(tensor.shape) % 3 - 1
    ways = torch.where(ways == 0, sign, ways * sign)
    moved = tensor.detach() * (1 + 4 * torch.finfo(tensor.dtype).eps * ways).to(tensor.dtype)
    return moved.requires_grad_(tensor.requires_grad)


def grows_last_bits(
    call: Callable[[Mapping[str, Tensor]], dict[str, Tensor]],
    inputs: Mapping[str, Tensor],
    wanted: Mapping[str, Tensor],
    last_bit: float,
) -> bool:
    """Tell whether inputs moved by their last bits give numbers that are all plainly apart.

    A step (``x > 0.5``, a tie) knows two sides only and is no such case: all nudges must disagree.

    Args:
        call: the function.
        inputs: its inputs by name.
        wanted: the outputs that these inputs give.
        last_bit: of the coarsest numbers that the function works with, as a share of them.
    """
    if not any(tensor.is_floating_point() for tensor in inputs.values()):
        return False  # a nudge moves none of them
    seen = [
        {name: tensor for name, tensor in wanted.items() if tensor.is_floating_point() and tensor.numel()}
    ]
    # an output that is 0 but for its last bits, log(1), is no news to a reader of numbers like 1
    scale = scale_of(inputs)
    for sign in _NUDGES:
        try:
            seen.append(call({name: nudged(tensor, sign) for name, tensor in inputs.items()}))
        except Exception:
            return False
        if not any(_apart(name, seen, scale, last_bit) for name in seen[0]):
            return False
    return True


def scale_of(inputs: Mapping[str, Tensor]) -> float:
    """Give the size of the largest float among some inputs."""
    return max([0.0, *(_largest(each) for each in inputs.values() if each.is_floating_point())])


def _largest(tensor: Tensor) -> float:
    finite = tensor.detach()[tensor.isfinite()].abs()
    return float(finite.amax()) if finite.numel() else 0.0


def _apart(name: str, seen: list[dict[str, Tensor]], scale: float, last_bit: float) -> bool:
    """Tell whether some number of an output is another one each time, and spread enough to be seen."""
    if any(each[name].shape != seen[0][name].shape for each in seen):
        return False
    values = torch.stack([each[name].detach().double().flatten() for each in seen])
    values = values[:, values.isfinite().all(0)]
    if not values.numel():
        return False
    size = max(scale, _largest(values[0]))
    ordered = values.sort(0).values
    apart, spread = max(_APART, last_bit), max(_SPREAD, _GROWN * last_bit)
    all_apart = (ordered.diff(dim=0) > apart * size).all(0)
    return bool((all_apart & (ordered[-1] - ordered[0] > spread * size)).any())


def rounded_otherwise(program: Program, inputs: Mapping[str, Tensor], seed: int) -> dict[str, Tensor]:
    """Run a Program with the last bits of every result other ones, as another machine might have them."""
    drawn = torch.Generator().manual_seed(seed)

    def change(tensor: Tensor) -> Tensor:
        if not tensor.is_floating_point():
            return tensor
        ways = torch.randint(-1, 2, tensor.shape, generator=drawn)
        return tensor * (1 + torch.finfo(tensor.dtype).eps * ways).to(tensor.dtype)

    with page_dtype():
        return program.run_by(inputs, lambda *step: map(change, run_operator(*step)))
