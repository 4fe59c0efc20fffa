import pytest
import torch

from attn_lessons.studies.induction import repeats


def test_every_token_equals_the_one_a_period_earlier():
    tokens, periods = repeats.repeated_tokens(50, 29, 7, periods=(3, 11), seed=5)
    rows = zip(tokens.tolist(), periods.tolist(), strict=True)
    assert all(row[i] == row[i - period] for row, period in rows for i in range(period, 29))


def test_all_periods_and_all_tokens_occur():
    tokens, periods = repeats.repeated_tokens(500, 13, 7, periods=(3, 5))
    assert set(periods.tolist()) == {3, 4, 5}
    assert set(tokens.flatten().tolist()) == set(range(7))


def test_batches_differ_and_come_again_with_the_seed():
    first, again = repeats.repeat_batches(2, seed=4), repeats.repeat_batches(2, seed=4)
    one, two = next(first)[0], next(first)[0]
    assert torch.equal(one, next(again)[0])
    assert not torch.equal(one, two)


def test_knowable_queries_have_seen_their_token_and_have_a_next_one():
    tokens, periods = repeats.repeated_tokens(3, 11, 5, periods=(2, 7))
    expected = [[int(p) <= i < 10 for i in range(11)] for p in periods]
    assert repeats.knowable(tokens, periods).tolist() == expected


def test_the_page_draws_by_whole_number_arithmetic():
    lanes = repeats.random_lanes(2, 5, seed=9)
    tokens, periods, after = repeats.next_repeats(lanes, 16, periods=(2, 4))
    moved = [[lane * 16807 % (2**31 - 1) for lane in row] for row in lanes.tolist()]
    drawn = [2 + row[0] % 3 for row in moved]
    assert after.tolist() == moved
    assert periods.tolist() == drawn
    assert tokens.tolist() == [
        [row[1 + i % p] % 16 for i in range(5)] for row, p in zip(moved, drawn, strict=True)
    ]


IDS = torch.ones(2, 3).long()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: repeats.repeated_tokens(2, 9, 5, periods=(4, 3)), "within 1 to length=9"),
        (lambda: repeats.repeated_tokens(2, 9, 5, periods=(4, 10)), r"got periods=\(4, 10\)"),
        (lambda: repeats.repeated_tokens(2, 9, 5, periods=(0, 3)), "at least 1, got periods=0"),
        (lambda: repeats.repeated_tokens(2, 9, 0), "vocabulary must be at least 1"),
        (lambda: repeats.repeat_blocks(IDS, torch.tensor([4, 1])), r"between 1 and length=3, got \[1, 4\]"),
        (lambda: repeats.repeat_blocks(IDS, torch.tensor([1])), r"\(batch,\), got blocks \(2, 3\)"),
        (lambda: repeats.next_repeats(IDS[0], 5, periods=(1, 2)), r"\(batch, length \+ 1\), got \(3,\)"),
    ],
)
def test_tasks_that_cannot_be_made_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_tokens_and_periods_must_be_whole_numbers():
    with pytest.raises(TypeError, match=r"periods must be an int64 tensor, got torch\.float32"):
        repeats.knowable(torch.ones(1, 3).long(), torch.ones(1))
    with pytest.raises(TypeError, match=r"lanes must be int64, got torch\.float32"):
        repeats.next_repeats(torch.ones(1, 3), 5, periods=(1, 2))
