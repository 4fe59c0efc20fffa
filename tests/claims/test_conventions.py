"""The conventions of PyTorch, seaborn and matplotlib that the notation page lists, each one run.

Those of Keras: tests/rare.
"""

import importlib

import matplotlib.pyplot as plt
import pytest
import torch
from built_site import ROOT
from matplotlib.figure import Figure
from torch import nn
from torch.nn.functional import scaled_dot_product_attention as torch_attention

from attn_helpers import MultiHeadAttention, causal_mask, scaled_dot_product_attention, show_heatmaps

BATCH, QUERIES, KEYS, D_MODEL, HEADS = 2, 3, 5, 6, 2
MASK = causal_mask(QUERIES, KEYS)  # True = may attend


def inputs():
    return torch.randn(BATCH, QUERIES, D_MODEL), torch.randn(BATCH, KEYS, D_MODEL)


def where_weight_goes(weights):
    return weights.detach() > 0


def test_this_books_layer_reads_true_as_may_attend_and_gives_batch_heads_queries_keys():
    queries, keys = inputs()
    output, weights = MultiHeadAttention(D_MODEL, HEADS)(queries, keys, keys, MASK)
    assert output.shape == (BATCH, QUERIES, D_MODEL)
    assert weights.shape == (BATCH, HEADS, QUERIES, KEYS)
    assert torch.equal(where_weight_goes(weights), MASK.expand_as(weights))


def test_torchs_function_reads_true_as_may_attend():
    queries, keys = inputs()
    weights = torch_attention(queries, keys, torch.eye(KEYS).expand(2, 5, 5), attn_mask=MASK)
    assert torch.equal(where_weight_goes(weights), MASK.expand_as(weights))


def test_torchs_layer_reads_true_as_blocked_and_averages_the_heads():
    queries, keys = inputs()
    layer = nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True)
    weights = layer(queries, keys, keys, attn_mask=MASK)[1]
    assert weights.shape == (BATCH, QUERIES, KEYS)
    some = (~MASK).any(-1)  # the last query sees every key, so nothing is left for it
    assert torch.equal(where_weight_goes(weights)[:, some], ~MASK[some].expand(BATCH, -1, -1))


def test_the_key_padding_mask_of_torchs_layer_reads_true_as_blocked_too():
    queries, keys = inputs()
    padded = torch.tensor([[False] * 3 + [True] * 2] * BATCH)
    weights = nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True)(
        queries, keys, keys, key_padding_mask=padded
    )[1]
    assert torch.equal(where_weight_goes(weights), ~padded[:, None].expand_as(weights))


def test_torchs_layer_takes_the_length_first_unless_told():
    queries, keys = inputs()
    output = nn.MultiheadAttention(D_MODEL, HEADS)(queries.transpose(0, 1), *[keys.transpose(0, 1)] * 2)[0]
    assert output.shape == (QUERIES, BATCH, D_MODEL)


def test_a_float_mask_of_torch_is_added_to_the_scores():
    queries, keys = inputs()
    eye, added = torch.eye(KEYS).expand(2, 5, 5), torch.where(MASK, 0.0, -torch.inf)
    by_adding = torch_attention(queries, keys, eye, attn_mask=added)
    by_bool = torch_attention(queries, keys, eye, attn_mask=MASK)
    as_numbers = torch_attention(queries, keys, eye, attn_mask=MASK.float())
    assert torch.allclose(by_adding, by_bool)
    assert where_weight_goes(as_numbers).all()  # 1 and 0 hide nothing


def test_is_causal_of_torch_lines_up_with_the_first_key():
    queries, keys = inputs()
    weights = torch_attention(queries, keys, torch.eye(KEYS).expand(2, 5, 5), is_causal=True)
    assert torch.equal(where_weight_goes(weights)[0], torch.ones(QUERIES, KEYS).tril().bool())
    assert not torch.equal(MASK, torch.ones(QUERIES, KEYS).tril().bool())


def test_a_linear_layer_of_torch_keeps_its_matrix_transposed():
    layer, x = nn.Linear(3, 5, bias=False), torch.randn(2, 3)
    assert layer.weight.shape == (5, 3)
    assert torch.allclose(layer(x), x @ layer.weight.T)


@pytest.fixture(scope="module")
def seaborn():
    return importlib.import_module("seaborn")  # four seconds to import, in each worker that only collects


def test_the_mask_of_a_seaborn_heatmap_is_true_where_nothing_is_drawn(seaborn):
    numbers = torch.arange(6.0).reshape(2, 3)
    mask = torch.tensor([[True, False, False], [False, False, True]])
    ax = seaborn.heatmap(numbers.numpy(), mask=mask.numpy(), ax=Figure().subplots())
    assert ax.collections[0].get_array().mask.tolist() == mask.tolist()


@pytest.mark.parametrize(
    ("draw", "first_row_on_top"),
    [
        (lambda ax, w: importlib.import_module("seaborn").heatmap(w, ax=ax), True),
        (lambda ax, w: ax.imshow(w), True),
        (lambda ax, w: ax.matshow(w), True),
        (lambda ax, w: ax.pcolormesh(w), False),
    ],
    ids=["seaborn.heatmap", "imshow", "matshow", "pcolormesh"],
)
def test_where_a_plot_puts_row_0(draw, first_row_on_top):
    ax = plt.figure().subplots()
    draw(ax, torch.rand(2, 3).numpy())
    assert ax.yaxis_inverted() == first_row_on_top


def test_this_books_heatmaps_put_query_0_on_top_and_share_one_scale():
    figure = show_heatmaps(torch.tensor([[[0.1, 0.2]], [[0.7, 0.9]]]))
    meshes = [ax.collections[0] for ax in figure.axes[:2]]
    assert all(ax.yaxis_inverted() for ax in figure.axes[:2])
    assert len({(mesh.norm.vmin, mesh.norm.vmax) for mesh in meshes}) == 1


def test_values_may_have_another_size_than_keys():
    output, weights = scaled_dot_product_attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 7))
    assert (tuple(output.shape), tuple(weights.shape)) == ((3, 7), (3, 5))


def test_the_page_names_the_versions_that_are_run(seaborn):
    page = (ROOT / "book/notation.md").read_text(encoding="utf-8")
    for name, module in (("PyTorch", torch), ("seaborn", seaborn)):
        assert f"{name} {'.'.join(module.__version__.split('.')[:2])}" in page
