import os
import random
import sys
from pathlib import Path

import hypothesis
import matplotlib
import numpy as np
import pytest
import torch
from sampling import a_third_of_the_visits, left_out

matplotlib.use("Agg")
torch.set_num_threads(1)

# the same examples on every run, and no failure because a machine is slow
hypothesis.settings.register_profile("book", deadline=None, derandomize=True, max_examples=60)
hypothesis.settings.load_profile("book")

# The longest first, so that no worker waits for another at the end. While one builds the book, the others do
# what has no need of it.
FIRST = (
    *("tests/browser/test_pages.py", "tests/recipes/", "tests/pagepython/", "tests/browser/test_jupyter.py"),
    *("tests/browser/", "tests/notebooks/"),
)
REPORTS = Path(__file__).resolve().parent.parent / "_build" / "reports"


def pytest_ignore_collect(collection_path):
    return True if collection_path.match("test_*.py") and left_out(collection_path) else None


def pytest_collection_modifyitems(config, items):
    kept = a_third_of_the_visits(items)
    config.hook.pytest_deselected(items=[*{*items}.difference(kept)])
    items[:] = kept

    def place(item):
        starts = [item.nodeid.startswith(start) for start in FIRST]
        return starts.index(True) if True in starts else len(FIRST)

    items.sort(key=place)


def pytest_sessionfinish():
    """Keep what this process and all it has waited for took of the processor; browsers keep their own."""
    REPORTS.mkdir(parents=True, exist_ok=True)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    (REPORTS / f"took_{worker}.txt").write_text(f"{sum(os.times()[:4]):.1f}\n", encoding="utf-8")


@pytest.fixture(autouse=True)
def _same_numbers_every_time(request):
    seed = sum(map(ord, request.node.nodeid))
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    yield
    torch.set_printoptions(profile="default")
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
