"""Lessons 11a and 11b: the attention-only model, what heads are scored by, and the stored models."""

import functools

import pytest
import torch
from torch.testing import assert_close

from attn_lessons.studies.induction import recipe, repeats, scores
from attn_lessons.studies.induction.attention_only import AttentionOnly
from attn_lessons.studies.induction.by_hand import repeater_by_hand


@functools.cache
def stored(layers, seed):
    return recipe.load_repeater(layers, seed=seed)[0]


@functools.cache
def fresh(periods=(8, 24)):
    return repeats.repeated_tokens(200, 48, 64, periods=periods, seed=31)


def accuracy(layers, seed, periods=(8, 24)):
    return scores.repeat_accuracy(stored(layers, seed), *fresh(periods))


def test_later_tokens_change_nothing():
    tokens, _ = fresh()
    assert_close(stored(2, 0)(tokens[:3, :20])[0], stored(2, 0)(tokens[:3])[0][:, :20], rtol=1e-4, atol=1e-4)


def test_a_head_that_is_off_adds_nothing():
    model, tokens = stored(2, 0), fresh()[0][:5]
    off = model(tokens, head_mask=torch.tensor([[0.0], [1.0]]))[0]
    assert_close(off, model(tokens, replaced={0: torch.zeros(48, 64)})[0])


def test_cut_keys_alone_leave_queries_and_values_as_they_are():
    model, tokens = AttentionOnly(7, 5, 6), torch.tensor([[3, 1, 6]])
    whole, first = model(tokens)[1], model(tokens, cut="keys")[1]
    assert_close(first[:, 0], whole[:, 0])
    assert not torch.allclose(first[:, 1], whole[:, 1])
    assert_close(model(tokens, cut="values")[1], whole)


def test_the_mean_output_stands_in_for_a_layer():
    model, tokens = AttentionOnly(7, 5, 6), torch.tensor([[3, 1, 6], [2, 2, 0]])
    means = scores.mean_outputs(model, tokens)
    assert_close(means[1], model.layer_output(tokens, 1).mean(dim=0))
    assert_close(model(tokens[:1], replaced={1: model.layer_output(tokens[:1], 1)})[0], model(tokens[:1])[0])


@pytest.mark.parametrize(
    ("tokens", "options", "error", "message"),
    [
        ([[0] * 6], {}, ValueError, "length at most max_length=5, got length=6"),
        ([[0, 7]], {}, ValueError, "between 0 and 6, got 7"),
        ([[0, -1]], {}, ValueError, "between 0 and 6, got -1"),
        ([[0.0]], {}, TypeError, "whole numbers"),
        ([0, 1], {}, ValueError, r"\(batch, length\), got \(2,\)"),
        ([[0]], {"cut": "scores"}, ValueError, "unknown cut 'scores'"),
        ([[0]], {"head_mask": torch.ones(2)}, ValueError, r"\(layers=2, heads=1\), got \(2,\)"),
        ([[0]], {"replaced": {0: torch.ones(2, 4)}}, ValueError, r"\(length=1, d_model=4\), got \(2, 4\)"),
    ],
)
def test_what_the_model_cannot_read_is_refused(tokens, options, error, message):
    with pytest.raises(error, match=message):
        AttentionOnly(7, 5, 4)(torch.tensor(tokens), **options)


def test_the_model_set_by_hand_averages_the_followers():
    followers = {0: [1, 1, 3], 2: [0]}
    logits, _ = repeater_by_hand(4, 9)(torch.tensor([[2, 0, 1, 0, 1, 0, 3, 0]]))
    shares = torch.bincount(torch.tensor(followers[0]), minlength=4) / 3
    assert_close(logits[0, -1], shares, atol=1e-6, rtol=0)


def test_the_model_set_by_hand_continues_every_period_without_repeated_tokens():
    for period in (2, 3, 5, 7):
        tokens = torch.arange(period).repeat(3)[None]
        model = repeater_by_hand(period, 3 * period)
        assert scores.repeat_accuracy(model, tokens, torch.tensor([period])) == 1


def test_scores_equal_slow_loops():
    tokens, periods = repeats.repeated_tokens(3, 11, 4, periods=(2, 5), seed=8)
    weights = torch.rand(3, 2, 1, 11, 11)
    rows = [(b, i) for b in range(3) for i in range(int(periods[b]), 10)]
    any_copy = [
        sum(weights[b, :, 0, i, j] for j in range(1, i + 1) if tokens[b, j - 1] == tokens[b, i])
        for b, i in rows
    ]
    back = [weights[b, :, 0, i, i - 1] for b in range(3) for i in range(1, 11)]
    assert_close(scores.follower_score(weights, tokens, periods)[:, 0], torch.stack(any_copy).mean(dim=0))
    assert_close(scores.previous_token_score(weights)[:, 0], torch.stack(back).mean(dim=0))


def test_the_rule_is_right_wherever_no_token_occurs_twice_in_a_period():
    tokens = torch.arange(5).repeat(3)[None]
    guesses = scores.latest_follower(tokens)
    assert scores.guess_accuracy(guesses, tokens, torch.tensor([5])) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t, p: scores.previous_token_score(torch.ones(2, 3, 3)), "as many queries as keys"),
        (lambda t, p: scores.follower_score(torch.ones(1, 1, 1, 4, 4), t, p), r"tokens \(2, 6\)"),
        (lambda t, p: scores.guess_accuracy(t, t, p + 3), r"can be known.*periods=\[5, 6\]"),
        (lambda t, p: scores.guess_accuracy(t[:, 1:], t, p), r"got guesses \(2, 5\)"),
    ],
)
def test_scores_of_nothing_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(torch.zeros(2, 6).long(), torch.tensor([2, 3]))


@pytest.mark.parametrize("period", [2, 5, 30, 40])
def test_periods_outside_the_trained_range_work_too(period):
    guesses = scores.latest_follower(fresh((period, period))[0])
    rule = scores.guess_accuracy(guesses, *fresh((period, period)))
    assert accuracy(2, 0, (period, period)) > max(0.9, rule - 0.01)


@pytest.mark.parametrize(("layers", "seed"), recipe.STORED)
def test_training_again_gives_the_stored_losses(layers, seed):
    _, losses = recipe.train_repeater(layers, seed=seed, stop_after=3)
    assert_close(losses, recipe.load_repeater(layers, seed=seed)[1][:3], rtol=1e-3, atol=1e-3)


def test_the_record_ends_where_the_stored_model_is():
    record = recipe.training_record(2, seed=1)
    assert record["step"].tolist() == list(range(10, 601, 10))
    assert record["accuracy"][-1] == pytest.approx(accuracy(2, 1), abs=0.03)


def test_the_loss_counts_knowable_queries_only():
    tokens, periods = repeats.repeated_tokens(3, 11, 4, periods=(2, 5), seed=8)
    logits = torch.randn(3, 11, 4)
    logs = logits.log_softmax(dim=-1)
    rows = [(b, i) for b in range(3) for i in range(int(periods[b]), 10)]
    expected = -torch.stack([logs[b, i, tokens[b, i + 1]] for b, i in rows]).mean()
    assert_close(recipe.repeat_loss(lambda ids: (logits, None), tokens, periods), expected)


def test_each_layer_has_four_matrices_and_a_norm():
    one, two = (sum(p.numel() for p in recipe.make_repeater(n).parameters()) for n in (1, 2))
    assert two - one == 4 * 64 * 64 + 2 * 64


def test_a_model_that_is_not_stored_is_said_to_be_missing():
    with pytest.raises(FileNotFoundError, match="induction_3_layers_seed_0"):
        recipe.load_repeater(3)
