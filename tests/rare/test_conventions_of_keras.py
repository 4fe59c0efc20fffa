"""The conventions of Keras that the notation page lists, each one run. `make proof` installs it."""

import os
import tempfile

os.environ["KERAS_BACKEND"] = "torch"
os.environ["KERAS_HOME"] = tempfile.mkdtemp()  # or it would write its settings into the user's folder

import keras
import torch
from built_site import ROOT

from attn_helpers import causal_mask

BATCH, QUERIES, KEYS, D_MODEL, HEADS = 2, 3, 5, 6, 2
MASK = causal_mask(QUERIES, KEYS)  # True = may attend


def inputs():
    return torch.randn(BATCH, QUERIES, D_MODEL), torch.randn(BATCH, KEYS, D_MODEL)


def where_weight_goes(weights):
    return weights.detach() > 0


def keras_layer():
    return keras.layers.MultiHeadAttention(num_heads=HEADS, key_dim=D_MODEL // HEADS)


def test_keras_layer_reads_true_as_may_attend_and_takes_the_value_before_the_key():
    queries, keys = inputs()
    output, weights = keras_layer()(
        query=queries, value=keys, key=keys, attention_mask=MASK[None], return_attention_scores=True
    )
    assert tuple(output.shape) == (BATCH, QUERIES, D_MODEL)
    assert tuple(weights.shape) == (BATCH, HEADS, QUERIES, KEYS)
    assert torch.equal(where_weight_goes(weights), MASK.expand(BATCH, HEADS, -1, -1))
    by_place = keras_layer()(queries, torch.randn(BATCH, KEYS, 7), keys)  # value_dim 7 comes second
    assert tuple(by_place.shape) == (BATCH, QUERIES, D_MODEL)


def test_key_dim_of_keras_is_the_size_of_one_head():
    layer = keras_layer()
    layer(*[torch.randn(1, QUERIES, D_MODEL)] * 2)
    kernels = [tuple(weight.shape) for weight in layer.weights if len(weight.shape) == 3]
    assert kernels.count((D_MODEL, HEADS, D_MODEL // HEADS)) == 3


def test_keras_gives_a_fully_masked_row_zeros():
    x, nothing = torch.randn(1, QUERIES, D_MODEL), torch.zeros(1, QUERIES, QUERIES, dtype=torch.bool)
    weights = keras_layer()(x, x, attention_mask=nothing, return_attention_scores=True)[1]
    assert (weights == 0).all()


def test_a_dense_layer_of_keras_keeps_its_matrix_as_it_is_written():
    layer, x = keras.layers.Dense(5, use_bias=False), torch.randn(2, 3)
    assert torch.allclose(layer(x), x @ layer.kernel.value, atol=1e-6)


def test_the_page_names_the_version_that_is_run():
    page = (ROOT / "book/notation.md").read_text(encoding="utf-8")
    assert f"Keras {'.'.join(keras.__version__.split('.')[:2])}" in page
