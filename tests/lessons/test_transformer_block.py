"""The formulas of the transformer block: against numbers by hand, torch.nn, and the book's own module."""

import sys

import pytest
import torch
import transformer_block
from built_site import ROOT
from torch import nn
from torch.nn import functional
from torch.testing import assert_close

from attn_lessons.studies.transformer import Block, feed_forward, layer_norm, post_norm, pre_norm

NAMES = {
    "self_attn.out_proj": "attention.W_o",
    "linear1": "mlp.grow",
    "linear2": "mlp.shrink",
}


def _random(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def _as_plain(layer: nn.TransformerEncoderLayer) -> dict[str, torch.Tensor]:
    """The parameters of torch's layer under the names of the plain file."""
    found = {}
    for name, value in layer.state_dict().items():
        if "in_proj" in name:
            kind = name.rpartition("_")[2]
            parts = zip("qkv", value.chunk(3), strict=True)
            found |= {f"attention.W_{letter}.{kind}": part for letter, part in parts}
            continue
        place, kind = name.rsplit(".", 1)
        if place in ("norm1", "norm2"):
            found[f"norm_{place[-1]}.{'gain' if kind == 'weight' else 'shift'}"] = value
        else:
            found[f"{NAMES[place]}.{kind}"] = value
    return found


@pytest.mark.parametrize("shape", [(6,), (3, 6), (2, 5, 6)])
def test_layer_norm_is_torchs(shape):
    inputs, gain, shift = _random(*shape), _random(6, seed=1), _random(6, seed=2)
    assert_close(layer_norm(inputs), functional.layer_norm(inputs, (6,)))
    assert_close(layer_norm(inputs, gain, shift), functional.layer_norm(inputs, (6,), gain, shift))
    assert_close(layer_norm(inputs, eps=0.1), functional.layer_norm(inputs, (6,), eps=0.1))


@pytest.mark.parametrize("bend", [torch.relu, functional.gelu])
def test_the_mlp_is_two_linear_layers_with_a_bend_between_them(bend):
    grow, shrink = nn.Linear(6, 9).double(), nn.Linear(9, 6).double()
    inputs = _random(2, 5, 6)
    found = feed_forward(inputs, grow.weight.T, shrink.weight.T, grow.bias, shrink.bias, bend=bend)
    assert_close(found, shrink(bend(grow(inputs))))
    without = feed_forward(inputs, grow.weight.T, shrink.weight.T, bend=bend)
    assert_close(without, bend(inputs @ grow.weight.T) @ shrink.weight.T)


@pytest.mark.parametrize("norm_first", [True, False])
def test_both_orders_are_those_of_torchs_layer(norm_first):
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(6, 2, 9, 0.0, batch_first=True, norm_first=norm_first).double().eval()
    inputs = _random(2, 5, 6)

    def attend(x: torch.Tensor) -> torch.Tensor:
        return layer.self_attn(x, x, x, need_weights=False)[0]

    def think(x: torch.Tensor) -> torch.Tensor:
        weights = layer.linear1.weight.T, layer.linear2.weight.T
        return feed_forward(x, *weights, layer.linear1.bias, layer.linear2.bias)

    around = pre_norm if norm_first else post_norm
    assert_close(around(around(inputs, attend), think), layer(inputs))
    other = post_norm if norm_first else pre_norm
    assert (other(other(inputs, attend), think) - layer(inputs)).abs().max() > 0.1


def test_the_plain_block_is_torchs_layer_and_the_books_block():
    torch.manual_seed(0)
    options = {"batch_first": True, "norm_first": True, "activation": "gelu", "dtype": torch.float64}
    layer = nn.TransformerEncoderLayer(6, 2, 24, 0.0, **options).eval()
    with torch.no_grad():
        for value in layer.parameters():
            value += 0.1 * torch.randn_like(value)  # gains of 1 and shifts of 0 would hide a slip
    plain = transformer_block.Block(6, 2).double()
    plain.load_state_dict(_as_plain(layer))
    inputs, mask = _random(2, 5, 6), torch.ones(5, 5).tril().bool()
    assert_close(plain(inputs), layer(inputs))
    assert_close(plain(inputs, mask), layer(inputs, src_mask=~mask))

    own = Block(6, 2).double()
    state = {name.replace("mlp.", "").replace("gain", "weight"): v for name, v in _as_plain(layer).items()}
    own.load_state_dict({name.replace("shift", "bias"): value for name, value in state.items()})
    assert_close(own(inputs, mask)[0], plain(inputs, mask))


def test_the_plain_model_learns():
    torch.manual_seed(0)
    model = transformer_block.Model()
    before = transformer_block.train(model, steps=0)
    assert transformer_block.train(model, steps=120) < before / 10


def test_the_plain_files_are_short_and_need_no_package_of_the_book():
    files = sorted((ROOT / "plain").glob("*.py"))
    assert len(files) >= 2
    for path in files:
        lines = path.read_text(encoding="utf-8").splitlines()
        # an encoder with its decoder takes a few lines more
        most = 120 if path.name in ("transformer.py", "date_translator.py") else 100
        assert len(lines) <= most, path.name
        packages = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
        beside = {other.stem for other in files}
        assert packages - sys.stdlib_module_names <= {"torch", "numpy"} | beside, path.name


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: layer_norm(torch.tensor([1, 2])), TypeError, "inputs must be floating-point"),
        (lambda: layer_norm(torch.zeros(3), eps=0), ValueError, "eps must be above 0"),
        (
            lambda: layer_norm(torch.zeros(2, 3), torch.ones(2)),
            ValueError,
            r"gain must have shape \(d_model=3\), got \(2,\)",
        ),
        (
            lambda: feed_forward(torch.zeros(3), torch.ones(3, 4), torch.ones(5, 3)),
            ValueError,
            r"W_2 must have shape \(num_hiddens=4, d_model=3\), got \(5, 3\)",
        ),
        (
            lambda: feed_forward(torch.zeros(3), torch.ones(3, 4).double(), torch.ones(4, 3)),
            TypeError,
            r"W_1 must have the dtype of inputs, got W_1=torch\.float64, inputs=torch\.float32",
        ),
    ],
)
def test_what_does_not_fit_is_refused(call, error, says):
    with pytest.raises(error, match=says):
        call()
