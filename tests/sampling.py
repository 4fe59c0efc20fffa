"""Choose some of many: the same ones in `make test`, others every day in a weekly run (SAMPLE_SEED=today)."""

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


def sample(items: Sequence[T], number: int) -> list[T]:
    """Give some of the items, in their order; all of them with SAMPLE_SEED=all."""
    if seed() == "all":
        return list(items)
    chosen = random.Random(f"{seed()} {len(items)}").sample(range(len(items)), min(number, len(items)))
    return [items[i] for i in sorted(chosen)]
