from datetime import date

import babel.dates
import make_date_names
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lessons.studies.translation import dates
from attn_lessons.studies.translation.batches import copy_batches, copy_strings, date_batches
from attn_lessons.studies.two_heads import difference_batches

days = st.dates(dates.FIRST_DAY, dates.LAST_DAY)
locales, forms = st.sampled_from(dates.LOCALES), st.sampled_from(dates.FORMATS)


@given(day=days, locale=locales, form=forms)
def test_dates_are_written_as_babel_writes_them(day, locale, form):
    expected = babel.dates.format_date(day, form, locale=locale).replace("\u202f", " ")
    assert dates.write_date(day, locale, form).source == expected


def test_the_stored_table_is_the_one_that_the_tool_writes():
    assert make_date_names.date_names() == dates._TABLE


def test_there_are_six_languages_or_more_with_english_and_chinese_among_them():
    languages = {locale.split("_")[0] for locale in dates.LOCALES}
    assert len(languages) >= 6
    assert {"en", "zh"} <= languages


@given(day=days, locale=locales, form=forms)
def test_the_spans_hold_year_month_and_day(day, locale, form):
    example = dates.write_date(day, locale, form)
    parts = {field: example.source[start:end] for field, (start, end) in example.spans.items()}
    assert parts["year"].rstrip("年") == str(day.year)
    assert int(parts["day"].rstrip("日")) == day.day
    names = dates._NAMES[locale]
    numbers = [str(day.month), f"{day.month:02d}", f"{day.month}月"]
    assert parts["month"] in [*numbers, names["months"][day.month - 1], names["short_months"][day.month - 1]]


@given(day=days, form=forms)
def test_chinese_spans_include_the_character_that_names_the_unit(day, form):
    example = dates.write_date(day, "zh", form)
    ends = [example.source[example.spans[field][1] - 1] for field in ("year", "month", "day")]
    assert ends == ["年", "月", "日"]


@given(day=days, locale=locales, form=forms)
def test_every_date_fits_and_holds_known_characters_only(day, locale, form):
    source = dates.write_date(day, locale, form).source
    for text in (source, source.lower(), source.upper()):
        ids, lengths = dates.encode_sources([text])
        assert (ids[0, : lengths[0]] > 1).all()
        assert not ids[0, lengths[0] :].any()


def test_training_and_held_out_dates_have_no_date_in_common():
    train, test = dates.split_dates(16000, 1000)
    assert len(set(train)) == 16000
    assert len(set(test)) == 1000
    assert not set(train) & set(test)


def test_the_held_out_dates_do_not_depend_on_the_number_of_training_dates():
    assert dates.split_dates(10, 50)[1] == dates.split_dates(2000, 50)[1]


def test_the_same_seed_gives_the_same_dates_and_another_seed_others():
    first, again, other = (dates.split_dates(5, 5, seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert first != other


def test_each_date_is_written_once_in_one_of_the_locales_asked_for():
    train, _ = dates.split_dates(200, 0)
    examples = dates.date_examples(train, ("fr", "zh"))
    assert [example.target for example in examples] == [day.isoformat() for day in train]
    assert {example.locale for example in examples} == {"fr", "zh"}
    assert dates.date_examples(train, ("fr", "zh"), seed=1) != examples


@given(day=days, locale=locales, form=forms)
def test_an_example_names_its_parts(day, locale, form):
    example = dates.write_date(day, locale, form)
    assert example == dates.DateExample(
        locale=locale, source=example.source, target=day.isoformat(), spans=example.spans
    )
    assert set(example.spans) - {"weekday"} == {"year", "month", "day"}


def test_training_batches_hold_no_held_out_date():
    held_out = {day.isoformat() for day in dates.split_dates(300, 100)[1]}
    batches = date_batches(50, num_dates=300, num_test=100)
    seen = {text for _ in range(6) for text in dates.decode_targets(next(batches)[2])}
    assert len(seen) == 300
    assert not seen & held_out


def test_training_batches_are_the_same_every_time():
    first, again = (next(date_batches(7, num_dates=30)) for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))


@given(day=days)
def test_decoding_undoes_encoding(day):
    assert dates.decode_targets(dates.encode_targets([day.isoformat()])) == [day.isoformat()]


def test_a_character_that_dates_do_not_have_becomes_one():
    assert dates.encode_sources(["♥5"], length=3)[0].tolist()[0][0] == 1


def test_no_texts_give_no_rows():
    ids, lengths = dates.encode_sources([], length=3)
    assert ids.shape == (0, 3)
    assert lengths.shape == (0,)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dates.write_date(date(2024, 3, 5), "tlh"), "locale must be one of en, .* got 'tlh'"),
        (
            lambda: dates.write_date(date(2024, 3, 5), "en", "short"),
            "form must be one of full, .* got 'short'",
        ),
        (lambda: dates.split_dates(73000, 50), "at most 73049 together, got num_train=73000, num_test=50"),
        (lambda: dates.split_dates(-1, 5), "at least 0"),
        (lambda: dates.encode_sources(["1234567"], length=6), "at most length=6 characters, got 7"),
    ],
)
def test_a_wrong_argument_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_strings_to_copy_are_their_own_targets():
    source_ids, lengths, target_ids = copy_strings(100, 7)
    assert torch.equal(source_ids - 1, target_ids)
    assert lengths.tolist() == [7] * 100
    assert target_ids.unique().tolist() == list(range(16))


def test_batches_to_copy_have_every_length():
    batches = copy_batches(2, max_length=5)
    assert {next(batches)[0].shape[1] for _ in range(100)} == {1, 2, 3, 4, 5}


def test_differences_are_those_of_the_two_numbers_asked_for():
    names, numbers, asked, answers = next(difference_batches(20))
    for row in range(20):
        number = dict(zip(names[row].tolist(), numbers[row].tolist(), strict=True))
        first, second = asked[row].tolist()
        assert first != second
        assert answers[row].item() == pytest.approx(number[first] - number[second], abs=1e-6)


@pytest.mark.parametrize(
    ("texts", "says"),
    [(["2024/03/05"], r"got \['/'\] in '2024/03/05'"), (["2024-03-05", "2024"], "the same length")],
)
def test_a_date_that_is_no_iso_date_is_named(texts, says):
    with pytest.raises(ValueError, match=says):
        dates.encode_targets(texts)
