"""Exercise of lesson 5c: which share of the strings was copied without a mistake."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect

share = Exercise(
    "exact-match",
    "05c_bottleneck",
    """Write f(written, targets, valid_lens): written and targets (batch, length) hold symbols, valid_lens
    (batch,) says how many of each row are real. Return the share of the rows, between 0 and 1, whose real
    symbols are all right.""",
    (
        "`written == targets` is True where a symbol is right. What must be true of a whole row?",
        "What stands behind the end of a row must not count: call it right before you ask for `all`.",
        "`torch.arange(length) >= valid_lens[:, None]` is True behind the end; `|` is or.",
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
    whole = [all(row) for row in rows]
    bags = zip(WRITTEN.tolist(), TARGETS.tolist(), LENGTHS.tolist(), strict=True)
    same, places = WRITTEN == TARGETS, torch.arange(TARGETS.shape[1])
    padded = same.all(dim=-1).float().mean()

    def with_end(more: int) -> Tensor:
        """The share when each string ends so many symbols later."""
        return (same | (places >= LENGTHS[:, None] + more)).all(dim=-1).float().mean()

    suspects = [
        Suspect(
            "padding is compared too",
            "Only the first valid_lens symbols of a row are real; a model may write anything behind them.",
            padded,
        ),
        Suspect(
            "padding counts as wrong",
            "With `&` each place must be right and real, and padding is not real. Let it pass: `| padding`.",
            (same & (places < LENGTHS[:, None])).all(dim=-1).float().mean(),
        ),
        Suspect(
            "the first symbol behind the end is compared as well",
            "With 2 real symbols, places 0 and 1 are real: is place 2?",
            with_end(1),
        ),
        Suspect(
            "the last real symbol is not compared",
            "With 2 real symbols, places 0 and 1 are real: both must be right.",
            with_end(-1),
        ),
        Suspect(
            "it is asked which places are right in all strings",
            "`all` runs over the strings. Which axis holds the symbols of one string?",
            (same | (places >= LENGTHS[:, None])).all(dim=0).float().mean(),
        ),
        Suspect(
            "single symbols are counted, not whole strings",
            "One wrong symbol makes the string wrong: ask for `all` of a row.",
            _share([flag for row in rows for flag in row]),
        ),
        Suspect(
            "single symbols are counted, padding included",
            "Ask for `all` of a row, and let padding out.",
            (WRITTEN == TARGETS).float().mean(),
        ),
        Suspect(
            "each string counts by its share of right symbols",
            "One wrong symbol makes the whole string wrong.",
            torch.tensor([sum(row) / len(row) for row in rows]).mean(),
        ),
        Suspect(
            "one right symbol is enough",
            "`any` asks for one, `all` for every one.",
            _share([any(row) for row in rows]),
        ),
        Suspect(
            "the rows are counted, not averaged",
            "A share lies between 0 and 1.",
            torch.tensor(float(sum(whole))),
        ),
        Suspect("it is the share of wrong strings", "One minus this.", 1 - _share(whole)),
        Suspect(
            "only the first symbol is compared",
            "All real symbols must be right.",
            _share([row[0] for row in rows]),
        ),
        Suspect(
            "only the last symbol is compared",
            "All real symbols must be right.",
            _share([row[-1] for row in rows]),
        ),
        Suspect(
            "the order of the symbols does not count",
            "The same symbols in another order are another string.",
            _share([sorted(w[:n]) == sorted(t[:n]) for w, t, n in bags]),
        ),
    ]
    given = (WRITTEN, TARGETS, LENGTHS)
    answer.gives(*given, wanted=_share(whole), suspects=suspects)


@share.also
def _more() -> Iterator[tuple]:
    """one string only, and none of them right."""
    yield WRITTEN[3:4], TARGETS[3:4], LENGTHS[3:4]
    yield WRITTEN[5:6], TARGETS[5:6], LENGTHS[5:6]
    yield WRITTEN[:, :3], TARGETS[:, :3], torch.tensor([3, 2, 1, 3, 2, 2, 3, 1, 2, 3, 1])
