"""Choose some of many: the same in each run, others with SAMPLE_SEED=today, all with SAMPLE_SEED=all.

`make test` runs what a change can touch, and of all other tests a third of each file.
"""

import datetime
import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent


def seed() -> str:
    """The seed of all samples: 0, or what the environment says; "today" is another one each day."""
    said = os.environ.get("SAMPLE_SEED", "0")
    return datetime.date.today().isoformat() if said == "today" else said


def sample(items: Sequence[T], number: int, always: Sequence[T] = ()) -> list[T]:
    """Give some of the items besides those of always, in their order; all of them with SAMPLE_SEED=all."""
    if seed() == "all":
        return list(items)
    chosen = random.Random(f"{seed()} {len(items)}").sample(range(len(items)), min(number, len(items)))
    return [item for i, item in enumerate(items) if i in chosen or item in always]


def few(number: int, all_of_them: int) -> int:
    """Say how many are tried: a number, or all of them with SAMPLE_SEED=all."""
    return all_of_them if seed() == "all" else number


weekly = pytest.mark.skipif(
    seed() != "all", reason="dear, and seldom another verdict: runs with SAMPLE_SEED=all"
)


def a_third_of_the_untouched(tests: Sequence[pytest.Item], folders: Sequence[str]) -> list[pytest.Item]:
    """Leave out two of three tests of each file outside the folders, by lot."""
    files: dict[Path, list[pytest.Item]] = {}
    for test in tests:
        files.setdefault(test.path.relative_to(ROOT), []).append(test)
    kept: set[pytest.Item] = set()
    for file, inside in files.items():
        touched = seed() == "all" or any(file.is_relative_to(folder) for folder in folders)
        lot = random.Random(f"{seed()} {file}")
        kept |= set(inside if touched else lot.sample(inside, -(-len(inside) // 3)))
    return [test for test in tests if test in kept]


def covering(marks: Mapping[T, set[str]]) -> list[T]:
    """Choose as few items as it takes to have every mark that any of them has, those with most marks first.

    >>> covering({"a": {"x"}, "b": {"x", "y"}, "c": {"z"}})
    ['b', 'c']
    """
    left, chosen = set().union(*marks.values()), []
    while left:
        best = max(marks, key=lambda item: len(marks[item] & left))
        chosen.append(best)
        left -= marks[best]
    return chosen
