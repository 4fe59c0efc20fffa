"""What `check`, `hint` and `solution` do, whatever they are given."""

import copy
import math

import pytest
import torch
from sampling import sample

from attn_helpers import show_source
from attn_lessons.exercises import Verdict, check, exercises, hint, solution
from attn_lessons.exercises.checking.answer import Answer
from attn_lessons.exercises.checking.check import all_exercises
from attn_lessons.exercises.checking.reply import Found
from attn_lessons.exercises.checking.results.compare import compare


def test_a_verdict_shows_its_text_and_is_true_when_correct():
    good = Verdict([("Correct:", "a; b.")], correct=True)
    bad = Verdict([("Not yet:", "c."), ("Seen:", "d " * 50)], correct=False, mistake="c")
    assert (repr(good), bool(good), bool(bad), bad.mistake) == ("Correct: a; b.", True, False, "c")
    assert [len(line) <= 72 for line in repr(bad).splitlines()] == [True] * 3


def test_a_verdict_on_a_page_is_text_never_markup():
    verdict = Verdict([("Seen:", "Line 1: `a < b`, <img src=x onerror=alert(1)>")], correct=False)
    assert verdict._repr_html_() == (
        "<p><strong>Seen:</strong> Line 1: <code>a &lt; b</code>, &lt;img src=x onerror=alert(1)&gt;</p>"
    )


def test_an_unknown_exercise_is_refused_with_the_nearest_name():
    with pytest.raises(ValueError, match="perhaps masked-softmax"):
        check("masked_softmax", len)
    with pytest.raises(ValueError, match="name must be an exercise"):
        solution("xyz")


def test_something_that_cannot_be_called_is_refused():
    with pytest.raises(TypeError, match="function must be a function, got Tensor"):
        check("masked-softmax", torch.zeros(2))


@pytest.mark.parametrize("name", exercises())
def test_hints_come_in_steps_and_end(name):
    count = len(all_exercises()[name].hints)
    assert [hint(name, step).startswith(f"Hint {step} of {count}:") for step in range(1, count + 1)] == [
        True
    ] * count
    for step in (0, count + 1, "1"):
        with pytest.raises(ValueError, match=f"step must be 1 to {count}"):
            hint(name, step)


def test_a_hint_shows_without_quotes():
    assert repr(hint("masked-softmax")) == str(hint("masked-softmax"))


def test_a_missing_return_is_told_from_an_empty_function():
    def forgot(scores, mask):
        torch.softmax(scores, dim=-1)

    assert "returns nothing" in check("masked-softmax", forgot).mistake


def test_wrong_parameters_are_reported():
    verdict = check("masked-softmax", lambda scores: scores)
    assert "takes 1 positional argument but 2 were given" in verdict.mistake
    assert "scores (2, 3) float32, mask (2, 3) bool" in " ".join(repr(verdict).split())


def test_a_wrong_dtype_and_swapped_axes_are_named():
    weights = solution("masked-softmax")
    assert "dtype" in check("masked-softmax", lambda *args: weights(*args).double()).mistake
    swapped = check("masked-softmax", lambda *args: weights(*args).T)
    assert "the axes of the weights are in the wrong order: (keys, queries)" in swapped.mistake


def test_a_cut_off_gradient_is_named():
    weights = solution("masked-softmax")
    assert "no gradient" in check("masked-softmax", lambda s, m: weights(s.detach(), m)).mistake


def test_a_reply_holds_the_inputs_that_showed_the_mistake():
    def wrong(scores, mask):
        return torch.softmax(scores, dim=-1)

    inputs = check("masked-softmax", wrong).inputs
    assert not torch.allclose(wrong(**inputs), solution("masked-softmax")(**inputs))


def test_an_error_inside_a_lambda_or_a_builtin_is_a_reply():
    assert "your function stopped with" in repr(check("masked-softmax", lambda a, b: a @ b.missing))
    assert "your function stopped with" in repr(check("masked-softmax", len))


