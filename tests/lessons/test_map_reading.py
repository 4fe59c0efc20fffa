import pytest
import torch
from torch.testing import assert_close

from attn_lessons.studies.minilm.map_reading import renormalise, rollout, same_output_weights, token_share
from attn_lessons.studies.statistics import rank_correlation


def test_renormalised_rows_add_up_to_1_over_the_kept_keys_only():
    weights = torch.softmax(torch.randn(2, 3, 5), dim=-1)
    keep = torch.tensor([False, True, True, False, True])
    result = renormalise(weights, keep)
    assert_close(result.sum(dim=-1), torch.ones(2, 3))
    assert result[..., ~keep].abs().max() == 0
    assert_close(result[..., 1] / result[..., 2], weights[..., 1] / weights[..., 2])


def test_a_row_without_weight_on_the_kept_keys_becomes_0_and_not_nan():
    result = renormalise(torch.tensor([[1.0, 0.0]]), torch.tensor([False, True]))
    assert_close(result, torch.zeros(1, 2))


def test_renormalising_refuses_masks_that_do_not_fit():
    with pytest.raises(TypeError, match="mask must be bool"):
        renormalise(torch.ones(2, 2), torch.ones(2))
    with pytest.raises(ValueError, match="keys=3"):
        renormalise(torch.ones(2, 2), torch.ones(3).bool())


def test_rollout_keeps_rows_at_1_and_of_one_layer_is_half_way_to_staying():
    weights = torch.softmax(torch.randn(4, 3, 5, 5, dtype=torch.float64), dim=-1)
    assert_close(rollout(weights).sum(dim=-1), torch.ones(5, dtype=torch.float64))
    alone = (weights[:1].mean(dim=1)[0] + torch.eye(5, dtype=torch.float64)) / 2
    assert_close(rollout(weights[:1]), alone)
    second = (weights[1].mean(dim=0) + torch.eye(5, dtype=torch.float64)) / 2
    assert_close(rollout(weights[:2]), second @ alone)
    with pytest.raises(ValueError, match=r"\(layers, heads, queries, keys\), got \(5, 5\)"):
        rollout(weights[0, 0])


def test_rank_correlation_looks_at_the_order_only_and_shares_ranks_of_equals():
    x = torch.tensor([3.0, 1.0, 2.0, 10.0])
    assert rank_correlation(x, x.exp()) == 1
    assert rank_correlation(x, -x) == -1
    # ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: covariance 4.5, variances 4.5 and 5
    ties = rank_correlation(torch.tensor([0.0, 1.0, 1.0, 2.0]), torch.arange(4.0))
    assert ties == pytest.approx(4.5 / (4.5 * 5) ** 0.5)
    with pytest.raises(ValueError, match="items >= 2"):
        rank_correlation(x[:1], x[:1])


def test_other_weights_have_the_same_output_and_stay_weights():
    torch.manual_seed(1)
    weights = torch.softmax(torch.randn(11), dim=-1)
    values = torch.randn(11, 3)
    other = same_output_weights(weights, values, -weights)
    assert other.min() >= 0
    assert (other - weights).abs().sum() > 0.2
    assert_close(other @ values.double(), weights.double() @ values.double(), rtol=1e-6, atol=1e-6)
    assert_close(other.sum(), weights.double().sum(), rtol=1e-6, atol=1e-6)


def test_with_fewer_keys_than_equations_the_weights_cannot_move():
    torch.manual_seed(1)
    weights = torch.softmax(torch.randn(4), dim=-1)
    other = same_output_weights(weights, torch.randn(4, 3), torch.tensor([1.0, 0.0, 0.0, 0.0]))
    assert_close(other, weights.double(), rtol=1e-6, atol=1e-6)


def test_other_weights_refuse_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match=r"got \(3,\), \(4, 2\), \(3,\)"):
        same_output_weights(torch.ones(3) / 3, torch.ones(4, 2), torch.ones(3))


def test_the_share_of_a_token_counts_all_its_places():
    weights = torch.softmax(torch.randn(2, 3, 4, 4), dim=-1)
    tokens = ["a", "b", "a", "c"]
    assert_close(token_share(weights, tokens, "a"), (weights[..., 0] + weights[..., 2]).mean(dim=-1))
    with pytest.raises(ValueError, match="token must be one of a b a c, got 'd'"):
        token_share(weights, tokens, "d")
