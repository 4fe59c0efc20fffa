"""Properties of positions: the package has them, the wrong versions of the claims page do not."""

import pytest
import torch

from attn_helpers import (
    LearnedPositions,
    apply_rotary,
    rotary_angles,
    scaled_dot_product_attention,
    sinusoidal_positions,
)


def close(one, other):
    return torch.allclose(one, other, atol=1e-4)


def positions_differ(add):
    inputs = torch.zeros(2, 5, 4)  # (batch, length, d_model)
    return all(len({tuple(row) for row in example}) == 5 for example in add(inputs).tolist())


def test_positions_differ_along_the_sentence(page):
    assert positions_differ(LearnedPositions(10, 4))
    assert positions_differ(lambda x: x + sinusoidal_positions(x.shape[-2], x.shape[-1]))
    assert not positions_differ(page["add_by_first_axis"])


def products_stay(orders):
    table = sinusoidal_positions(12, 8)
    one, other = orders(table)
    return close(one @ other.T, table @ table.T)


def test_reordering_the_numbers_changes_no_product(page):
    assert products_stay(page["one_order"])
    assert not products_stay(page["mixed_orders"])


def products_depend_on_distance(table):
    products = table(40, 8) @ table(40, 8).T
    return all(close(line, line[:1].expand_as(line)) for line in map(products.diagonal, range(40)))


def test_products_of_positions_depend_on_their_distance(page):
    assert products_depend_on_distance(sinusoidal_positions)
    assert not products_depend_on_distance(page["doubled_exponents"])


def turned_products_depend_on_distance(turn):
    angles = rotary_angles(12, 8)
    queries, keys = turn(torch.randn(8).expand(12, 8), torch.randn(8).expand(12, 8), angles)
    products = queries @ keys.T
    return all(close(line, line[:1].expand_as(line)) for line in map(products.diagonal, range(12)))


def test_products_of_turned_vectors_depend_on_their_distance(page):
    def both(queries, keys, angles):
        return apply_rotary(queries, angles), apply_rotary(keys, angles)

    vectors = torch.randn(12, 8)
    assert close(apply_rotary(vectors, rotary_angles(12, 8)).norm(dim=-1), vectors.norm(dim=-1))
    assert turned_products_depend_on_distance(both)
    assert not turned_products_depend_on_distance(page["queries_alone"])


def order_goes_along(attention):
    x, order = torch.randn(7, 4), torch.tensor([3, 0, 6, 1, 5, 2, 4])
    return close(attention(x[order]), attention(x)[order])


def test_permuting_the_tokens_permutes_the_outputs(page):
    assert order_goes_along(lambda x: scaled_dot_product_attention(x, x, x)[0])
    assert not order_goes_along(page["causal_attention"])


def test_every_token_has_exactly_one_position(page):
    assert page["positions_fit"](page["with_class"])
    assert not page["positions_fit"](page["patches"])


def test_generation_runs_past_the_window(page):
    assert page["generate"](30, window=5, crop=True) == 31
    with pytest.raises(ValueError, match="positions must stay below max_length=5"):
        page["generate"](30, window=5, crop=False)
