"""Choose some of many: the same in each run, others with SAMPLE_SEED=today, all with SAMPLE_SEED=all.

`make test` runs what a change can touch, and of each other folder a third of its files.
"""

import datetime
import functools
import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent
VISITS = ("test_pages.py", "test_figures.py")  # every page and figure: a third of these instead


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


def touched(file: Path) -> bool:
    """Say whether `make test` runs this file whole: a change can touch it, or all tests are wanted."""
    folders = os.environ.get("TOUCHED", "tests").split()  # what tools/site/changed.py says
    return seed() == "all" or any(file.is_relative_to(ROOT / folder) for folder in folders)


@functools.cache
def _by_lot(folder: Path) -> list[Path]:
    files = sorted(folder.rglob("test_*.py"))
    return random.Random(f"{seed()} {folder.name}").sample(files, -(-len(files) // 3))


def left_out(file: Path) -> bool:
    """Say whether a file of tests is untouched and not among the third of its folder that the lot draws."""
    folder = ROOT / "tests" / file.relative_to(ROOT / "tests").parts[0]
    return not touched(file) and file.name not in VISITS and file not in _by_lot(folder)


def a_third_of_the_visits(tests: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Leave out two of three visits by lot where nothing is touched that they look at."""
    visits = [test for test in tests if test.path.name in VISITS and not touched(test.path)]
    lot = random.Random(seed()).sample(visits, -(-len(visits) // 3))
    return [test for test in tests if test not in visits or test in lot]


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
