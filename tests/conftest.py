import random
import sys

import hypothesis
import matplotlib
import numpy as np
import pytest
import torch

matplotlib.use("Agg")
torch.set_num_threads(1)

# the same examples on every run, and no failure because a machine is slow
hypothesis.settings.register_profile("book", deadline=None, derandomize=True, max_examples=60)
hypothesis.settings.load_profile("book")

# The longest first, so that no worker waits for another at the end. The first two start together: one builds
# the book, the other has no need of it.
FIRST = ("tests/browser/test_pages.py", "tests/browser/test_jupyter.py", "tests/browser/")


def pytest_collection_modifyitems(items):
    def place(item):
        starts = [item.nodeid.startswith(start) for start in FIRST]
        return starts.index(True) if True in starts else len(FIRST)

    items.sort(key=place)


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
