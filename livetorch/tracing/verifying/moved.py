"""Other inputs than the example, on which a Program must give what its function gives."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from livetorch.tracing.recorders import Move


def moved(examples: Mapping[str, Tensor]) -> list[Move]:
    """Move the inputs: floats a little, then all of them in ways that show signs, order and whole numbers.

    >>> [move.inputs["n"].item() for move in moved({"n": torch.tensor(3)})]
    [4, 2]
    """
    numbers = {name: tensor for name, tensor in examples.items() if tensor.numel()}
    floats = [name for name, tensor in numbers.items() if tensor.is_floating_point()]
    bools = [name for name, tensor in numbers.items() if tensor.dtype == torch.bool]
    kinds = [floats, bools, [name for name in numbers if name not in floats and name not in bools]]
    near = {name: _like(numbers[name], numbers[name].detach() * 0.9 + 0.01) for name in floats}
    moves = [Move({**examples, **near})] if near else []
    for way in (_turned, _stepped):
        parts = [{name: _like(numbers[name], way(numbers[name].detach())) for name in kind} for kind in kinds]
        parts = [part for part in parts if part]
        alone = tuple(Move({**examples, **part}, near=False) for part in parts) if len(parts) > 1 else ()
        every = {name: tensor for part in parts for name, tensor in part.items()}
        if every:
            moves.append(Move({**examples, **every}, near=False, instead=alone))
    return moves


def _like(tensor: Tensor, other: Tensor) -> Tensor:
    return other.to(tensor.dtype).requires_grad_(tensor.requires_grad)


def _turned(tensor: Tensor) -> Tensor:
    """Turn the order along the last axis round, or where there is none the sign."""
    other = tensor.flip(-1) if tensor.dim() else tensor
    if not torch.equal(other, tensor):
        return other
    if tensor.is_floating_point():
        return -other
    return ~tensor if tensor.dtype == torch.bool else tensor + 1


def _stepped(tensor: Tensor) -> Tensor:
    """Change signs and go further out, or a step down."""
    if tensor.dtype == torch.bool:
        ends = torch.zeros_like(tensor).flatten()
        ends[-1] = True
        return tensor ^ ends.reshape(tensor.shape)
    return 0.7 - 2.3 * tensor if tensor.is_floating_point() else tensor - 1


def otherwise(tensor: Tensor, text: Callable[[Tensor], str]) -> str:
    """Give the text of another number in the place of a tensor's."""
    tensor = tensor.detach()
    return text(~tensor if tensor.dtype == torch.bool else -1 - tensor)


def not_a_number(tensor: Tensor, text: Callable[[Tensor], str]) -> str:
    """Give the text of NaN in the place of a number's."""
    return text(tensor.detach() * torch.nan)


def counted(start: int, step: int) -> Callable[[Tensor, Callable[[Tensor], str]], str]:
    """Give numbers that rise or fall in the place of texts, so that no order stays."""
    numbers = iter(range(start, start + step * 10**6, step))
    return lambda tensor, text: str(next(numbers))
