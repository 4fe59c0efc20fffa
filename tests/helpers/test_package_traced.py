"""Public functions can be exported, traced, vectorised and differentiated."""

import pytest
import torch
from public_calls import CALLS, KEYS, LENS, QUERIES, VALUES, X, Y, callable_of
from sampling import sample
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.testing import assert_close

import attn_helpers as ah

TRACED = [
    "AdditiveAttention", "DotProductAttention", "NadarayaWatson", "additive_scores", "attend",
    "bilinear_scores", "boxcar", "combine_masks", "dot_product_scores", "epanechnikov",
    "gaussian", "gaussian_scores", "kernel_weights", "laplacian", "length_mask",
    "masked_softmax", "nadaraya_watson", "quartic", "scaled_dot_product_attention",
    "scaled_dot_product_scores", "softmax_with_fill", "triangular",
]  # fmt: skip


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


@pytest.mark.parametrize("name", sample(TRACED, 4, ["AdditiveAttention", "attend"]))
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
