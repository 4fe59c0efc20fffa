import itertools

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from attn_helpers.datasets.sentences import HELD_OUT, PARAGRAPH, SELECTION, SETS
from attn_helpers.models.head_scores import (
    best_offset,
    head_hits,
    offset_hits,
    right_weights,
    sign_test,
    wilson_interval,
    word_mask,
)
from attn_helpers.models.map_reading import (
    rank_correlation,
    renormalise,
    rollout,
    same_output_weights,
    token_share,
)
from attn_helpers.models.readings import (
    Reading,
    find_reading,
    in_parts,
    load_head_effects,
    load_paragraph,
    load_readings,
)

every_set = pytest.mark.parametrize("name", SETS)
VERB_OBJECT = [(clause.verb, clause.object) for clause in HELD_OUT]


def reading_of(rows, text="[CLS] a b c [SEP]"):
    """Make a reading with one layer of one head from a map."""
    weights = torch.tensor(rows)[None, None]
    n = weights.shape[-1]
    return Reading(text, tuple(text.split()), torch.arange(n), weights, *[torch.zeros(n)] * 3)


# --- what is stored --------------------------------------------------------------------------------


@every_set
def test_every_row_of_every_stored_map_adds_up_to_1(name):
    for reading in load_readings(name):
        n = len(reading.tokens)
        assert reading.weights.shape == (6, 12, n, n)
        assert_close(reading.weights.sum(dim=-1), torch.ones(6, 12, n))
        assert reading.weights.min() >= 0


@every_set
def test_the_stored_tokens_are_those_of_the_sentences(name):
    for entry, reading in zip(SETS[name], load_readings(name), strict=True):
        assert reading.text == entry.text
        assert (reading.tokens[0], reading.tokens[-1]) == ("[CLS]", "[SEP]")
        joined = "".join(reading.tokens[1:-1]).replace("##", "")
        assert joined == entry.text.lower().replace(" ", "")
        assert [reading.tokens[reading.place(word)] for word in entry[1:]] == [w.lower() for w in entry[1:]]
        assert (reading.ids[0], reading.ids[-1]) == (101, 102)


@every_set
def test_the_stored_effects_are_cosine_distances_and_0_for_what_was_not_masked(name):
    for reading in load_readings(name):
        n = len(reading.tokens)
        assert reading.effects.shape == (n, n)
        assert reading.value_norms.shape == (6, 12, n)
        for effects in (reading.effects, reading.effect):
            assert effects.min() >= 0
            assert effects.max() < 2
            assert effects[..., [0, -1]].max() < 1e-5
        words = word_mask(reading.tokens)
        assert reading.effect[words].min() > 0
        assert reading.value_norms.min() > 0


def test_the_stored_paragraph_is_the_paragraph():
    tokens, weights, values = load_paragraph()
    assert "".join(tokens[1:-1]).replace("##", "") == PARAGRAPH.lower().replace(" ", "")
    assert_close(weights.sum(dim=-1), torch.ones(len(tokens)))
    assert values.shape == (len(tokens), 32)


def test_the_stored_head_effects_are_small_positive_numbers():
    effects = load_head_effects()
    assert effects.shape == (len(HELD_OUT), 6, 12)
    assert effects.min() >= 0
    assert 0 < effects.max() < 1


@every_set
def test_every_stored_sentence_is_found_by_its_text(name):
    entry = SETS[name][-1]
    assert find_reading(entry.text).place("[CLS]") == 0
    assert_close(find_reading(entry.text).weights, load_readings(name)[-1].weights)


def test_what_a_caller_does_to_a_reading_does_not_reach_the_next_one():
    load_readings("passive")[0].weights.zero_()
    assert load_readings("passive")[0].weights.sum() > 0


@pytest.mark.parametrize(("layer", "head"), [(6, 0), (0, 12)])
def test_a_head_that_does_not_exist_is_refused(layer, head):
    reading = find_reading("Bees make honey.")
    assert reading.head(5, 11).shape == (6, 6)
    with pytest.raises(ValueError, match=r"must be in 0..(5|11), got (layer|head)="):
        reading.head(layer, head)
    with pytest.raises(ValueError, match="layer must be at least 0, got layer=-1"):
        reading.head(-1, head)
    with pytest.raises(TypeError, match="head must be an int, got float"):
        reading.head(0, 1.0)


def test_unknown_sentences_sets_and_words_are_refused():
    with pytest.raises(ValueError, match=r"must be one of the 86 stored sentences, got 'Bees sleep.'"):
        find_reading("Bees sleep.")
    with pytest.raises(ValueError, match=r"name must be one of selection, .*, got 'all'"):
        load_readings("all")
    with pytest.raises(ValueError, match=r"exactly one of \[CLS\] bees .* got 'wasps'"):
        find_reading("Bees make honey.").place("wasps")
    with pytest.raises(ValueError, match="got 'the'"):
        find_reading("The nurse gently woke the baby.").place("the")


