"""No checker lets an answer pass that ignores an argument, or that the tested sizes alone make right."""

import math
import time

import pytest
import torch
import torch.nn.functional as functional
from exercises.mechanical import accepts
from sampling import sample

from attn_lessons.exercises import check, solution
from attn_lessons.exercises.checking import answer
from attn_lessons.exercises.checking.check import all_exercises


@pytest.mark.parametrize("exercise", sample(list(all_exercises().values()), 12), ids=lambda one: one.name)
def test_an_answer_that_ignores_an_argument_is_refused(exercise):
    def frozen(place, value):
        return lambda *given: exercise.solved(*given[:place], value, *given[place + 1 :])

    tries = [(place, value) for args in exercise.examples for place, value in enumerate(args)]
    assert [one for one in tries if accepts(exercise, frozen(*one))] == []


def seeded(weights, p, training):
    torch.manual_seed(0)
    return functional.dropout(weights, p, training)


def smallest(weights, p, training):
    return weights * (weights > weights.quantile(p)) / (1 - p) if training else weights


def all_ties(probabilities, share):
    values = probabilities.sort(-1, descending=True).values
    cut = values.where(values.cumsum(-1) - values < share, torch.inf).amin(-1, keepdim=True)
    kept = probabilities * (probabilities >= cut)
    return kept / kept.sum(-1, keepdim=True)


def by_distance(x, y, width):
    away = x[:, None] - x
    return torch.softmax((-((away / width) ** 2) / 2).masked_fill(away == 0, -torch.inf), -1) @ y


def bool_product(near, layers):
    seen = near
    for _ in range(layers - 1):
        seen = seen @ near
    return seen


def low_fill(scores, mask):
    return torch.softmax(scores + (1 - mask.to(scores.dtype)) * -1e4, -1) * mask


def all_strings(written, targets, valid_lens):
    wrong = (written != targets) & (torch.arange(written.shape[1]) < valid_lens[:, None])
    return 1.0 - wrong.any().float()


def cut_straight(x, W_q, W_k, W_v, W_o, num_heads):
    q, k, v = ((x @ W).reshape(len(x), num_heads, x.shape[1], -1) for W in (W_q, W_k, W_v))
    weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1)
    return (weights @ v).transpose(1, 2).flatten(2) @ W_o, weights


def wins_only(first, second):
    wins, n = int((first & ~second).sum()), int((first ^ second).sum())
    return torch.tensor(min(1.0, 2 * sum(math.comb(n, k) for k in range(wins, n + 1)) / 2**n))


def keeps_p(weights, p, training):
    return weights * (torch.rand_like(weights) < p) / max(p, 1e-9) if training else weights


def shares_of_two(weights, asked):
    both = solution("pair-weights")(weights, asked)
    return both / both.sum(-1, keepdim=True)


def first_twice(weights, asked):
    return solution("pair-weights")(weights, asked[:, :1].expand(-1, 2))


def two_layers(near, layers):
    return near.float() @ near.float() > 0


def more_ways_than_one(near, layers):
    return torch.linalg.matrix_power(near.float(), layers) > 1


def half_precision(x):
    rates = 10000 ** (torch.arange(0, x.shape[2], 2) / x.shape[2])
    angles = (torch.arange(x.shape[1])[:, None] / rates).to(x.dtype)
    return x + torch.stack([angles.sin(), angles.cos()], -1).flatten(1)


WRONG = [
    ("weight-dropout", seeded, "the same weights are dropped in every call"),
    ("weight-dropout", smallest, "the same weights are dropped in every call"),
    ("weight-dropout", lambda w, p, training: functional.dropout(w, 0.25, training), "p is not used"),
    ("top-p", all_ties, "tokens as likely as the last one needed are all kept"),
    ("leave-one-out", by_distance, "other points at the same x are left out too"),
    ("add-positions", half_precision, "all is right but `.to(...)` in line 3"),
    ("induction-score", lambda w, period: w.diagonal(1 - period).mean(), "the whole diagonal counts"),
    ("reach", bool_product, "your function stopped with NotImplementedError"),  # not: still empty
    ("reach", two_layers, "`layers` has no effect"),
    ("reach", more_ways_than_one, "all is right but the `>` in line 2"),
    ("masked-softmax", low_fill, "very negative scores get no weight"),  # not: masked after the softmax
    ("exact-match", all_strings, "one wrong string makes the whole share 0"),  # not: valid_lens has no effect
    ("multi-head-attention", cut_straight, "the projections are reshaped without a transpose"),
    ("paired-test", wins_only, "only wins of the first model count"),  # not: second has no effect
    ("weight-dropout", keeps_p, "the share of dropped weights is not p"),
    ("pair-weights", shares_of_two, "made to sum to 1 over the people"),  # not: 1.231 times
    ("pair-weights", first_twice, "the first of the people stands in the place of all"),  # not: sorted
    ("masked-softmax", lambda s, m: s.new_ones(s.shape, requires_grad=True), ""),
]


@pytest.mark.parametrize(("name", "function", "words"), WRONG)
def test_what_was_let_through_or_misnamed_once_is_named(name, function, words):
    mistake = check(name, function).mistake
    assert mistake
    assert words in mistake


@pytest.mark.parametrize("place", [1, 3, 4])
def test_of_equally_heavy_words_any_is_right(place):
    def last(weights, words, query):
        allowed = words & (torch.arange(len(words)) != query)
        rows = weights[:, query].masked_fill(~allowed, -1)
        tied = (rows == rows.amax(-1, keepdim=True)).int()
        return torch.full((len(rows),), place) if (rows[0] == 0).any() and len(rows) == 1 else tied.argmax(-1)

    assert check("heaviest-word", last).correct


def test_of_one_number_the_number_itself_will_do():
    right = solution("induction-score")
    assert check("induction-score", lambda *args: right(*args).item()).correct


def test_a_result_of_another_kind_is_named_by_its_kind():
    right = solution("self-attention")
    reply = check("self-attention", lambda *args: tuple(part.numpy() for part in right(*args)))
    assert reply.mistake == "the output is not a tensor"
    assert "It is an ndarray." in repr(reply)


def test_a_function_of_operators_without_return_is_not_empty():
    def forgot(scores, mask):
        w = scores * mask  # noqa: F841

    assert check("masked-softmax", forgot).mistake == "your function returns nothing"


def test_an_endless_loop_is_ended_and_named(monkeypatch):
    monkeypatch.setattr(answer, "LIMIT", 0.3)

    def endless(scores, mask):
        while True:
            time.sleep(0.001)

    reply = check("masked-softmax", endless)
    assert "did not end" in reply.mistake
    assert "of your function" in repr(reply)


def test_swapped_arguments_of_check_are_told():
    with pytest.raises(TypeError, match="name first, then the function"):
        check(solution("masked-softmax"), "masked-softmax")
