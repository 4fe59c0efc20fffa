"""Exercise of lesson 8e: what a decoder is given in training."""

from collections.abc import Iterator

import torch

from attn_lessons.exercises.checking import Answer, Exercise

shift = Exercise(
    "shift-right",
    "08e_encoder_and_decoder",
    """Write f(targets, start): targets (batch, queries) int64, the symbols to be written, and start, the
    number of the start mark. Return what the decoder is given (batch, queries): at each position the
    symbol before, at the first one the start mark.""",
    (
        "At the first position nothing has been written yet. What stands there?",
        "The last target is never an input: nothing is guessed after it.",
        "`torch.full_like(targets[:, :1], start)` is a column of start marks.",
    ),
    "inputs (batch, queries)",
)


@shift.solution
def symbols_before(targets, start):
    """Put the start mark in front and drop the last symbol."""
    return torch.cat([torch.full_like(targets[:, :1], start), targets[:, :-1]], dim=1)


@shift.check
def _two_dates(answer: Answer) -> None:
    """Two rows of four symbols, start mark 11."""
    targets = torch.tensor([[2, 0, 2, 4], [1, 9, 9, 6]])
    answer.gives(targets, 11, wanted=torch.tensor([[11, 2, 0, 2], [11, 1, 9, 9]]))


@shift.check
def _one_symbol(answer: Answer) -> None:
    """one symbol: only the start mark is given."""
    answer.gives(torch.tensor([[5], [6], [7]]), 9, wanted=torch.tensor([[9], [9], [9]]))


@shift.also
def _more() -> Iterator[tuple]:
    """other sizes."""
    yield torch.arange(12).reshape(3, 4), 12
    yield torch.tensor([[3, 1, 4, 1, 5]]), 10


@shift.mistake("the answers themselves are given")
def _not_shifted(targets, start):
    """Position t would see the symbol that it has to guess."""
    return targets.clone()


@shift.mistake("the first symbol is replaced, and nothing has moved")
def _replaced(targets, start):
    """Each symbol moves one position on, and the last one drops out."""
    return targets.index_fill(1, torch.tensor([0]), start)


@shift.mistake("the symbols move to the left")
def _left(targets, start):
    """That shows each position the symbol *after* its answer."""
    return torch.cat([targets[:, 1:], torch.full_like(targets[:, :1], start)], dim=1)


@shift.mistake("the last symbol is kept")
def _too_long(targets, start):
    """There are as many inputs as answers."""
    return torch.cat([torch.full_like(targets[:, :1], start), targets], dim=1)


@shift.mistake("the last symbol stands in the place of the start mark")
def _rolled(targets, start):
    """The first position may know nothing of the target."""
    return targets.roll(1, dims=1)


@shift.mistake("the batch is shifted, not the positions")
def _wrong_axis(targets, start):
    """Rows are sentences; move along each row."""
    return torch.cat([torch.full_like(targets[:1], start), targets[:-1]], dim=0)