def only_in_jupyter(scores, mask):
    raise AttributeError("torch.nowhere is not in the page's torch; run this notebook in Jupyter")


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (only_in_jupyter, "check it in Jupyter"),
        (lambda s, m: s if m else 0, "ask for one True or False"),
        (lambda s, m: s * (m - m), "True and False are no numbers here"),
        (lambda s, m: s[:, 3], "how many does this line ask for"),
        (lambda s, m: s + s.T, "Which two shapes do not fit there?"),
    ],
)
def test_a_line_that_stops_is_shown_with_what_stands_in_it(function, words):
    def answer(scores, mask):
        s = function(scores, mask)
        return s

    def named(scores, mask):
        return scores.T + scores

    assert "There: scores (2, 3)." in " ".join(repr(check("masked-softmax", named)).split())
    reply = " ".join(repr(check("masked-softmax", answer)).split())
    assert "There: scores (2, 3), mask (2, 3) bool." in reply
    assert words in reply


def test_check_leaves_the_random_numbers_alone():
    torch.manual_seed(3)
    expected = torch.rand(1)
    torch.manual_seed(3)
    check("masked-softmax", lambda scores, mask: torch.rand_like(scores))
    assert torch.equal(torch.rand(1), expected)


@pytest.mark.parametrize("name", sample(exercises(), 8))
def test_an_answer_that_ruins_its_arguments_does_not_ruin_later_checks(name):
    def ruin(*args):
        for arg in args:
            if isinstance(arg, torch.Tensor):
                arg.zero_()
        return args[0]

    check(name, ruin)
    assert check(name, solution(name)).correct


def test_arguments_are_copied_before_a_call():
    given = torch.ones(3)
    before = copy.deepcopy(given)
    with pytest.raises(Found):
        Answer(lambda x: x.zero_(), lambda x: x)(given)
    assert torch.equal(given, before)


@pytest.mark.parametrize("gap", [0.01, -0.01, float("nan"), float("inf")])
def test_a_small_difference_is_seen_and_shown(gap):
    got = torch.ones(2, 3)
    got[1, 2] += gap
    with pytest.raises(Found) as found:
        compare(got, torch.ones(2, 3), "queries keys", named="scores")
    assert "scores[query 1] is [1, 1, " in found.value.reply.seen


@pytest.mark.parametrize("name", exercises())
def test_a_solution_is_shown_without_docstring_and_decorator(name):
    shown = repr(show_source(solution(name))).splitlines()
    assert shown[0].startswith("# attn_lessons/exercises/tasks/")
    assert shown[1].startswith("def ")
    assert '"""' not in "".join(shown)


UNKNOWN = {
    "a row of weights has the wrong sum": lambda scores, mask: torch.sigmoid(scores) * mask,
    "a key that must not be attended has weight": lambda scores, mask: torch.softmax(scores / 3, dim=-1),
    "the weights are too sharp": lambda scores, mask: solution("masked-softmax")(scores * 1.7, mask),
    "the weights are too even": lambda scores, mask: solution("masked-softmax")(scores / 1.7, mask),
    "the weights are even": lambda scores, mask: solution("masked-softmax")(scores * 0, mask),
    "the weights are upside down": lambda scores, mask: solution("masked-softmax")(-scores, mask),
}


@pytest.mark.parametrize("mistake", UNKNOWN)
def test_a_mistake_in_weights_that_no_suspect_explains_is_still_named(mistake):
    assert check("masked-softmax", UNKNOWN[mistake]).mistake == mistake


def test_a_wrong_scale_is_measured():
    verdict = check("masked-softmax", UNKNOWN["the weights are too sharp"])
    assert "a softmax of the right scores times 1.7." in " ".join(repr(verdict).split())


def test_a_result_that_stumbles_a_check_is_a_reply(monkeypatch):
    def odd(answer):
        raise ZeroDivisionError("odd result")

    monkeypatch.setattr(all_exercises()["split-heads"], "checks", [odd])
    assert check("split-heads", solution("split-heads")).mistake == "the result cannot be checked"


def test_a_mistake_that_fits_one_call_by_chance_is_not_named():
    def capped(scores, mask):
        scores = scores.clamp(-10, 10).masked_fill(~mask, -math.inf).masked_fill(~mask.any(-1, True), 0)
        return torch.softmax(scores, dim=-1) * mask

    reply = str(check("masked-softmax", capped))
    assert "weights[query 0] is [0.5, 0.5, 0]" in reply
    assert "without an exponential" not in reply
