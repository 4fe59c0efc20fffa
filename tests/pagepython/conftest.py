import pytest
from both_torches import Served


@pytest.fixture(scope="session")
def page(tmp_path_factory):
    """Start the page's Python once for all tests that give it snippets."""
    served = Served(tmp_path_factory.mktemp("page"))
    yield served
    served.close()
