"""Typical wrong answers to replace-heads."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


@wrong("a head that is off says 0")
def _silent(outputs: Tensor, _others: Tensor, on: Tensor) -> Tensor:
    return outputs * on[:, None, None]


@wrong("heads that are on are replaced")
def _upside_down(outputs: Tensor, others: Tensor, on: Tensor) -> Tensor:
    return torch.where(on[:, None, None], others.mean(0), outputs)


@wrong("the mean is taken over these texts")
def _own_mean(outputs: Tensor, _others: Tensor, on: Tensor) -> Tensor:
    return torch.where(on[:, None, None], outputs, outputs.mean(0))


@wrong("the mean runs over the places as well")
def _over_places(outputs: Tensor, others: Tensor, on: Tensor) -> Tensor:
    return torch.where(on[:, None, None], outputs, others.mean(dim=(0, 2), keepdim=True)[0])


@wrong("the mean runs over the heads as well")
def _over_heads(outputs: Tensor, others: Tensor, on: Tensor) -> Tensor:
    return torch.where(on[:, None, None], outputs, others.flatten(0, 1).mean(0))


@wrong("the sum over the other texts")
def _summed(outputs: Tensor, others: Tensor, on: Tensor) -> Tensor:
    return torch.where(on[:, None, None], outputs, others.sum(0))


@wrong("one other text stands there")
def _first_text(outputs: Tensor, others: Tensor, on: Tensor) -> Tensor:
    return torch.where(on[:, None, None], outputs, others[0])


@wrong("the mean is added")
def _added(outputs: Tensor, others: Tensor, on: Tensor) -> Tensor:
    return outputs + ~on[:, None, None] * others.mean(0)


@wrong("no head is replaced")
def _all_kept(outputs: Tensor, _others: Tensor, _on: Tensor) -> Tensor:
    return outputs


@wrong("the mean of this text's own places")
def _own_places(outputs: Tensor, _others: Tensor, on: Tensor) -> Tensor:
    return torch.where(on[:, None, None], outputs, outputs.mean(dim=-2, keepdim=True))
