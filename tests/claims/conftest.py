"""The code of the claims page, run once: the tests try the wrong versions that stand on the page."""

import functools
from typing import Any

import nbformat
import pytest
from built_site import ROOT

NOTEBOOK = ROOT / "notebooks/claims_tested.ipynb"


@functools.cache
def run_page() -> dict[str, Any]:
    """Run the page's code cells from top to bottom and give the names that they leave."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, f"{NOTEBOOK.stem}:{cell.id}", "exec"), namespace)
    return namespace


@pytest.fixture
def page() -> dict[str, Any]:
    return run_page()
