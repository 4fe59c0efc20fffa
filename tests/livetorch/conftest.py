"""What the tests of the engine share."""

import pytest
from built_site import site  # noqa: F401
from node_runner import NodeRunner


@pytest.fixture(scope="module")
def node():
    """Run Programs in one process of Node for all tests of a file."""
    with NodeRunner() as runner:
        yield runner
