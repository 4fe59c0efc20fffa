"""Properties of faster attention and of weights, and the versions of the claims page that lack them."""

import pytest
import torch

from attn_helpers import MultiHeadAttention, scaled_dot_product_attention


def close(one, other, **tolerance):
    return torch.allclose(one, other, **({"atol": 1e-5} | tolerance))


def three(queries=5, keys=11, dtype=torch.float32):
    return torch.randn(queries, 4).to(dtype), torch.randn(keys, 4).to(dtype), torch.randn(keys, 3).to(dtype)


def dense(q, k, v, mask=None):
    return scaled_dot_product_attention(q, k, v, mask=mask)[0]


def test_summing_over_keys_first_changes_nothing(page):
    q, k, v = three()
    assert close(page["keys_first"](q, k, v), page["scores_first"](q, k, v))
    assert not close(page["keys_first"](q, k, v), dense(q, k, v))


def tiles_are_exact(attention, size):
    q, k, v = three(dtype=torch.float64)
    k = k * torch.linspace(0.1, 4, len(k), dtype=k.dtype)[:, None]  # the maximum keeps moving
    return close(attention(q, k, v, size), dense(q, k, v), atol=1e-12, rtol=0)


@pytest.mark.parametrize("size", [1, 2, 3, 10])
def test_tiles_give_the_dense_output(page, size):
    assert tiles_are_exact(page["by_tiles"], size)
    assert not tiles_are_exact(lambda *a: page["by_tiles"](*a, rescale=False), size)


def earlier_outputs_stay(layers):
    x = torch.randn(6, 4)
    return close(layers(x)[:5], layers(x[:5]))


def test_a_new_token_leaves_earlier_outputs_alone(page):
    assert earlier_outputs_stay(lambda x: page["two_layers"](x, causal=True))
    assert not earlier_outputs_stay(lambda x: page["two_layers"](x, causal=False))


def test_attention_takes_any_number_of_tokens(page):
    layer = MultiHeadAttention(6, 2)
    assert [layer(*[torch.randn(1, n, 6)] * 3)[0].shape[1] for n in (1, 2, 13)] == [1, 2, 13]
    assert page["takes"](page["convolution"], 3, 9, 5)
    assert not page["takes"](page["with_dense"], 3, 9, 5)
    with pytest.raises(ValueError, match="d_model"):
        layer(*[torch.randn(1, 3, 5)] * 3)


def foretells_removal(effect):
    """Tell whether a function says how far the output moves when a key is taken away, up to one factor."""
    q, k, v = torch.randn(1, 4), torch.randn(3, 4), torch.randn(3, 2)
    output, weights = scaled_dot_product_attention(q, k, v)
    moved = []
    for key in range(3):
        rest = torch.arange(3) != key
        moved.append((scaled_dot_product_attention(q, k[rest], v[rest])[0] - output).norm())
    shares = torch.stack(moved) / effect(weights[0], v)
    return close(shares, shares[:1].expand(3), atol=1e-3)


def test_removing_a_key_moves_the_output_towards_the_others(page):
    assert foretells_removal(page["effect"])
    assert foretells_removal(lambda w, v: w / (1 - w) * (v - w @ v).norm(dim=-1))
    assert not foretells_removal(page["weight_alone"])


def weights_come_back(recover, keys, value_dim):
    values, weights = torch.randn(keys, value_dim).double(), torch.softmax(torch.randn(keys).double(), 0)
    return close(recover(weights, values), weights, atol=1e-8)


def test_weights_are_found_again_only_from_few_keys(page):
    assert weights_come_back(page["recovered"], keys=4, value_dim=3)
    assert not weights_come_back(page["recovered"], keys=5, value_dim=3)
    assert page["freedom"](torch.randn(4, 3)) == 0
    assert page["freedom"](torch.randn(5, 3)) == 1
    assert page["freedom"](page["twins"]) == page["freedom"](page["in_line"]) == 1


def missing_properties(attention):
    """Name the properties of scaled dot-product attention that a function lacks."""
    q, k, v = torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 4)
    order = torch.tensor([3, 0, 4, 1, 2])
    one_pair = torch.tensor([[2.0, 0, 0, 0]]), torch.tensor([[1.0, 0, 0, 0], [0, 0, 0, 0]]), torch.eye(2, 4)
    by_hand = torch.sigmoid(torch.tensor([1.0, -1.0]))  # scores 2 / sqrt(4) = 1 and 0
    three_keys = torch.tensor([True, True, True, False, False]).expand(3, 5)
    far_below = -1e4 * torch.ones(3, 4), torch.tensor([[1e4], [1e4], [1e4], [0.0], [0.0]]).expand(5, 4)
    held = {
        "one query does not depend on another": close(attention(q, k, v)[:1], attention(q[:1], k, v)),
        "doubled values double the output": close(attention(q, k, 2 * v), 2 * attention(q, k, v)),
        "equal keys give the mean": close(attention(q, 0 * k, v), v.mean(0).expand(3, 4)),
        "the order of the keys is nothing": close(attention(q, k[order], v[order]), attention(q, k, v)),
        "two weights worked by hand": close(attention(*one_pair)[0, :2], by_hand),
        "keys that a mask leaves out are not there": close(
            attention(q, k, v, three_keys), attention(q, k[:3], v[:3])
        ),
        "nor are they when the others' scores are low": close(
            attention(*far_below, v, three_keys), v[:3].mean(0).expand(3, 4)
        ),
    }
    return [name for name, holds in held.items() if not holds]


def test_every_suspect_is_refused_by_a_property(page):
    assert missing_properties(dense) == []
    assert [name for name, wrong in page["suspects"].items() if missing_properties(wrong) == []] == []
