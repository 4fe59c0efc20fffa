"""Typical wrong answers to exact-match."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


def _padding(targets: Tensor, valid_lens: Tensor) -> Tensor:
    return torch.arange(targets.shape[1]) >= valid_lens[:, None]


@wrong("padding is compared too")
def _all_columns(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    return (written == targets).all(dim=1).float().mean()


@wrong("single symbols are counted, not whole strings")
def _symbols(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    real = ~_padding(targets, valid_lens)
    return ((written == targets) & real).sum() / real.sum()


@wrong("single symbols are counted, padding included")
def _every_symbol(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    return (written == targets).float().mean()


@wrong("each string counts by its share of right symbols")
def _mean_of_means(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    real = ~_padding(targets, valid_lens)
    return (((written == targets) & real).sum(dim=1) / valid_lens).mean()


@wrong("one right symbol is enough")
def _any(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    return ((written == targets) & ~_padding(targets, valid_lens)).any(dim=1).float().mean()


@wrong("the rows are counted, not averaged")
def _count(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    return ((written == targets) | _padding(targets, valid_lens)).all(dim=1).float().sum()


@wrong("it is the share of wrong strings")
def _wrong_ones(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    return ((written != targets) & ~_padding(targets, valid_lens)).any(dim=1).float().mean()


@wrong("only the first symbol is compared")
def _first(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    return (written[:, 0] == targets[:, 0]).float().mean()


@wrong("only the last symbol is compared")
def _last(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    rows = torch.arange(len(targets))
    return (written[rows, valid_lens - 1] == targets[rows, valid_lens - 1]).float().mean()


@wrong("the order of the symbols does not count")
def _sorted(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    padding = _padding(targets, valid_lens)
    bags = [symbols.masked_fill(padding, -1).sort(dim=1).values for symbols in (written, targets)]
    return (bags[0] == bags[1]).all(dim=1).float().mean()


@wrong("padding counts as wrong")
def _right_and_real(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    return ((written == targets) & ~_padding(targets, valid_lens)).all(dim=1).float().mean()


@wrong("the first symbol behind the end is compared as well")
def _one_more(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    return ((written == targets) | _padding(targets, valid_lens + 1)).all(dim=1).float().mean()


@wrong("the last real symbol is not compared")
def _one_less(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    return ((written == targets) | _padding(targets, valid_lens - 1)).all(dim=1).float().mean()


@wrong("it is asked which places are right in all strings")
def _over_strings(written: Tensor, targets: Tensor, valid_lens: Tensor) -> Tensor:
    return ((written == targets) | _padding(targets, valid_lens)).all(dim=0).float().mean()
