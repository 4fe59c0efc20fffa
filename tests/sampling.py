"""Choose some of many: the same in each `make test`, others each week (SAMPLE_SEED=today), or all (=all)."""

import datetime
import os
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


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
