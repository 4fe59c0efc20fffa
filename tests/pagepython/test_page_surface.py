"""Programs that hypothesis writes print in the page what they print in PyTorch."""

import warnings

import pytest
from both_torches import Served, differs, in_torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import few
from snippets import arithmetic, indexing, reducing, taped, tensors, writing

MANY = settings(
    max_examples=few(20, 60),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    served = Served(tmp_path_factory.mktemp("page"))
    yield served
    served.close()


def hold(page: Served, code: str, tolerance: float, *, refused: bool = False) -> None:
    """Hold what a program prints in the page against PyTorch; `refused`: PyTorch may be stricter."""
    code = f"import torch\n{code}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (wanted,) = in_torch([code])
    if refused and wanted.endswith("RuntimeError\n"):
        return
    # where an operand has two faults, PyTorch may name the other one first; who catches the one catches both
    found, wanted = (
        text.replace("NotImplementedError\n", "RuntimeError\n") for text in (page.run(code), wanted)
    )
    assert not differs(found, wanted, tolerance), f"\n{code}\n-> page\n{found}\n-> torch\n{wanted}"


@MANY
@given(tensors())
def test_a_tensor_is_printed_as_torch_prints_it(page, tensor):
    hold(page, f"print({tensor})", 0.0)


@pytest.mark.parametrize(
    ("programs", "tolerance"),
    [(indexing(), 0.0), (arithmetic(), 1e-3), (reducing(), 1e-3), (writing(), 1e-4)],
    ids=["places read and written", "two operands", "along an axis", "views that share memory"],
)
@MANY
@given(data=st.data())
def test_a_program_prints_what_it_prints_in_torch(page, programs, tolerance, data):
    hold(page, data.draw(programs), tolerance)


@MANY
@given(taped())
def test_gradients_go_through_written_views_as_in_torch(page, code):
    # PyTorch keeps results where the page keeps copies, and refuses what was written into afterwards
    hold(page, code, 1e-4, refused=True)
