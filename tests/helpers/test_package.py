"""Rules that hold for every public name."""

import copy
import inspect
import re
import subprocess
import sys
from importlib.metadata import requires

import pytest
import torch
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.testing import assert_close

import attn_helpers as ah
from livetorch._torch import OLDEST, need_torch

QUERIES, KEYS, VALUES = torch.rand(2, 3, 5), torch.rand(2, 7, 5), torch.rand(2, 7, 11)
MASK, LENS = torch.rand(2, 3, 7) < 0.7, torch.tensor([2, 6])
X, Y, U = torch.rand(7), torch.rand(7), torch.rand(3, 4) * 2
SCORES = torch.rand(2, 3, 7)
W_Q, W_K, W_V = torch.rand(4, 5), torch.rand(4, 5), torch.rand(4)

# name -> how to call it; a new public name needs a line here, and is then held to the rules below
CALLS = {
    "AdditiveAttention": (
        lambda: ah.AdditiveAttention(5, 5, 4),
        (QUERIES, KEYS, VALUES, LENS),
        {"mask": MASK},
    ),
    "BahdanauAttention": (lambda: ah.BahdanauAttention(5, 5, 4), (QUERIES, KEYS), {"mask": MASK}),
    "DotProductAttention": (
        lambda: ah.DotProductAttention(0.0),
        (QUERIES, KEYS, VALUES, LENS),
        {"mask": MASK},
    ),
    "LearnedPositions": (lambda: ah.LearnedPositions(7, 5), (KEYS,), {}),
    "LuongAttention": (lambda: ah.LuongAttention(5, 5, "general"), (QUERIES, KEYS), {"mask": MASK}),
    "MultiHeadAttention": (lambda: ah.MultiHeadAttention(5, 1), (QUERIES, KEYS, KEYS), {"mask": MASK}),
    "NadarayaWatson": (lambda: ah.NadarayaWatson(), (X, X, Y), {"mask": ~torch.eye(7).bool()}),
    "additive_scores": (None, (QUERIES, KEYS, W_Q, W_K, W_V), {}),
    "alibi_bias": (None, (torch.rand(4), 3), {}),
    "alibi_slopes": (None, (4,), {}),
    "apply_rotary": (None, (torch.rand(2, 3, 4), torch.rand(3, 2)), {}),
    "attend": (None, (QUERIES, KEYS, VALUES), {"mask": MASK, "valid_lens": LENS}),
    "bilinear_scores": (None, (QUERIES, KEYS, torch.rand(5, 5)), {}),
    "boxcar": (None, (U,), {}),
    "causal_mask": (None, (3, 5), {}),
    "combine_masks": (None, (MASK, MASK[:, :1]), {}),
    "dot_product_scores": (None, (QUERIES, KEYS), {}),
    "epanechnikov": (None, (U,), {}),
    "gaussian": (None, (U,), {}),
    "gaussian_scores": (None, (QUERIES, KEYS), {"width": torch.tensor(0.5)}),
    "kernel_weights": (None, (X, X), {"kernel": "boxcar", "width": torch.tensor(0.5), "mask": MASK[0, 0]}),
    "laplacian": (None, (U,), {}),
    "leave_one_out_mask": (None, (3,), {}),
    "length_mask": (None, (LENS, 7), {}),
    "masked_softmax": (None, (SCORES, MASK), {"valid_lens": LENS}),
    "merge_heads": (None, (torch.rand(2, 3, 5, 7),), {}),
    "nadaraya_watson": (None, (X, X, Y), {"width": torch.tensor(0.5), "mask": MASK[0, 0]}),
    "new_axes": (None, (2,), {}),
    "quartic": (None, (U,), {}),
    "rotary_angles": (None, (3, 4), {}),
    "scaled_dot_product_attention": (None, (QUERIES, KEYS, VALUES), {"mask": MASK}),
    "scaled_dot_product_scores": (None, (QUERIES, KEYS), {"scale": torch.tensor(0.5)}),
    "score_function": (None, ("dot_product",), {}),
    "setup": (None, (), {}),
    "show_figure": (lambda: lambda y: ah.show_figure(ah.new_axes(), {"y": y}), (Y,), {}),
    "show_heatmaps": (None, (SCORES,), {"titles": ["a", "b"], "xticks": list("abcdefg")}),
    "show_lines": (None, (X, {"y": Y}), {"points": {"p": (X, Y)}}),
    "show_source": (None, (ah.attend,), {}),
    "sinusoidal_positions": (None, (3, 4), {}),
    "softmax_with_fill": (None, (SCORES, MASK), {"fill": -1e9}),
    "split_heads": (None, (torch.rand(2, 3, 6), 2), {}),
    "triangular": (None, (U,), {}),
    "window_mask": (None, (3, 5), {"reach": 1}),
}
NOT_CALLED = {"Heatmaps", "Picture", "Source", "kernel_functions", "score_functions"}  # results and tables
TRACED = [
    "AdditiveAttention", "DotProductAttention", "NadarayaWatson", "additive_scores", "attend",
    "bilinear_scores", "boxcar", "combine_masks", "dot_product_scores", "epanechnikov",
    "gaussian", "gaussian_scores", "kernel_weights", "laplacian", "length_mask",
    "masked_softmax", "nadaraya_watson", "quartic", "scaled_dot_product_attention",
    "scaled_dot_product_scores", "softmax_with_fill", "triangular",
]  # fmt: skip


