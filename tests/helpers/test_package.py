"""Rules that hold for every public name."""

import copy
import inspect
import re
import subprocess
import sys
from importlib.metadata import requires

import pytest
import torch
from public_calls import CALLS, callable_of, tensors_in
from torch.testing import assert_close

import attn_helpers as ah
from livetorch._torch import OLDEST, need_torch

NOT_CALLED = {"Heatmaps", "Picture", "Source", "kernel_functions", "score_functions"}  # results and tables


def test_every_public_name_is_held_to_the_rules():
    assert set(CALLS) | NOT_CALLED == set(ah.__all__)


def test_every_public_name_exists_and_star_import_finds_it():
    names = {}
    exec("from attn_helpers import *", names)
    assert set(ah.__all__) <= set(names)
    assert set(ah.__all__) <= set(dir(ah))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'attn_helpers' has no attribute 'flash'"):
        _ = ah.flash


@pytest.mark.parametrize("name", CALLS)
def test_arguments_are_left_unchanged(name):
    _, args, options = CALLS[name]
    before = copy.deepcopy((args, options))
    callable_of(name)(*args, **options)
    for then, now in zip(tensors_in(before), tensors_in((args, options)), strict=True):
        assert torch.equal(then, now)


@pytest.mark.parametrize("name", CALLS)
def test_the_same_call_gives_the_same_result_again(name):
    _, args, options = CALLS[name]
    function = callable_of(name)
    first, second = function(*args, **options), function(*args, **options)
    for one, other in zip(tensors_in(first), tensors_in(second), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize(
    "name", [name for name, call in CALLS.items() if isinstance(getattr(ah, name), type)]
)
def test_layers_can_be_copied_and_stored_after_a_call(name):
    _, args, options = CALLS[name]
    layer = callable_of(name)
    layer(*args, **options)
    again = copy.deepcopy(layer)
    again.load_state_dict(layer.state_dict())
    assert_close(again(*args, **options), layer(*args, **options))


@pytest.mark.parametrize("name", sorted(set(ah.__all__) - {"kernel_functions", "score_functions"}))
def test_every_public_name_has_a_sentence_and_an_example(name):
    sentence, _, example = inspect.getdoc(getattr(ah, name)).partition(">>>")
    assert re.match(r"[A-Z].*?[.:]", sentence)
    assert example


@pytest.mark.parametrize("name", sorted(set(ah.__all__) - {"kernel_functions", "score_functions"}))
def test_every_public_name_has_type_hints(name):
    thing = getattr(ah, name)
    functions = (
        [thing.__init__, getattr(thing, "forward", thing.__init__)] if isinstance(thing, type) else [thing]
    )
    for function in functions:
        signature = inspect.signature(function)
        hints = [p.annotation for p in signature.parameters.values() if p.name != "self"]
        assert inspect.Parameter.empty not in hints
        assert signature.return_annotation is not inspect.Signature.empty


def test_importing_the_package_does_not_load_matplotlib():
    code = "import sys, attn_helpers; print({'matplotlib', 'seaborn', 'IPython'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8")
    assert run.stdout == "set()\n"


OLD_TORCH = """
import importlib
import torch
torch.__version__ = "2.9.1+cu128"
for package in ("attn_helpers", "livetorch.tracing.trace", "attn_lessons.exercises"):
    try:
        importlib.import_module(package)
    except ImportError as error:
        print(error)
"""


def test_a_torch_that_is_too_old_is_told_in_one_line():
    run = subprocess.run([sys.executable, "-c", OLD_TORCH], capture_output=True, check=True, text=True)
    told = run.stdout.splitlines()
    assert len(told) == 3
    for line in told:
        assert line.startswith("this book needs torch 2.13 or newer, and torch 2.9.1+cu128 is installed.")
        assert "%pip install --upgrade torch" in line


def test_the_oldest_torch_is_the_one_that_the_package_asks_pip_for():
    (wanted,) = (text for text in requires("attn-helpers") if text.startswith("torch"))
    assert wanted == f"torch>={OLDEST}"
    assert need_torch("2.14.1") is None
