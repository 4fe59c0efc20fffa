"""A wrong answer that no suspect knows is still told something true: what it ignores, where to look."""

import ast
import math

import numpy
import pytest
import torch
from sampling import sample

from attn_lessons.exercises import check, exercises, solution
from attn_lessons.exercises.checking.results.close import close
from attn_lessons.exercises.checking.results.properties import broken
from attn_lessons.exercises.checking.results.region import row_factors, where_wrong
from attn_lessons.exercises.checking.source.edits import applied, edits
from attn_lessons.exercises.checking.source.repair import built, read
from attn_lessons.exercises.checking.source.steps import _alike, last_right_step


def own_slopes(slopes, num_queries, num_keys):
    distances = torch.arange(num_keys - num_queries, num_keys)[:, None] - torch.arange(num_keys)
    mine = 2 ** (-8 * torch.arange(1, len(slopes) + 1) / len(slopes))
    return -mine[:, None, None] * distances


def other_letters(decoder_states, encoder_states, W):
    projected = decoder_states @ W
    return torch.softmax(torch.einsum("bqd,bke->bqk", projected, encoder_states), -1)


def diagonal_too(x, W_q, W_k, W_v):
    scores = (x @ W_q) @ (x @ W_k).T / math.sqrt(W_q.shape[1])
    hidden = torch.ones_like(scores, dtype=torch.bool).triu(0)
    weights = torch.softmax(scores.masked_fill(hidden, -torch.inf), -1)
    return weights @ (x @ W_v), weights


def names_exchanged(x, start):
    angles = torch.arange(start, start + x.shape[1])[:, None]
    angles = angles / 10000 ** (torch.arange(0, x.shape[2], 2) / x.shape[2])
    a, b = x[..., 0::2], x[..., 1::2]
    cos, sin = angles.cos(), angles.sin()
    return torch.stack([a * cos - b * sin, a * cos + b * sin], -1).flatten(-2)


def without_mask_and_mean(queries, keys):
    return (queries - queries.mean(-1, keepdim=True)) @ keys.mT / queries.shape[-1] ** 0.5


def residual(x, W_q, W_k, W_v, W_o, num_heads):
    batch, length, size = x.shape
    q, k, v = ((x @ W).view(batch, length, num_heads, -1).transpose(1, 2) for W in (W_q, W_k, W_v))
    weights = torch.softmax(q @ k.mT / math.sqrt(size // num_heads), -1)
    return torch.nn.functional.layer_norm(
        x + (weights @ v).transpose(1, 2).flatten(2) @ W_o, (size,)
    ), weights


def from_wins_on(first, second):
    wins, losses = int((first & ~second).sum()), int((~first & second).sum())
    n = wins + losses
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(wins, n + 1)) / 2**n)


def mean_of_heads(queries, notes, W_q, W_k, W_v, W_o):
    q, k, v = queries @ W_q, notes @ W_k, notes @ W_v
    outputs = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v
    return outputs.transpose(0, 1).flatten(1) @ W_o / len(W_q)


def smallest_to_largest(x):
    low, high = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
    return (x - low) / (high - low + 1e-5)


def minus_mean(x):
    mean = x.mean(-1, keepdim=True)
    return (x - mean) / torch.sqrt((x**2).mean(-1, keepdim=True) - mean + 1e-5)


def overlapping(inputs, num_heads):
    dim = inputs.shape[-1] // num_heads
    return torch.stack([inputs[:, :, i : i + dim] for i in range(num_heads)], 1)


def early_only(x, y, width):
    scores = -(((x[:, None] - x) / width) ** 2) / 2
    hidden = torch.ones(len(x), len(x), dtype=torch.bool).triu()
    return torch.softmax(scores.masked_fill(hidden, -1e9), -1) @ y


def row_count(written, targets, valid_lens):
    padding = torch.arange(written.shape[1]) >= valid_lens[:, None]
    return ((written == targets) | padding).all(1).sum()


def moved(probabilities, share):
    return solution("top-p")(probabilities, share).roll(1, -1).flip(-1)


NAMED = [
    ("leave-one-out", early_only, "only the points before each one count"),
    ("exact-match", row_count, "the rows are counted, not averaged"),
    ("top-p", moved, "all numbers are right, but they stand in other places"),
    ("alibi-bias", own_slopes, "`slopes` has no effect"),
    ("luong-general", other_letters, 'all is right but the letters "bqd,bke->bqk" in line 3'),
    ("self-attention", diagonal_too, "all is right but the number 0 in line 3"),
    ("rotary", names_exchanged, "stands where in line 6"),
    ("scaled-scores", without_mask_and_mean, "is wrong, and not the only thing"),
    ("multi-head-attention", residual, "what goes into `+` in line 6 is right"),
    ("heads-side-by-side", mean_of_heads, "are 0.5 times what they should be"),  # not: half of W_v
    ("layer-norm", smallest_to_largest, "the mean along the d_model is 0.5, expected 0"),
    ("layer-norm", minus_mean, "but for a factor, another one each time"),
    ("split-heads", overlapping, "wrong everywhere but at head 0"),
]


@pytest.mark.parametrize(("name", "function", "words"), sample(NAMED, 12))
def test_an_unknown_mistake_is_named_by_a_closer_look(name, function, words):
    reply = check(name, function)
    assert not reply.correct
    assert words in reply.mistake, reply
    assert "not right yet" not in reply.mistake


def test_nothing_is_made_of_a_result_that_many_mistakes_give():
    for value in (0.0, 1.0):
        assert (
            "this is the result for"
            not in check("induction-score", lambda *_, value=value: torch.tensor(value)).mistake
        )
    assert "softmax" not in check("paired-test", from_wins_on).mistake  # a softmax of one number is 1
    reply = repr(check("top-p", moved))
    assert "Which axis" not in reply