def callable_of(name):
    make = CALLS[name][0]
    return make() if make else getattr(ah, name)


def tensors_in(tree):
    return [leaf for leaf in torch.utils._pytree.tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


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


class Wrapped(nn.Module):
    def __init__(self, function, options):
        super().__init__()
        self.function, self.options = function, options

    def forward(self, *args):
        return self.function(*args, **self.options)


def traceable(name):
    """Every tensor, masks and lengths included, is an input of the traced function."""
    _, args, options = CALLS[name]
    function, tensors = (
        callable_of(name),
        [x for x in (*args, *options.values()) if isinstance(x, torch.Tensor)],
    )

    def call(*given):
        left = list(given)
        new_args = [left.pop(0) if isinstance(x, torch.Tensor) else x for x in args]
        new_options = {key: left.pop(0) if isinstance(x, torch.Tensor) else x for key, x in options.items()}
        return function(*new_args, **new_options)

    return call, tuple(tensors)


@pytest.mark.parametrize("name", TRACED)
@pytest.mark.filterwarnings("ignore")
def test_functions_can_be_exported(name):
    call, tensors = traceable(name)
    program = torch.export.export(Wrapped(call, {}), tensors, strict=False).run_decompositions()
    assert_close(program.module()(*tensors), call(*tensors))


@pytest.mark.parametrize("name", TRACED)
def test_functions_can_be_traced_by_make_fx(name):
    call, tensors = traceable(name)
    assert_close(make_fx(call)(*tensors)(*tensors), call(*tensors))


@pytest.mark.parametrize("name", TRACED)
def test_a_traced_function_takes_other_values(name):
    call, tensors = traceable(name)
    others = tuple(x.flip(0) if x.dim() else x / 2 for x in tensors)
    assert_close(make_fx(call)(*tensors)(*others), call(*others))


def test_gradients_inside_a_function_can_be_traced():
    def loss(width):
        output, _ = ah.nadaraya_watson(X, X, Y, width=width, mask=ah.leave_one_out_mask(7))
        return (output - Y).square().mean()

    step, width = torch.func.grad_and_value(loss), torch.tensor(0.5)
    assert_close(make_fx(step)(width)(width * 2), step(width * 2))


def test_functions_can_be_vectorised():
    single = torch.func.vmap(lambda q, k, v, n: ah.attend(q, k, v, valid_lens=n))(QUERIES, KEYS, VALUES, LENS)
    assert_close(single, ah.attend(QUERIES, KEYS, VALUES, valid_lens=LENS))
    widths = torch.tensor([0.2, 0.5])
    outputs = torch.func.vmap(lambda width: ah.nadaraya_watson(X, X, Y, width=width)[0])(widths)
    assert_close(outputs, torch.stack([ah.nadaraya_watson(X, X, Y, width=width)[0] for width in widths]))


def test_functions_work_on_the_meta_device():
    output, weights = ah.attend(
        QUERIES.to("meta"), KEYS.to("meta"), VALUES.to("meta"), valid_lens=LENS.to("meta")
    )
    assert output.shape == (2, 3, 11)
    assert weights.device.type == "meta"


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
import torch
torch.__version__ = "2.9.1+cu128"
import {package}
"""


@pytest.mark.parametrize("package", ["attn_helpers", "livetorch.tracing.trace", "attn_lessons.exercises"])
def test_a_torch_that_is_too_old_is_told_in_one_line(package):
    run = subprocess.run(
        [sys.executable, "-c", OLD_TORCH.format(package=package)], capture_output=True, text=True
    )
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith(
        "ImportError: this book needs torch 2.13 or newer, and torch 2.9.1+cu128 is installed."
    )
    assert "%pip install --upgrade torch" in last


def test_the_oldest_torch_is_the_one_that_the_package_asks_pip_for():
    (wanted,) = (text for text in requires("attn-helpers") if text.startswith("torch"))
    assert wanted == f"torch>={OLDEST}"
    assert need_torch("2.14.1") is None
