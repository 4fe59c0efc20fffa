"""The date translators of lesson 5b: how they were trained, and what they do with a text.

Chapter: notebooks/05b_trained_translator.ipynb
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from attn_lessons.studies.training import load_weights, seeded, symbol_loss, train
from attn_lessons.studies.translation import dates
from attn_lessons.studies.translation.batches import date_batches
from attn_lessons.studies.translation.translator import Translator

NUM_STEPS = 1000
MAX_RATE = 2e-3
STORED = ("bahdanau", "dot", "fixed")
# the fixed vector gets two more hidden units: without attention it would have fewer parameters
_NUM_HIDDENS = {"fixed": 34}

SURE = 0.97
"""Of 100 held-out dates, all written right, one has a character that got a lower probability (lesson 5b)."""

_DASH = dates.TARGET_CHARACTERS.index("-")
_FIELD_OF = torch.tensor([0, 0, 0, 0, 0, 1, 1, 0, 2, 2])  # of a written character: 1 the month, 2 the day
_OUTPUT_SPANS = {"year": (0, 4), "month": (5, 7), "day": (8, 10)}


def make_translator(attention: str = "bahdanau", *, seed: int = 0) -> Translator:
    """Make an untrained date translator.

    Returns: a Translator from characters of a date to characters of its ISO form.

    >>> sum(parameter.numel() for parameter in make_translator().parameters())
    61611
    """
    sizes = len(dates.SOURCE_CHARACTERS), len(dates.TARGET_CHARACTERS)
    num_hiddens = _NUM_HIDDENS.get(attention, 32)
    return seeded(lambda: Translator(*sizes, attention, embed_size=24, num_hiddens=num_hiddens), seed)


def train_translator(
    attention: str = "bahdanau",
    *,
    seed: int = 0,
    stop_after: int | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> tuple[Translator, list[float]]:
    """Train a date translator as the stored ones were trained (about 40 seconds on one core).

    Returns: (the trained translator, the loss of each of 1,000 steps).

    >>> model, losses = train_translator(stop_after=1)
    >>> len(losses)
    1
    """
    model = make_translator(attention, seed=seed)
    losses = train(
        model,
        date_batches(seed=seed),
        symbol_loss,
        num_steps=NUM_STEPS,
        max_rate=MAX_RATE,
        stop_after=stop_after,
        progress=progress,
    )
    return model, losses


def load_translator(attention: str = "bahdanau") -> tuple[Translator, list[float]]:
    """Load a stored date translator, trained by `train_translator` with seed 0, its weights kept as float16.

    Args:
        attention: one of `STORED`.
    Returns: (the trained translator, the loss of each step of its training).

    >>> model, losses = load_translator()
    >>> translate_dates(model, ["March 5, 2024", "2024年3月5日星期二"])[0]
    ['2024-03-05', '2024-03-05']
    """
    if attention not in STORED:
        raise ValueError(f"attention must be one of {', '.join(STORED)}, got {attention!r}.")
    model = make_translator(attention)
    return model, load_weights(model, f"translation/dates_{attention}_1x")


def translate_dates(model: Translator, texts: Sequence[str]) -> tuple[list[str], Tensor]:
    """Translate dates, the likeliest character each time.

    Args:
        texts: dates as people write them, 1 to 36 characters each.
    Returns: (ISO dates, weights (batch, queries, keys): one row per written character, one column per
        character of the longest text).

    >>> model, _ = load_translator("dot")
    >>> output, weights = translate_dates(model, ["5. März 2024"])
    >>> output, weights.shape
    (['2024-03-05'], torch.Size([1, 10, 12]))
    """
    if not texts or not all(texts):
        raise ValueError(f"texts must be at least 1 text of at least 1 character, got {list(texts)}.")
    source_ids, lengths = dates.encode_sources(list(texts))
    with torch.no_grad():
        ids, weights = model.translate(source_ids[:, : max(lengths)], lengths, dates.TARGET_LENGTH)
    return dates.decode_targets(ids), weights


def exact_match(model: Translator, examples: Sequence[dates.DateExample]) -> float:
    """Return the share of dates of which all ten characters are right.

    Formula: share = (number of examples whose translation equals the target) / (number of examples)

    >>> from datetime import date
    >>> exact_match(load_translator()[0], [dates.write_date(date(2024, 3, 5), "fr")])
    1.0
    """
    if not examples:
        raise ValueError("examples must hold at least 1 date, got 0.")
    written, _ = translate_dates(model, [example.source for example in examples])
    return sum(text == e.target for text, e in zip(written, examples, strict=True)) / len(examples)


def alignment_shares(weights: Tensor, examples: Sequence[dates.DateExample]) -> dict[str, float]:
    """Return how much of the weight lies inside the true source span, for year, month and day.

    Formula: share = mean over the field's output characters of the sum of weights[t, start:end]

    Args:
        weights: (batch, queries, keys), as `translate_dates` returns them.
    Returns: the mean share, between 0 and 1, of each field.

    >>> from datetime import date
    >>> examples = [dates.write_date(date(2024, 3, 5), "zh")]      # 9 characters, 5 of them the year
    >>> round(alignment_shares(torch.full((1, 10, 9), 1 / 9), examples)["year"], 4)
    0.5556
    """
    shares = {}
    for field, (first, last) in _OUTPUT_SPANS.items():
        spans = [example.spans[field] for example in examples]
        inside = [
            rows[first:last, start:end].sum(dim=-1).mean()
            for rows, (start, end) in zip(weights, spans, strict=True)
        ]
        shares[field] = torch.stack(inside).mean().item()
    return shares


def trace_translation(
    model: Translator, source_ids: Tensor, length: Tensor, kept: Tensor | None = None
) -> dict[str, Tensor]:
    """Translate one date as a function of tensors alone, so that it can run in a page.

    Args:
        source_ids: (keys,) int64, padded with 0.
        length: number of characters, a tensor without axes.
        kept: (keys,) bool, True = it may look there; None: everywhere.
    Returns: ids (queries,), weights (queries, keys), sure (queries,): the probability of each character
        that is written.

    >>> ids, lengths = dates.encode_sources(["5 mars 2024"])
    >>> result = trace_translation(load_translator()[0], ids[0], lengths[0])
    >>> dates.decode_targets(result["ids"][None])
    ['2024-03-05']
    """
    may_look = None if kept is None else kept.unsqueeze(0)
    found = model.write(source_ids.unsqueeze(0), length.reshape(1), dates.TARGET_LENGTH, may_look)
    return {name: one[0] for name, one in found.items()}


def doubts(ids: Tensor, sure: Tensor, kept: Tensor) -> Tensor:
    """Say of each written character what speaks against it: the model's own doubt, and the calendar.

    Formula: doubts = 1 (sure < SURE) + 2 (the character is part of no date); 4 for 1 where a character
        of the year is doubted and all was read: the date is then often of a form or a year that it never saw

    Args:
        ids: (queries,) int64, the ten characters of one date.
        sure: (queries,), the probability of each.
        kept: (keys,) bool, True = it may look there.
    Returns: (queries,) int64 of 0 to 6.

    >>> ids, kept = dates.encode_targets(["2023-02-29"])[0], torch.ones(3)
    >>> sure = torch.tensor([0.5] + 9 * [1.0])
    >>> doubts(ids, sure, kept == 1)
    tensor([4, 0, 0, 0, 0, 0, 0, 0, 2, 2])
    >>> doubts(ids, sure, kept == 0)
    tensor([1, 0, 0, 0, 0, 0, 0, 0, 2, 2])
    """
    in_form = (ids == _DASH) == torch.tensor([at in (4, 7) for at in range(dates.TARGET_LENGTH)])
    digits = ids % _DASH
    year = (digits[:4] * torch.tensor([1000, 100, 10, 1])).sum()
    month, day = digits[5] * 10 + digits[6], digits[8] * 10 + digits[9]
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    long = torch.tensor([31, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])[month % 13]
    no_month = (month < 1) | (month > 12)
    no_day = (day < 1) | (day > long + ((month == 2) & leap).long())
    fields = torch.stack([no_day & False, no_month, no_day])[_FIELD_OF]  # the year may be any
    unsure = sure < SURE
    of_year = unsure[:4].any() & kept.all()
    return unsure.long() * (1 + 3 * of_year.long()) + 2 * (fields | ~in_form).long()
