"""Pronoun pairs and the chances of luck, against slow counts; and the facts that the lesson tells."""

import itertools
import math

import pytest
import torch
from torch.testing import assert_close

from attn_lessons.studies.minilm.head_names import head_name, head_place
from attn_lessons.studies.minilm.map_reading import heaviest_keys, same_output_weights, weight_freedom
from attn_lessons.studies.minilm.pronoun_pairs import pronoun_choices, right_by_luck, same_noun_share
from attn_lessons.studies.minilm.readings import find_reading, load_readings
from attn_lessons.studies.minilm.sentences import PRONOUNS
from attn_lessons.studies.statistics import at_least_one


@pytest.fixture(scope="module")
def right():
    return pronoun_choices(load_readings("pronouns"), PRONOUNS)


# --- what the stored readings say ------------------------------------------------------------------


def test_choices_are_those_of_a_loop_over_sentences_and_heads(right):
    for number, (reading, case) in enumerate(zip(load_readings("pronouns"), PRONOUNS, strict=True)):
        words = [token.strip(".") for token in reading.tokens]
        at, noun, rival = (words.index(word) for word in (case.pronoun, case.antecedent, case.distractor))
        for layer, head in itertools.product(range(6), range(12)):
            row = reading.weights[layer, head, at].tolist()
            assert right[number // 2, number % 2, layer, head].item() == (row[noun] > row[rival])


def test_heads_mostly_ignore_the_changed_word_so_that_nine_of_twelve_is_rare_but_the_best_of_72_is_no_news(
    right,
):
    same = same_noun_share(right)
    assert 0.84 < same < 0.86
    most = int(right.sum(dim=(0, 1)).max())
    luck = right_by_luck(6, same)[most:].sum().item()
    assert most == 9
    assert 0.005 < luck < 0.007
    assert 0.3 < at_least_one(luck, 72) < 0.4


def test_opposites_must_stand_side_by_side():
    readings = load_readings("pronouns")
    with pytest.raises(ValueError, match="swap their nouns"):
        pronoun_choices(readings[1:-1], PRONOUNS[1:-1])
    with pytest.raises(ValueError, match="same even length"):
        pronoun_choices(readings[:3], PRONOUNS[:3])


# --- chances ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("same", [0.0, 0.5, 0.85, 1.0])
def test_luck_in_pairs_is_a_sum_over_all_outcomes(same):
    pairs, chance = 4, {0: (1 - same) / 2, 1: same, 2: (1 - same) / 2}
    expected = torch.zeros(2 * pairs + 1, dtype=torch.float64)
    for outcome in itertools.product((0, 1, 2), repeat=pairs):
        expected[sum(outcome)] += math.prod(chance[each] for each in outcome)
    assert_close(right_by_luck(pairs, same), expected)


def test_at_least_one_of_several():
    some = sum(math.comb(5, k) * 0.2**k * 0.8 ** (5 - k) for k in range(1, 6))
    assert at_least_one(0.2, 5) == pytest.approx(some)


@pytest.mark.parametrize(
    "call",
    [
        lambda: right_by_luck(0, 0.5),
        lambda: right_by_luck(2, 1.5),
        lambda: at_least_one(-0.1, 3),
    ],
)
def test_impossible_chances_are_refused(call):
    with pytest.raises(ValueError, match="got"):
        call()


# --- names, tables, other weights ------------------------------------------------------------------


def test_names_count_from_1_and_places_from_0():
    assert head_place(head_name(3, 1)) == (3, 1)
    thief = find_reading("The thief hid the stolen money in a barrel.")
    assert torch.equal(thief.named("4.2"), thief.head(3, 1))
    for wrong in ("0.1", "7.1", "4.13", "4", "4.-1", "x.y"):
        with pytest.raises(ValueError, match=r"1\.1 to 6\.12"):
            thief.named(wrong)


def test_the_heaviest_keys_and_the_rest_add_up_to_the_row():
    thief = find_reading("The thief hid the stolen money in a barrel.")
    row = thief.named("4.2")[thief.place("hid")]
    listed, rest = heaviest_keys(row, thief.tokens, most=6)
    assert [token for token, _ in listed[:2]] == ["[CLS]", "money"]
    assert sum(weight for _, weight in listed) + rest == pytest.approx(1, abs=1e-4)
    assert len(thief.tokens) == 12
    assert rest > 0.05  # six of twelve keys are not the whole row


@pytest.mark.parametrize(
    ("values", "freedom"),
    [
        ([[0.0], [1.0]], 0),  # as many keys as value_dim + 1
        ([[0.0], [1.0], [3.0]], 1),
        ([[1.0], [1.0]], 1),  # two equal values
        ([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]], 1),  # three on a line
        ([[0.0, 0.0], [1.0, 2.0], [2.0, 1.0]], 0),
        ([[0.0, 0.0], [1.0, 2.0], [2.0, 1.0], [3.0, 5.0]], 1),
    ],
)
def test_freedom_is_there_exactly_where_other_weights_are_found(values, freedom):
    values = torch.tensor(values)
    own = torch.full((len(values),), 1 / len(values))
    assert weight_freedom(own, values) == freedom
    moved = [same_output_weights(own, values, own + 0.2 * step) for step in torch.eye(len(values))]
    furthest = max((other - own.double()).abs().max().item() for other in moved)
    assert (furthest > 1e-3) == (freedom > 0)
    for other in moved:
        assert_close(other @ values.double(), own.double() @ values.double(), atol=1e-6, rtol=0)


def test_a_weight_of_0_may_leave_no_way_to_go():
    values, corner = torch.tensor([[0.0], [1.0], [2.0]]), torch.tensor([0.0, 0.0, 1.0])
    assert weight_freedom(corner, values) == 0
    for wish in torch.eye(3):
        assert_close(same_output_weights(corner, values, wish).float(), corner, atol=1e-3, rtol=0)