@pytest.mark.parametrize("name", ["alibi-bias", "kernel-weights", "masked-softmax", "rotary", "top-p"])
def test_a_right_function_with_one_name_changed_is_mended_at_its_place(name):
    """What `all is right but` says is shown by a run: undone, the change makes every check pass."""
    source = read(solution(name))
    assert source
    reply = check(name, built(solution(name), source.tree))
    assert reply.correct


@pytest.mark.parametrize("name", sample(exercises(), 8))
def test_changes_of_a_program_are_programs_and_leave_it_as_it_was(name):
    source = read(solution(name))
    assert source
    before = ast.dump(source.tree)
    changed = list(edits(source.tree))
    assert len(changed) > 20
    for edit in changed[::17]:
        assert ast.dump(applied(source.tree, edit)) != before
    assert ast.dump(source.tree) == before


RIGHT = torch.tensor([[0.1, 0.2, 0.7], [0.5, 0.3, 0.2], [0.3, 0.3, 0.4]])


def test_nothing_is_said_of_a_right_result():
    for say in (where_wrong, row_factors, broken):
        assert say(RIGHT.clone(), RIGHT, "queries keys") == ""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda x: x + torch.eye(3), "only on the diagonal"),
        (lambda x: x + torch.ones(3, 3).triu(1), "only above the diagonal"),
        (lambda x: x + torch.ones(3, 3).tril(-1), "only below the diagonal"),
        (lambda x: x.index_fill(0, torch.tensor([1]), 9), "only at query 1"),
        (lambda x: x.index_fill(1, torch.tensor([2]), 9), "only at the last key"),
        (lambda x: torch.cat([x[:1], x[1:] + torch.rand(2, 3) + 1]), "everywhere but at query 0"),
        (lambda x: x + torch.rand(3, 3) + 1, ""),
    ],
)
def test_where_the_wrong_numbers_stand(change, words):
    torch.manual_seed(0)
    assert where_wrong(change(RIGHT.clone()), RIGHT, "queries keys") == words


def test_what_a_right_result_has_and_a_wrong_one_has_not():
    assert broken(RIGHT * 2, RIGHT, "queries keys") == "wrong: the sum along the keys is 2, expected 1"
    masked = torch.tensor([[1.0, 0, 0], [0.5, 0.5, 0], [0.2, 0.3, 0.5]])
    assert "not 0 where 0 is right: at query 0, key 1" in broken(
        torch.full((3, 3), 1 / 3), masked, "queries keys"
    )
    assert "of the right ones none is below 0" in broken(torch.tensor([0.2, -0.5, 1.1]), RIGHT[0], "keys")
    rows = RIGHT * torch.tensor([[2.0], [3.0], [5.0]])
    assert "right along the keys but for a factor" in row_factors(rows, RIGHT, "queries keys")


def test_what_goes_into_a_step_is_right_in_its_shape_and_as_a_whole():
    """A reshape moves no number and may be the slip; of two sides of a division one may be it."""

    def over_own_sum(phi_q, phi_k, values):
        return phi_q @ (phi_k.T @ values) / phi_q.sum(1, keepdim=True)

    reply = " ".join(repr(check("linear-attention", over_own_sum)).split())
    assert "though part of what goes into `/` in line 2 is right" in reply
    assert "What else goes into it?" in reply
    one, turned = torch.rand(4, 6), torch.rand(6, 4)
    assert not any(_alike(one, other, close) for other in (one.reshape(6, 4), turned))
    assert all(_alike(one, other, close) for other in (one[None], one.T, one.clone()))


def test_steps_of_a_right_function_lead_nowhere():
    args = (torch.randn(2, 3, 4), torch.randn(2, 5, 4))
    right = solution("scaled-scores")
    assert last_right_step(right, right, args, close) is None


def raising(*_):
    raise KeyError("no\nsuch key")


def printing(*_):
    print("here")
    return torch.ones(3)


ODD = {
    "int64": lambda *_: torch.ones(3, dtype=torch.int64),
    "None": lambda *_: None,
    "tuple": lambda *_: (1, 2, 3),
    "empty tuple": lambda *_: (),
    "list": lambda *args: [args],
    "array": lambda *_: numpy.ones((2, 2)),
    "gradient": lambda *_: torch.ones(3, requires_grad=True),
    "complex": lambda *_: torch.ones(2, 2, dtype=torch.complex64),
    "nothing in it": lambda *_: torch.empty(0),
    "one number": lambda *_: torch.tensor(1.0),
    "bool": lambda *_: torch.ones(2, 3, dtype=torch.bool),
    "sparse": lambda *_: torch.eye(3).to_sparse(),
    "text": lambda *_: "weights",
    "raises": raising,
    "prints": printing,
    "arguments": lambda *args: args,
    "the class": torch.nn.Linear,
    "infinite": lambda *_: torch.full((2, 2), torch.inf),
}


@pytest.mark.parametrize("odd", ODD)
def test_whatever_an_answer_returns_the_reply_is_a_text(odd, capsys):
    for name in sample(exercises(), 6):
        reply = check(name, ODD[odd])
        assert not reply.correct
        assert len(repr(reply).splitlines()) < 16
        assert capsys.readouterr().out.count("here") <= 4 * (odd == "prints")


@pytest.mark.parametrize("name", ["self-attention", "bahdanau-step", "multi-head-attention"])
def test_right_results_in_another_order_are_told_so(name):
    reply = check(name, lambda *args: solution(name)(*args)[::-1])
    assert "order" in reply.mistake
