"""The plain file of lesson 8e is the lesson's transformer, and it learns."""

import pytest
import torch
import transformer as plain
from torch.testing import assert_close

from attn_lessons.studies.translation import dates
from attn_lessons.studies.translation.encoder_decoder import (
    DecoderBlock,
    load_transformer,
    make_transformer,
    trace_writing,
    train_transformer,
)

TEXTS = ["Tuesday, March 5, 2024", "2024年3月5日", "5 mars 2024"]


@pytest.fixture(scope="module")
def both():
    model, _ = load_transformer()
    copy = plain.Transformer(len(dates.SOURCE_CHARACTERS), len(dates.TARGET_CHARACTERS))
    copy.load_state_dict(model.state_dict())
    return model, copy.eval()


def test_with_the_lessons_weights_the_plain_file_is_the_lessons_model(both):
    model, copy = both
    ids, lengths = dates.encode_sources(TEXTS, length=24)
    targets = dates.encode_targets(["2024-03-05"] * 3)
    with torch.no_grad():
        assert_close(copy(ids, targets[:, :-1]), model(ids, lengths, targets), rtol=1e-4, atol=1e-4)
        written = copy.write(ids)
    assert torch.equal(written, model.translate(ids, lengths, 10)[0])
    assert dates.decode_targets(written) == ["2024-03-05"] * 3


def test_the_page_writes_as_the_lesson_does_from_blocks_of_one_kind(both):
    model, _ = both
    assert {type(block) for block in model.decoder} == {DecoderBlock}
    ids, lengths = dates.encode_sources(TEXTS[2:])
    written = trace_writing(model, ids[0], lengths[0])["ids"]
    assert torch.equal(written, model.translate(ids, lengths, dates.TARGET_LENGTH)[0][0])


def test_one_seed_trains_the_same_model_each_time():
    _, first = train_transformer(seed=4, stop_after=2)
    _, again = train_transformer(seed=4, stop_after=2)
    assert first == again
    assert first != train_transformer(seed=5, stop_after=2)[1]


def test_two_layers_are_the_same_model_too():
    model = make_transformer(num_layers=2, seed=3)
    copy = plain.Transformer(len(dates.SOURCE_CHARACTERS), len(dates.TARGET_CHARACTERS), layers=2)
    copy.load_state_dict(model.state_dict())
    ids, lengths = dates.encode_sources(TEXTS)
    targets = dates.encode_targets(["1999-12-31"] * 3)
    assert_close(copy(ids, targets[:, :-1]), model(ids, lengths, targets), rtol=1e-4, atol=1e-4)


def test_a_position_does_not_see_the_symbols_after_it():
    model = make_transformer(seed=1)
    ids, lengths = dates.encode_sources(TEXTS[:1])
    one, other = dates.encode_targets(["2024-03-05"]), dates.encode_targets(["2024-12-31"])
    first, second = model(ids, lengths, one), model(ids, lengths, other)
    assert_close(first[:, :6], second[:, :6])  # the fifth symbol is given at the sixth position
    assert not torch.allclose(first[:, 6:], second[:, 6:])


def test_every_parameter_of_the_plain_model_learns():
    torch.manual_seed(0)
    model = plain.Transformer(len(plain.SOURCE), len(plain.TARGET), d_model=8, num_heads=2, num_hiddens=8)
    before = {name: value.clone() for name, value in model.named_parameters()}
    first = plain.train(model, steps=1)
    assert plain.train(model, steps=60) < first - 0.5
    unmoved = [name for name, value in model.named_parameters() if torch.equal(value, before[name])]
    assert unmoved == []
