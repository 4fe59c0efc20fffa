"""Results that readers saved, as a table for the teacher; and the questions for Moodle."""

import csv
import io
import json
import re
from xml.etree import ElementTree

import pytest

from attn_lessons import results
from tools.course import moodle
from tools.course.lessons import lessons, wrong_answers

LESSON = lessons()["03a_masked_softmax"]
WHEN = {"padding-share": "2026-11-24T10:00:00.000Z", "shorter": "2026-11-24T10:05:00.000Z"}


def saved(answers, **more):
    page = {"read": True, "answers": answers, "when": WHEN}
    path = f"/book/notebooks/{LESSON.name}.html"
    return json.dumps(
        {"format": "attention-live/results", "version": 1, "reader": "Ada", "pages": {path: page}, **more}
    )


def right_value(question):
    return str(question["answer"]) if question["kind"] == "number" else question["answer"]


def test_right_answers_count_and_looked_up_ones_do_not():
    answers = {each["name"]: [right_value(each), False] for each in LESSON.questions}
    answers["check causal-mask"] = True
    (row,) = results.rows(saved(answers), "ada")
    assert row["asked"] == row["answered"] == row["right"] == len(LESSON.questions)
    assert (row["solved"], row["first"], row["last"]) == (1, WHEN["padding-share"], WHEN["shorter"])
    (row,) = results.rows(
        saved({name: [value[0], True] for name, value in answers.items() if value is not True}), "ada"
    )
    assert (row["right"], row["looked up"]) == (0, len(LESSON.questions))


def test_wrong_and_unclear_answers():
    (row,) = results.rows(saved({"padding-share": [0, False], "shorter": ["a quarter", False]}), "ada")
    assert (row["answered"], row["right"], row["unclear"]) == (2, 0, 1)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "null", '{"format": "other"}', saved({})[:-9], saved({}, pages=3)]
)
def test_another_file_is_an_error_that_names_it(text):
    with pytest.raises(ValueError, match="odd"):
        list(results.rows(text, "odd"))


def test_a_class_becomes_a_table_that_says_what_it_is(tmp_path, capsys):
    (tmp_path / "a.json").write_text(saved({}, reader='=HYPERLINK("x")'), encoding="utf-8")
    (tmp_path / "b.json").write_text("no", encoding="utf-8")
    assert results.main([str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 1
    out, err = capsys.readouterr()
    (row,) = csv.DictReader(io.StringIO(out))
    assert row["reader"].startswith("'=")
    assert "no proof of honesty" in err
    assert "b is no file" in err


def test_moodle_gets_every_question_with_its_replies():
    quiz = ElementTree.fromstring(moodle.bank())
    asked = [each for each in quiz if each.get("type") != "category"]
    wanted = [spec for lesson in lessons().values() for spec in lesson.questions]
    assert len(asked) == len(wanted)
    for made, spec in zip(asked, wanted, strict=True):
        # the order in which Moodle's own export has them
        assert [each.tag for each in made][:6] == [
            "name",
            "questiontext",
            "generalfeedback",
            "defaultgrade",
            "penalty",
            "hidden",
        ]
        answers = made.findall("answer")
        assert [each.get("fraction") for each in answers].count("100") == 1
        assert len(answers) == 1 + len(wrong_answers(spec))
        for each in answers:
            assert re.sub("<[^>]+>", "", each.findtext("feedback/text"))
        assert (made.get("type") == "numerical") == (answers[0].find("tolerance") is not None)
