import itertools

import pytest
import torch

from attn_lessons.studies.minilm.head_scores import (
    best_offset,
    head_hits,
    offset_hits,
    right_weights,
)
from attn_lessons.studies.minilm.readings import (
    Reading,
    load_readings,
)
from attn_lessons.studies.minilm.sentences import HELD_OUT
from attn_lessons.studies.statistics import sign_test, wilson_interval

VERB_OBJECT = [(clause.verb, clause.object) for clause in HELD_OUT]


def reading_of(rows, text="[CLS] a b c [SEP]"):
    """Make a reading with one layer of one head from a map."""
    weights = torch.tensor(rows)[None, None]
    n = weights.shape[-1]
    return Reading(text, tuple(text.split()), torch.arange(n), weights, *[torch.zeros(n)] * 3)


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
    with pytest.raises(ValueError, match="right must be at most total, got right=3, total=2"):
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
