"""Dates written in several languages, with their ISO form and the place of year, month and day.

Chapter: notebooks/05b_trained_translator.ipynb
"""

import json
import random
import re
from datetime import date, timedelta
from importlib.resources import files
from typing import Any, NamedTuple

import torch
from torch import Tensor

_TABLE = json.loads(
    files("attn_lessons.studies.translation").joinpath("dates.json").read_text(encoding="utf-8")
)
_NAMES = _TABLE["locales"]

LOCALES = tuple(_NAMES)
FORMATS = ("full", "long", "medium")
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2099, 12, 31)
SOURCE_LENGTH = 36
TARGET_LENGTH = 10

_FIELDS = {"y": "year", "M": "month", "d": "day", "E": "weekday"}
_UNITS = {"year": "年", "month": "月", "day": "日"}


class DateExample(NamedTuple):
    """One date as people write it (`source`), its ISO form (`target`) and the source span of each field.

    Args:
        target: the date as year-month-day, ten characters.
        spans: (start, end) without end of "year", "month" and "day" in `source`, and of "weekday" where the
            form has one.

    >>> example = write_date(date(2024, 3, 5), "de", "medium")
    >>> example.source, example.target, example.source[slice(*example.spans["year"])]
    ('05.03.2024', '2024-03-05', '2024')
    """

    locale: str
    source: str
    target: str
    spans: dict[str, tuple[int, int]]


def write_date(day: date, locale: str = "en", form: str = "long") -> DateExample:
    """Write a date as people in one locale do, and say which characters hold year, month and day.

    A span is (start, end) without end. In Chinese and Japanese it includes the character that names the
    unit (年, 月, 日), because that character tells the field apart from the others.

    Source: names and patterns of the Unicode CLDR, read through babel 2.18.0.

    Args:
        form: one of `FORMATS`; the forms with two-digit years are left out, they are ambiguous.

    >>> from datetime import date
    >>> example = write_date(date(2024, 3, 5), "fr")
    >>> example.source, example.target, example.spans["month"]
    ('5 mars 2024', '2024-03-05', (2, 6))
    """
    if locale not in _NAMES:
        raise ValueError(f"locale must be one of {', '.join(LOCALES)}, got {locale!r}.")
    if form not in FORMATS:
        raise ValueError(f"form must be one of {', '.join(FORMATS)}, got {form!r}.")
    names = _NAMES[locale]
    text, spans = "", {}
    for literal, letters, other in re.findall(r"'([^']*)'|([yMdE]+)|([^yMdE']+)", names["patterns"][form]):
        start = len(text)
        text += _field_text(day, letters, names) if letters else literal or other
        if letters:
            spans[_FIELDS[letters[0]]] = (start, len(text))
    return DateExample(locale, text, day.isoformat(), _with_units(text, spans))


def split_dates(num_train: int, num_test: int, *, seed: int = 0) -> tuple[list[date], list[date]]:
    """Draw training and held-out dates of 1900 to 2099 with no date in both.

    Args:
        num_test: number of held-out dates; num_train + num_test at most 73,049.
    Returns: (training dates, held-out dates).

    >>> train, test = split_dates(2, 1)
    >>> len(train), len(test), set(train) & set(test)
    (2, 1, set())
    """
    num_days = (LAST_DAY - FIRST_DAY).days + 1
    if min(num_train, num_test) < 0 or num_train + num_test > num_days:
        raise ValueError(
            f"num_train and num_test must be at least 0 and at most {num_days} together, "
            f"got num_train={num_train}, num_test={num_test}."
        )
    order = list(range(num_days))
    random.Random(seed).shuffle(order)
    days = [FIRST_DAY + timedelta(number) for number in order[: num_train + num_test]]
    return days[num_test:], days[:num_test]


def date_examples(
    days: list[date], locales: tuple[str, ...] = LOCALES, *, seed: int = 0
) -> list[DateExample]:
    """Write each date once, in a locale and a form drawn at random.

    >>> [example.source for example in date_examples([date(2024, 3, 5)] * 2, ("en", "zh"))]
    ['2024年3月5日', 'March 5, 2024']
    """
    draw = random.Random(seed)
    return [write_date(day, draw.choice(locales), draw.choice(FORMATS)) for day in days]


