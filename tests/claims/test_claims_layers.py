"""Properties of layers and heads: the package has them, the wrong versions of the claims page do not."""

import torch
from torch import nn

from attn_helpers import (
    DotProductAttention,
    MultiHeadAttention,
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)


def close(one, other):
    return torch.allclose(one, other, atol=1e-5)


def two_calls_agree(layer):
    queries, keys, values = torch.randn(2, 3, 4), torch.randn(2, 7, 4), torch.randn(2, 7, 5)
    return torch.equal(layer(queries, keys, values), layer(queries, keys, values))


def test_two_calls_in_evaluation_mode_agree(page):
    assert two_calls_agree(DotProductAttention(dropout=0.5).eval())
    assert two_calls_agree(page["DropsInTraining"]().eval())
    assert not two_calls_agree(page["DropsInTraining"]())
    assert not two_calls_agree(page["DropsAlways"]().eval())


def heads_can_be_told_apart(join):
    heads = torch.randn(2, 3, 4)
    return not close(join(heads), join(heads.flip(0)))


def test_swapping_two_heads_changes_the_output(page):
    assert heads_can_be_told_apart(merge_heads)
    assert heads_can_be_told_apart(page["concatenated"])
    assert not heads_can_be_told_apart(page["averaged"])


def sizes_agree(make):
    return len({sum(p.numel() for p in make(24, heads).parameters()) for heads in (1, 2, 3, 8)}) == 1


def test_parameters_do_not_depend_on_the_number_of_heads(page):
    assert sizes_agree(MultiHeadAttention)
    assert not sizes_agree(page["full_size_heads"])


def tokens_stay_whole(split):
    x = torch.randn(2, 7, 6)
    changed = x.clone()
    changed[:, 4] += 1
    touched = (split(changed, 3) != split(x, 3)).any(-1).any(1)  # (batch, length)
    return touched.tolist() == [[i == 4 for i in range(7)]] * 2


def test_a_token_stays_one_token_when_heads_are_split(page):
    assert tokens_stay_whole(split_heads)
    assert not tokens_stay_whole(page["heads_by_reshape"])


def any_order(heads_of):
    x, projections = torch.randn(5, 4), torch.randn(3, 4, 4)
    return close(heads_of(x, projections, [0, 1, 2]), heads_of(x, projections, [2, 0, 1]))


def test_heads_may_be_computed_in_any_order(page):
    assert any_order(page["each_from_the_input"])
    assert not any_order(page["overwriting"])


def output_follows_the_values(attention):
    q, k, v = torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 4)
    return close(attention(q, k, 2 * v), 2 * attention(q, k, v))


def test_doubling_the_values_doubles_the_output(page):
    assert output_follows_the_values(lambda q, k, v: scaled_dot_product_attention(q, k, v)[0])
    assert not output_follows_the_values(page["key_as_value"])


def moved_by_each_projection(layer, inputs):
    def run():
        output = layer(*inputs)
        return (output[0] if isinstance(output, tuple) else output).detach()

    before, moved = run(), {}
    for name in ("W_q", "W_k", "W_v"):
        weight = getattr(layer, name).weight
        kept = weight.detach().clone()
        nn.init.normal_(weight)
        moved[name] = not close(run(), before)
        weight.data.copy_(kept)
    return all(moved.values())


def test_every_projection_takes_part(page):
    x = torch.randn(1, 5, 4)
    assert moved_by_each_projection(MultiHeadAttention(4, 2), [x, x, x])
    assert not moved_by_each_projection(page["SharedProjection"](), [x])
    assert not values_have_their_projection_alone(page["SharedProjection"](), x[0])
    assert not values_have_their_projection_alone(page["ChainedProjection"](), x[0])
    assert values_have_their_projection_alone(page["RightProjection"](), x[0])


def values_have_their_projection_alone(layer, x):
    """Hold a layer against attention with its three matrices, each applied to the input."""
    q, k, v = (getattr(layer, name)(x) for name in ("W_q", "W_k", "W_v"))
    return close(layer(x), scaled_dot_product_attention(q, k, v)[0])


def rows_have_unit_variance(layer):
    output = layer(5 * torch.randn(6, 64))
    return torch.allclose(output.var(-1, correction=0), torch.ones(6), atol=1e-3)


def test_a_post_norm_layer_gives_rows_of_unit_variance(page):
    assert rows_have_unit_variance(page["post_norm"])
    assert not rows_have_unit_variance(page["pre_norm"])


def one_map_for_each_head(weights):
    layer, x = nn.MultiheadAttention(6, 3, batch_first=True).eval(), torch.randn(1, 5, 6)
    ours = MultiHeadAttention.from_torch(layer)(x, x, x)[1]  # (batch, heads, queries, keys)
    found = weights(layer, x)
    return found.shape == ours.shape and close(found, ours)


def test_weights_are_given_for_each_head(page):
    assert one_map_for_each_head(page["weights_by_head"])
    assert not one_map_for_each_head(page["default_weights"])


def sentences_stay_apart(layer):
    sentences = torch.randn(3, 5, 4)
    other = sentences.clone()
    other[1:] = torch.randn(2, 5, 4)
    one, two = (layer(x, x, x)[0][0] for x in (sentences, other))
    return close(one, two)


def test_sentences_do_not_look_at_each_other(page):
    assert sentences_stay_apart(page["batch_first_passed"]())
    assert not sentences_stay_apart(page["batch_first_forgotten"]())


def tokens_mix(attention):
    x = torch.randn(3, 4)
    changed = x.clone()
    changed[2] += 1
    return not close(attention(x)[0], attention(changed)[0])


def test_tokens_look_at_each_other(page):
    assert tokens_mix(lambda x: scaled_dot_product_attention(x, x, x)[0])
    assert not tokens_mix(page["rows_as_batch"])
