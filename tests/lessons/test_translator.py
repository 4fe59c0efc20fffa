import datetime
import functools
import itertools
from importlib.resources import files

import pytest
import torch
from sampling import sample, weekly
from torch.fx.experimental.proxy_tensor import make_fx
from torch.testing import assert_close

from attn_lessons.studies.translation import copying, date_translator, dates
from attn_lessons.studies.translation.date_translator import (
    alignment_shares,
    exact_match,
    load_translator,
    make_translator,
    trace_translation,
    train_translator,
    translate_dates,
)
from attn_lessons.studies.translation.translator import ATTENTIONS, Translator

ROUNDED = {"rtol": 1e-4, "atol": 1e-5}  # float32 through 46 recurrent steps
every_attention = pytest.mark.parametrize("attention", ATTENTIONS)


def held_out(locale, number=200):
    _, days = dates.split_dates(16000, 1000)
    return [dates.write_date(day, locale, form) for day in days[:number] for form in dates.FORMATS]


@pytest.mark.parametrize("attention", ["bahdanau", "dot"])
@pytest.mark.parametrize("locale", sample(dates.LOCALES, 3))
def test_the_weights_lie_where_the_field_is_written(attention, locale):
    examples = held_out(locale, 50)
    _, weights = translate_dates(load_translator(attention)[0], [example.source for example in examples])
    shares = alignment_shares(weights, examples)
    assert shares["year"] > 0.95
    assert shares["month"] > 0.7
    assert shares["day"] > 0.7


def test_dates_typed_in_lower_or_upper_case_are_understood():
    model, _ = load_translator()
    texts = ["friday, 21 november 2026", "FRIDAY, 21 NOVEMBER 2026", "21 Nov 2026", "2026年11月21日"]
    assert translate_dates(model, texts)[0] == ["2026-11-21"] * 4


@every_attention
def test_training_again_follows_the_stored_losses(attention):
    _, losses = train_translator(attention, stop_after=4)
    _, stored = load_translator(attention)
    assert len(stored) == date_translator.NUM_STEPS
    assert losses == pytest.approx(stored[:4], rel=1e-4)


@weekly
def test_the_loss_falls_and_progress_is_told():
    seen = []
    _, losses = train_translator("dot", stop_after=25, progress=lambda step, loss: seen.append((step, loss)))
    assert seen == list(enumerate(losses, start=1))
    assert sum(losses[-5:]) < sum(losses[:5])


def test_the_weights_of_both_translators_on_the_page_fit_into_300_kb():
    folder = files("attn_lessons.studies.translation").joinpath("weights")
    sizes = [len(folder.joinpath(f"dates_{name}_1x.npz").read_bytes()) for name in ("bahdanau", "dot")]
    assert sum(sizes) <= 300_000


def test_the_fixed_vector_model_is_not_smaller_than_the_one_with_attention():
    for make in (make_translator, copying.make_copier):
        sizes = [sum(p.numel() for p in make(kind).parameters()) for kind in ("bahdanau", "fixed")]
        assert sizes[0] <= sizes[1] <= 1.1 * sizes[0]


@every_attention
def test_greedy_translation_equals_the_taught_path_when_told_its_own_words(attention):
    model = make_translator(attention)
    source_ids, lengths = dates.encode_sources(["5 mars 2024", "2024年3月5日"])
    ids, _ = model.translate(source_ids, lengths, num_steps=10)
    assert torch.equal(model(source_ids, lengths, ids).argmax(dim=-1), ids)


@every_attention
def test_padding_a_source_further_changes_nothing(attention):
    model = make_translator(attention)
    targets = torch.zeros(1, 10, dtype=torch.int64)
    logits = [model(*dates.encode_sources(["5 mars 2024"], length), targets) for length in (11, 36)]
    assert_close(*logits, **ROUNDED)


@every_attention
def test_weights_sum_to_one_over_the_source_or_are_zero_for_the_fixed_vector(attention):
    source_ids, lengths = dates.encode_sources(["5 mars 2024", "2024年3月5日"])
    _, weights = make_translator(attention).translate(source_ids, lengths, num_steps=3)
    expected = torch.full((2, 3), 0.0 if attention == "fixed" else 1.0)
    assert_close(weights.sum(dim=-1), expected)
    assert not weights[0, :, 11:].any()


@every_attention
def test_every_parameter_gets_a_gradient(attention):
    model = Translator(7, 5, attention, embed_size=2, num_hiddens=3)
    ids = torch.tensor([[1, 2, 3, 4]])
    model(ids, torch.tensor([4]), torch.tensor([[0, 1, 2]])).square().sum().backward()
    assert all(p.grad is not None and p.grad.any() for p in model.parameters())


@pytest.mark.parametrize("attention", sample(ATTENTIONS, 1))
def test_translation_can_be_traced_and_then_serves_any_text(attention):
    model = make_translator(attention).requires_grad_(False)
    ids, lengths = dates.encode_sources(["5 mars 2024", "Friday, 21 November 2026"])
    traced = make_fx(functools.partial(trace_translation, model))(ids[0], lengths[0])
    got, expected = traced(ids[1], lengths[1]), trace_translation(model, ids[1], lengths[1])
    assert torch.equal(got["ids"], expected["ids"])
    assert_close(got["weights"], expected["weights"], **ROUNDED)


def test_what_is_doubted_of_an_answer_agrees_with_the_calendar():
    everywhere = torch.ones(1, dtype=torch.bool)
    for year, month, day in itertools.product((1900, 2000, 2023, 2024), range(14), range(33)):
        try:
            datetime.date(year, month, day)
            wrong = False
        except ValueError:
            wrong = True
        ids = dates.encode_targets([f"{year}-{month:02}-{day:02}"])[0]
        assert bool(date_translator.doubts(ids, torch.ones(10), everywhere).any()) is wrong, (
            year,
            month,
            day,
        )
    unsure = torch.ones(10).index_fill(0, torch.tensor([3]), date_translator.SURE - 0.01)
    ids = dates.encode_targets(["2024-0--05"])[0]
    for kept, said in ((everywhere, 4), (~everywhere, 1)):  # where letters are struck, the year is not why
        assert date_translator.doubts(ids, unsure, kept).tolist()[3:7] == [said, 0, 2, 2]


def test_a_source_of_length_zero_within_a_batch_gives_a_zero_row():
    ids, _ = dates.encode_sources(["", "5 mars 2024"])
    _, weights = make_translator().translate(ids, torch.tensor([0, 11]), num_steps=2)
    assert not weights[0].any()
    assert weights[1].any()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: translate_dates(make_translator(), [""]), "at least 1 character"),
        (lambda: translate_dates(make_translator(), []), "at least 1 text"),
        (lambda: exact_match(make_translator(), []), "at least 1 date, got 0"),
        (lambda: translate_dates(make_translator(), ["x" * 37]), "at most length=36 characters, got 37"),
        (lambda: load_translator("concat"), "must be one of bahdanau, dot, fixed, got 'concat'"),
        (lambda: Translator(5, 5, "cosine"), "unknown attention 'cosine'; choose one of bahdanau, dot"),
        (
            lambda: make_translator().translate(torch.ones(2, 0, dtype=torch.int64), torch.tensor([0, 0]), 3),
            r"source_ids must have shape \(batch, keys\) with keys >= 1, got \(2, 0\)",
        ),
    ],
)
def test_a_wrong_argument_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