def encode_sources(texts: list[str], length: int = SOURCE_LENGTH) -> tuple[Tensor, Tensor]:
    """Turn texts into character numbers, padded with 0; a character never seen in a date becomes 1.

    Args:
        texts: the texts, each at most `length` characters.
    Returns: (ids (batch, length) int64, lengths (batch,) int64).

    >>> encode_sources(["5/8"], length=4)
    (tensor([[12,  6, 15,  0]]), tensor([3]))
    """
    longest = max(map(len, texts), default=0)
    if longest > length:
        raise ValueError(f"texts must have at most length={length} characters, got {longest}.")
    rows = [[_SOURCE_IDS.get(c, 1) for c in text] + [0] * (length - len(text)) for text in texts]
    ids = torch.tensor(rows, dtype=torch.int64).reshape(len(texts), length)
    return ids, torch.tensor([len(text) for text in texts], dtype=torch.int64)


def encode_targets(texts: list[str]) -> Tensor:
    """Turn ISO dates into numbers: a digit is itself, a hyphen is 10.

    Args:
        texts: the dates, all of the same number of characters.
    Returns: ids (batch, queries) int64 of 0 to 10, one column per character.

    >>> encode_targets(["2024-03-05"])
    tensor([[ 2,  0,  2,  4, 10,  0,  3, 10,  0,  5]])
    """
    for text in texts:
        if foreign := sorted(set(text) - set(TARGET_CHARACTERS)):
            raise ValueError(
                f"texts must hold only the characters {TARGET_CHARACTERS!r}, got {foreign} in {text!r}."
            )
        if len(text) != len(texts[0]):
            raise ValueError(f"texts must have the same length, got {texts[0]!r} and {text!r}.")
    return torch.tensor([[TARGET_CHARACTERS.index(c) for c in text] for text in texts], dtype=torch.int64)


def decode_targets(ids: Tensor) -> list[str]:
    """Turn rows of numbers back into text.

    Args:
        ids: (batch, queries) int64 of 0 to 10, as `encode_targets` gives them.

    >>> decode_targets(torch.tensor([[2, 0, 10]]))
    ['20-']
    """
    return ["".join(TARGET_CHARACTERS[i] for i in row) for row in ids.tolist()]


def _field_text(day: date, letters: str, names: dict[str, Any]) -> str:
    """Write one field of a pattern: EEEE weekday, y year, MMMM or MMM or M month, d day."""
    if letters == "EEEE":
        return names["weekdays"][day.weekday()]
    if letters in ("MMMM", "MMM"):
        return names["months" if letters == "MMMM" else "short_months"][day.month - 1]
    number = {"y": day.year, "M": day.month, "d": day.day}[letters[0]]
    return str(number).zfill(len(letters))


def _with_units(text: str, spans: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Let the span of a field include 年, 月 or 日 where it follows the number."""
    return {
        field: (start, end + (text[end : end + 1] == _UNITS.get(field)))
        for field, (start, end) in spans.items()
    }


def _source_characters() -> tuple[str, ...]:
    """Collect every character that a date can hold, in both cases: a reader may type either."""
    lists = [names[key] for names in _NAMES.values() for key in ("months", "short_months", "weekdays")]
    lists += [list(names["patterns"].values()) for names in _NAMES.values()]
    text = "".join("".join(parts) for parts in lists).replace("'", "") + "0123456789-"
    return ("", "?", *sorted(set(text + text.lower() + text.upper())))


SOURCE_CHARACTERS = _source_characters()
"""What each source number stands for: 0 is padding, 1 is any character that dates do not have."""

TARGET_CHARACTERS = "0123456789-"
"""What each target number stands for."""

_SOURCE_IDS = {character: number for number, character in enumerate(SOURCE_CHARACTERS) if number > 1}
