import pytest
import torch

from attn_helpers import AdditiveAttention, masked_softmax, setup, show_source, triangular


def test_setup_makes_random_numbers_repeat():
    setup()
    first = torch.rand(3)
    setup()
    assert torch.equal(torch.rand(3), first)


def test_setup_prints_four_decimals_without_powers_of_ten():
    setup()
    assert repr(torch.tensor([1e-4, 1000.0])) == "tensor([   0.0001, 1000.0000])"


def test_the_source_is_the_code_of_the_package_without_docstring():
    shown = show_source(triangular)
    assert repr(shown) == (
        "# attn_helpers/kernels.py\n"
        "def triangular(u: Tensor) -> Tensor:\n"
        "    _check.floating(u=u)\n"
        "    return (1 - u.abs()).clamp(min=0)"
    )
    assert shown._repr_mimebundle_()["text/markdown"] == f"```python\n{shown!r}\n```"


def test_the_docstring_can_be_shown():
    assert "Weigh by a straight slope" in repr(show_source(triangular, docstring=True))


def test_a_class_is_shown_without_any_of_its_docstrings():
    text = repr(show_source(AdditiveAttention))
    assert '"""' not in text
    assert "def forward(" in text
    compile(text, "shown", "exec")


def test_several_objects_are_shown_one_after_the_other():
    text = repr(show_source(triangular, masked_softmax))
    assert text.index("def triangular") < text.index("# attn_helpers/masking.py\ndef masked_softmax")


@pytest.mark.parametrize(("objects", "expected"), [((), "got none"), ((len,), "got len"), ((3,), "got int")])
def test_what_has_no_source_is_refused(objects, expected):
    with pytest.raises(TypeError, match=expected):
        show_source(*objects)


def test_setup_takes_one_thread_unless_the_environment_asks_for_more(monkeypatch):
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)  # as torch does at its start where it is asked for two
        monkeypatch.setenv("OMP_NUM_THREADS", "2")
        setup()
        assert torch.get_num_threads() == 2
        monkeypatch.delenv("OMP_NUM_THREADS")
        setup()
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)
