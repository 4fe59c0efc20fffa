"""Properties of masked attention: the package has them, the wrong versions of the claims page do not."""

import pytest
import torch
from torch import nn

from attn_helpers import (
    MultiHeadAttention,
    causal_mask,
    length_mask,
    masked_softmax,
    scaled_dot_product_attention,
)

DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def close(one, other):
    return torch.allclose(one, other, atol=1e-5)


def empty_row_is_zero(softmax, dtype):
    nothing = torch.zeros(5, dtype=torch.bool)
    return bool((softmax(torch.randn(3, 5).to(dtype), nothing) == 0).all())


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_row_without_keys_is_zero(page, dtype):
    assert empty_row_is_zero(masked_softmax, dtype)
    assert not empty_row_is_zero(page["filled"], dtype)


def only_allowed_keys_weigh(softmax, low):
    mask = torch.tensor([True, True, False, False, False])
    scores = torch.where(mask, low, torch.randn(3, 5))
    return bool((softmax(scores, mask)[:, 2:] == 0).all())


@pytest.mark.parametrize("low", [-1e5, -1e10, -1e17])
def test_masked_keys_get_no_weight_however_low_the_others(page, low):
    assert only_allowed_keys_weigh(masked_softmax, low)
    fills = [fill for fill in (-1e4, *page["fills"]) if fill > low]
    passed = [f for f in fills if only_allowed_keys_weigh(lambda s, m, f=f: page["filled"](s, m, f), low)]
    assert fills
    assert passed == []


def gradient_is_finite(softmax):
    leaf = torch.randn(3, 2, requires_grad=True)
    mask = length_mask(torch.tensor([2, 2, 0]), 3)
    (softmax(leaf @ leaf.T, mask) @ leaf)[:2].sum().backward()
    return bool(leaf.grad.isfinite().all())


def test_a_row_without_keys_has_gradient_zero(page):
    scores = torch.randn(1, 4, requires_grad=True)
    masked_softmax(scores, torch.zeros(4, dtype=torch.bool)).square().sum().backward()
    assert (scores.grad == 0).all()
    assert gradient_is_finite(masked_softmax)
    assert not gradient_is_finite(page["filled_inf"])


def weights_are_finite(weights):
    x, mask = torch.randn(1, 3, 6), length_mask(torch.tensor([2, 3, 0]), 3)
    return bool(weights(x, mask).isfinite().all())


def test_multi_head_attention_of_a_row_without_keys_is_finite(page):
    layer = nn.MultiheadAttention(6, 2, batch_first=True).eval()
    ours = MultiHeadAttention.from_torch(layer)
    assert weights_are_finite(lambda x, mask: ours(x, x, x, mask)[1])
    assert not weights_are_finite(lambda x, mask: page["torch_layer_weights"](layer, x, mask))
    x, mask = torch.randn(1, 3, 6), length_mask(torch.tensor([2, 3, 0]), 3)
    assert close(ours(x, x, x, mask)[0][0, 2], layer.out_proj.bias)


def hidden_keys_have_no_effect(softmax):
    mask = torch.tensor([True, True, True, False, False])
    scores = torch.randn(3, 5) - 2
    moved = torch.where(mask, scores, 9.0)
    weights = softmax(scores, mask)
    return bool((weights[:, 3:] == 0).all()) and close(softmax(moved, mask), weights)


def test_masked_keys_get_no_weight(page):
    assert hidden_keys_have_no_effect(masked_softmax)
    assert not hidden_keys_have_no_effect(page["scores_times_mask"])


def allowed_keys_share_everything(softmax):
    mask = torch.tensor([True, True, True, False, False])
    return close(softmax(torch.randn(3, 5), mask)[:, :3].sum(-1), torch.ones(3))


def test_allowed_keys_share_all_the_weight(page):
    assert allowed_keys_share_everything(masked_softmax)
    assert not allowed_keys_share_everything(page["mask_after_softmax"])


