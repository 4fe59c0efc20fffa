"""The plain file of lesson 04a: equal to the package's layer, and it learns what the lesson says."""

import additive_attention
import pytest
import torch
from torch.testing import assert_close

from attn_helpers import AdditiveAttention, bilinear_scores, masked_softmax


def _batch(seed: int = 0) -> tuple[torch.Tensor, ...]:
    generator = torch.Generator().manual_seed(seed)
    shapes = (3, 4, 5), (3, 6, 2), (3, 6, 7)  # queries, keys, values
    return tuple(torch.randn(*shape, generator=generator) for shape in shapes)


def test_the_plain_layer_is_the_packages():
    torch.manual_seed(0)
    layer = AdditiveAttention(key_size=2, query_size=5, num_hiddens=8)
    plain = additive_attention.AdditiveAttention(query_size=5, key_size=2, num_hiddens=8)
    plain.load_state_dict(layer.state_dict())
    queries, keys, values = _batch()
    mask = torch.ones(4, 6).tril(2).bool()  # every query has a key
    assert_close(plain(queries, keys, values), layer(queries, keys, values))
    assert_close(plain(queries, keys, values, mask), layer(queries, keys, values, mask=mask))


def test_the_plain_matrix_is_the_bilinear_score():
    torch.manual_seed(0)
    plain = additive_attention.BilinearAttention(5, 2)
    queries, keys, values = _batch()
    scores = bilinear_scores(queries, keys, plain.W.weight.T)
    assert_close(plain.scores(queries, keys), scores)
    assert_close(plain(queries, keys, values), masked_softmax(scores) @ values)


def test_the_right_town_is_the_cheapest_that_is_warm_enough():
    queries, keys, _, right = additive_attention.travellers(300, torch.Generator().manual_seed(0))
    nobody = 0
    for (wish, _), towns, chosen in zip(queries[:, 0].tolist(), keys.tolist(), right.tolist(), strict=True):
        warmth = [(day + night) / 2 for day, night, _ in towns]
        enough = [i for i in range(6) if warmth[i] >= wish]
        nobody += not enough
        assert chosen == (min(enough, key=lambda i: towns[i][2]) if enough else warmth.index(max(warmth)))
    assert 30 < nobody < 120


@pytest.mark.parametrize("seed", [0, 1])
def test_two_units_learn_what_one_matrix_does_not(seed):
    torch.manual_seed(seed)
    models = additive_attention.BilinearAttention(2, 3), additive_attention.AdditiveAttention(2, 3, 8)
    start = additive_attention.train(models[1], steps=0, seed=seed)
    matrix, units = (additive_attention.train(model, steps=500, seed=seed) for model in models)
    assert start < 0.6
    assert matrix < 0.75
    assert units > 0.85