def test_rounded_rows_keep_their_sum_and_are_off_by_less_than_one_part():
    weights = torch.softmax(torch.randn(3, 5, 13, dtype=torch.float64) * 3, dim=-1)
    parts = in_parts(weights)
    assert parts.dtype == np.uint16
    assert set(parts.astype(int).sum(axis=-1).ravel()) == {65_535}
    assert np.abs(parts / 65_535 - weights.numpy()).max() < 1 / 65_535
    with pytest.raises(ValueError, match=r"must add up to 1, got a sum of 0.9"):
        in_parts(torch.tensor([[0.5, 0.4]]))


# --- scores of heads -------------------------------------------------------------------------------


def test_hits_agree_with_a_slow_loop():
    readings = load_readings("held_out")[:5]
    hits = head_hits(readings, VERB_OBJECT[:5])
    for s, layer, head in itertools.product(range(5), (0, 3), (1, 7)):
        tokens, (verb, wanted) = readings[s].tokens, VERB_OBJECT[s]
        row = readings[s].weights[layer, head, tokens.index(verb)].tolist()
        candidates = [i for i, t in enumerate(tokens) if t not in ("[CLS]", "[SEP]", ".", ",", verb)]
        assert hits[s, layer, head] == (tokens[max(candidates, key=lambda i: row[i])] == wanted)


def test_special_tokens_and_the_query_itself_cannot_win():
    rows = [[0.2] * 5, [0.5, 0.3, 0.02, 0.08, 0.1], *[[0.2] * 5] * 3]
    assert head_hits([reading_of(rows)], [("a", "c")]).tolist() == [[[True]]]
    assert right_weights([reading_of(rows)], [("a", "c")]).item() == pytest.approx(0.08)


def test_offsets_are_counted_to_the_right_and_equal_ones_prefer_the_nearest():
    reading = reading_of([[0.2] * 5] * 5)
    assert offset_hits([reading], [("a", "c")], 2).tolist() == [True]
    assert offset_hits([reading], [("c", "a")], 2).tolist() == [False]
    assert best_offset([reading] * 3, [("a", "c"), ("a", "c"), ("b", "c")]) == 2
    assert best_offset([reading] * 2, [("a", "c"), ("b", "a")]) == -1
    assert best_offset([reading] * 2, [("b", "a"), ("b", "c")]) == 1


def test_heads_and_sentences_must_be_as_many():
    for function in (head_hits, right_weights, best_offset):
        with pytest.raises(ValueError, match="same length, at least 1, got readings=1, asked=0"):
            function([reading_of([[0.2] * 5] * 5)], [])


@pytest.mark.parametrize(("hits", "total"), [(0, 10), (10, 10), (33, 40), (1, 2)])
def test_the_ends_of_an_interval_are_where_the_hits_are_z_standard_errors_away(hits, total):
    for end in wilson_interval(hits, total):
        assert 0 <= end <= 1
        distance = abs(hits / total - end)
        assert distance == pytest.approx(1.96 * (end * (1 - end) / total) ** 0.5, abs=1e-6)


def test_wrong_counts_are_refused():
    with pytest.raises(ValueError, match="hits must be at most total, got hits=3, total=2"):
        wilson_interval(3, 2)
    with pytest.raises(ValueError, match="total must be at least 1, got total=0"):
        wilson_interval(0, 0)
    with pytest.raises(ValueError, match=r"same shape \(sentences,\), got first \(2,\), second \(3,\)"):
        sign_test(torch.ones(2).bool(), torch.ones(3).bool())


def test_the_sign_test_counts_all_ways_coins_can_fall():
    first = torch.tensor([True] * 6 + [False] * 2 + [True] * 3)
    second = torch.tensor([False] * 6 + [True] * 2 + [True] * 3)
    ways = [abs(sum(coins) * 2 - 8) >= 4 for coins in itertools.product((0, 1), repeat=8)]
    assert sign_test(first, second) == (6, 2, pytest.approx(sum(ways) / 2**8))
    assert sign_test(first, first) == (0, 0, 1.0)


def test_the_claims_of_the_chapter_about_3_1_and_2_3_hold():
    readings, selection = load_readings("held_out"), load_readings("selection")
    for (first, second), (layer, head) in {
        ("verb", "object"): (3, 1),
        ("subject", "verb"): (2, 3),
    }.items():
        on_selection = [(getattr(c, first), getattr(c, second)) for c in SELECTION]
        hits = head_hits(selection, on_selection).sum(dim=0)
        assert divmod(int(hits.argmax()), 12) == (layer, head)
        pairs = [(getattr(c, first), getattr(c, second)) for c in HELD_OUT]
        ours = head_hits(readings, pairs)[:, layer, head]
        rival = offset_hits(readings, pairs, best_offset(selection, on_selection))
        assert ours.sum() >= 30
        assert sign_test(ours, rival)[2] < 0.01


# --- reading maps ----------------------------------------------------------------------------------


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
