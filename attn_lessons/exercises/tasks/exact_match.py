"""Exercise of lesson 5a: which share of the strings was copied without a mistake."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise

share = Exercise(
    "exact-match",
    "05a_bottleneck",
    """Write f(written, targets, valid_lens): written and targets (batch, length) hold symbols, valid_lens
    (batch,) says how many of each row are real. Return the share of the rows, between 0 and 1, whose real
    symbols are all right.""",
    (
        "`written == targets` is True where a symbol is right. What must be true of a whole row?",
        "What comes after the end of a row must not count. Call it right before you ask for `all`.",
        "`torch.arange(length) >= valid_lens[:, None]` is True after the end; `|` is or.",
    ),
    "share ()",
)


@share.solution
def share_of_rows(written, targets, valid_lens):
    """Call padding right, ask for all of a row, average over the rows."""
    padding = torch.arange(targets.shape[1]) >= valid_lens[:, None]  # (batch, length)
    right = (written == targets) | padding
    return right.all(dim=-1).float().mean()


WRITTEN = torch.tensor([
    [5, 7, 7, 2, 1], [2, 7, 0, 0, 0], [1, 4, 0, 4, 2], [2, 7, 5, 5, 5], [1, 2, 6, 8, 2], [6, 3, 3, 8, 3],
    [1, 2, 2, 6, 0], [3, 1, 8, 4, 0], [5, 8, 7, 8, 4], [5, 6, 3, 8, 6], [3, 2, 3, 0, 8],
])  # fmt: skip
TARGETS = torch.tensor([
    [5, 7, 7, 2, 1], [2, 7, 0, 0, 0], [1, 4, 0, 0, 0], [2, 7, 0, 0, 0], [3, 2, 6, 0, 0], [9, 1, 3, 8, 3],
    [1, 6, 2, 2, 0], [3, 1, 8, 7, 0], [5, 8, 7, 8, 7], [5, 2, 3, 0, 0], [3, 8, 3, 0, 0],
])  # fmt: skip
LENGTHS = torch.tensor([5, 2, 2, 2, 3, 5, 4, 4, 5, 3, 3])


def _rows(written: Tensor, targets: Tensor, lengths: Tensor) -> list[list[bool]]:
    """Which real symbols of each row are right, one at a time."""
    rows = zip(written.tolist(), targets.tolist(), lengths.tolist(), strict=True)
    return [[a == b for a, b in zip(w[:n], t[:n], strict=True)] for w, t, n in rows]


def _share(flags: list[bool]) -> Tensor:
    return torch.tensor(sum(flags) / len(flags))


@share.check
def _eleven_strings(answer: Answer) -> None:
    """eleven strings of different lengths, four of them right."""
    rows = _rows(WRITTEN, TARGETS, LENGTHS)
    answer.gives(WRITTEN, TARGETS, LENGTHS, wanted=_share([all(row) for row in rows]))


@share.check
def _other_symbols_behind_the_end(answer: Answer) -> None:
    """what stands behind the end may be any symbol, and 0 may be a real one."""
    targets = torch.tensor([[4, 0, 9, 9], [0, 3, 5, 9], [2, 9, 9, 9]])
    written = torch.tensor([[4, 0, 1, 2], [7, 3, 5, 9], [2, 5, 9, 0]])
    lengths = torch.tensor([2, 3, 1])
    answer.gives(written, targets, lengths, wanted=torch.tensor(2 / 3))


@share.also
def _more() -> Iterator[tuple]:
    """one string only, and none of them right."""
    yield WRITTEN[3:4], TARGETS[3:4], LENGTHS[3:4]
    yield WRITTEN[5:6], TARGETS[5:6], LENGTHS[5:6]
    yield WRITTEN[:, :3], TARGETS[:, :3], torch.tensor([3, 2, 1, 3, 2, 2, 3, 1, 2, 3, 1])


def _padding(targets: Tensor, valid_lens: Tensor) -> Tensor:
    return torch.arange(targets.shape[1]) >= valid_lens[:, None]


@share.mistake("padding is compared too")
def _all_columns(written, targets, valid_lens):
    """Only the first valid_lens symbols of a row are real; a model may write anything behind them."""
    return (written == targets).all(dim=1).float().mean()


@share.mistake("padding counts as wrong")
def _right_and_real(written, targets, valid_lens):
    """With `&` each place must be right and real, and padding is not real. Let it pass: `| padding`."""
    return ((written == targets) & ~_padding(targets, valid_lens)).all(dim=1).float().mean()


@share.mistake("the first symbol behind the end is compared as well")
def _one_more(written, targets, valid_lens):
    """With 2 real symbols, places 0 and 1 are real: is place 2?"""
    return ((written == targets) | _padding(targets, valid_lens + 1)).all(dim=1).float().mean()


@share.mistake("the last real symbol is not compared")
def _one_less(written, targets, valid_lens):
    """With 2 real symbols, places 0 and 1 are real: both must be right."""
    return ((written == targets) | _padding(targets, valid_lens - 1)).all(dim=1).float().mean()


@share.mistake("it is asked which places are right in all strings")
def _over_strings(written, targets, valid_lens):
    """`all` runs over the strings. Which axis holds the symbols of one string?"""
    return ((written == targets) | _padding(targets, valid_lens)).all(dim=0).float().mean()


@share.mistake("one wrong string makes the whole share 0")
def _all_at_once(written, targets, valid_lens):
    """`all` without an axis asks all strings at once. Which axis holds the symbols of one string?"""
    return ((written == targets) | _padding(targets, valid_lens)).all().float()


@share.mistake("single symbols are counted, not whole strings")
def _symbols(written, targets, valid_lens):
    """One wrong symbol makes the string wrong: ask for `all` of a row."""
    real = ~_padding(targets, valid_lens)
    return ((written == targets) & real).sum() / real.sum()


@share.mistake("single symbols are counted, padding included")
def _every_symbol(written, targets, valid_lens):
    """Ask for `all` of a row, and let padding out."""
    return (written == targets).float().mean()


@share.mistake("each string counts by its share of right symbols")
def _mean_of_means(written, targets, valid_lens):
    """One wrong symbol makes the whole string wrong."""
    real = ~_padding(targets, valid_lens)
    return (((written == targets) & real).sum(dim=1) / valid_lens).mean()


@share.mistake("one right symbol is enough")
def _any(written, targets, valid_lens):
    """`any` asks for one, `all` for every one."""
    return ((written == targets) & ~_padding(targets, valid_lens)).any(dim=1).float().mean()


@share.mistake("the rows are counted, not averaged")
def _count(written, targets, valid_lens):
    """A share lies between 0 and 1."""
    return ((written == targets) | _padding(targets, valid_lens)).all(dim=1).float().sum()


@share.mistake("it is the share of wrong strings")
def _wrong_ones(written, targets, valid_lens):
    """One minus this."""
    return ((written != targets) & ~_padding(targets, valid_lens)).any(dim=1).float().mean()


@share.mistake("only the first symbol is compared")
def _first(written, targets, valid_lens):
    """All real symbols must be right."""
    return (written[:, 0] == targets[:, 0]).float().mean()


@share.mistake("only the last symbol is compared")
def _last(written, targets, valid_lens):
    """All real symbols must be right."""
    rows = torch.arange(len(targets))
    return (written[rows, valid_lens - 1] == targets[rows, valid_lens - 1]).float().mean()


@share.mistake("the order of the symbols does not count")
def _sorted(written, targets, valid_lens):
    """The same symbols in another order are another string."""
    padding = _padding(targets, valid_lens)
    bags = [symbols.masked_fill(padding, -1).sort(dim=1).values for symbols in (written, targets)]
    return (bags[0] == bags[1]).all(dim=1).float().mean()


@share.mistake("padding is recognised by the symbol 0")
def _zeros_are_padding(written, targets, valid_lens):
    """Behind the end any symbol may stand, and 0 may be a real one: valid_lens says where a row ends."""
    return ((written == targets) | (targets == 0)).all(dim=1).float().mean()


@share.mistake("the right symbols are counted behind the end too")
def _counted(written, targets, valid_lens):
    """A symbol that is right by chance there makes up for a wrong one: let only real places count."""
    return ((written == targets).sum(dim=1) >= valid_lens).float().mean()


@share.mistake("the right symbols are counted behind the end too")
def _counted_exactly(written, targets, valid_lens):
    """A symbol that is right by chance there is one too many: let only real places count."""
    return ((written == targets).sum(dim=1) == valid_lens).float().mean()


@share.mistake("padding is recognised by the symbol that stands last")
def _last_is_padding(written, targets, valid_lens):
    """Behind the end any symbol may stand, and before it too: valid_lens says where a row ends."""
    return ((written == targets) | (targets == targets[:, -1:])).all(dim=1).float().mean()