def padding_stays_outside(softmax):
    mask = length_mask(3, 5)
    tokens = torch.randn(5, 4)
    spoiled = torch.where(mask[:, None], tokens, 50.0)
    one, other = (softmax(x @ x.T / 2, mask) @ x for x in (tokens, spoiled))
    return close(one[:3], other[:3])


def test_padding_does_not_reach_real_outputs(page):
    assert padding_stays_outside(masked_softmax)
    assert not padding_stays_outside(page["rows_masked"])


def no_weight_on_padding(softmax, mask):
    weights = softmax(torch.randn(5, 5), mask)
    return bool((weights[mask][:, ~mask] == 0).all())


def test_no_weight_goes_to_padding(page):
    assert no_weight_on_padding(masked_softmax, length_mask(3, 5))
    assert not no_weight_on_padding(page["rows_masked"], length_mask(3, 5))


def future_gets_nothing(weights_of):
    weights = weights_of(torch.randn(1, 4, 4), torch.randn(1, 4, 4))
    return bool((weights * ~causal_mask(4) == 0).all()) and close(weights.sum(-1), torch.ones(1, 4))


def test_no_weight_goes_to_the_future(page):
    assert future_gets_nothing(lambda q, k: scaled_dot_product_attention(q, k, k, mask=causal_mask(4))[1])
    assert not future_gets_nothing(page["inverted_causal_weights"])


def newest_query_sees_everything(attention):
    q, k = torch.randn(1, 2, 4), torch.randn(1, 5, 4)
    weights = attention(q, k, torch.eye(5)[None])
    return bool((weights[0, -1] > 0).all()) and (weights[0, 0] > 0).tolist() == [True] * 4 + [False]


def test_the_newest_query_sees_every_cached_key(page):
    assert newest_query_sees_everything(page["book_causal"])
    assert not newest_query_sees_everything(page["top_left_causal"])


def mask_follows_its_sequence(softmax, queries):
    scores, mask = torch.randn(3, queries, 4), length_mask([1, 2, 4], 4)
    try:
        weights = softmax(scores, mask)
    except RuntimeError:
        return False
    return all(torch.equal(weights[b] > 0, mask[b].expand(queries, 4)) for b in range(3))


@pytest.mark.parametrize("queries", [2, 3])
def test_a_padding_mask_belongs_to_its_sequence(page, queries):
    assert mask_follows_its_sequence(lambda s, m: masked_softmax(s, m[:, None]), queries)
    assert not mask_follows_its_sequence(page["plain_broadcast"], queries)


def test_a_mask_that_could_be_read_in_two_ways_is_refused():
    with pytest.raises(ValueError, match="could be"):
        masked_softmax(torch.randn(3, 3, 4), length_mask([1, 2, 4], 4))


def leaves_arguments_alone(softmax):
    scores, mask = torch.randn(3, 4), torch.tensor([True, False, True, False])
    copies = scores.clone(), mask.clone()
    softmax(scores, mask)
    return torch.equal(scores, copies[0]) and torch.equal(mask, copies[1])


def test_arguments_are_left_alone(page):
    assert leaves_arguments_alone(masked_softmax)
    assert not leaves_arguments_alone(page["writes_in_place"])


def future_changes_nothing(attention):
    values = torch.randn(400, 2)
    later = torch.where(torch.arange(400)[:, None] < 200, values, torch.randn(400, 2))
    return close(attention(values)[:200], attention(later)[:200])


def test_changing_the_future_leaves_earlier_outputs_alone(page):
    assert future_changes_nothing(lambda values: page["point_ahead"](values, causal_mask(400)))
    assert not future_changes_nothing(lambda values: page["point_ahead"](values, None))


def sums(weights):
    return {round(total, 5) for total in weights.sum(-1).flatten().tolist()}


def test_rows_sum_to_one_or_to_zero(page):
    assert sums(masked_softmax(torch.randn(3, 4, 5), valid_lens=torch.tensor([5, 2, 0]))) == {0.0, 1.0}
    kept = torch.tensor([1.0, 1.0, 0.0, 1.0, 0.0])
    assert not sums(page["with_dropout"](torch.randn(3, 4, 5), kept)) <= {0.0, 1.0}
