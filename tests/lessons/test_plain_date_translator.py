"""The plain file of the date translator is the model of the lesson, and it learns."""

import date_translator as plain
import pytest
import torch
from torch.testing import assert_close

from attn_lessons.studies.translation import dates
from attn_lessons.studies.translation.date_translator import load_translator, translate_dates

CELL = {"W": "weight_ih", "U": "weight_hh", "b": "bias_ih", "c": "bias_hh"}
TEXTS = ["Tuesday, March 5, 2024", "2024年3月5日", "5 mars 2024"]


def as_plain(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The lesson's parameters under the names of the plain file: its encoder holds both directions in one."""
    found = {}
    for name, value in state.items():
        module, _, kind = name.partition(".")
        if module != "encoder":
            found[name] = value
            continue
        for cell, part in zip(("rightwards", "leftwards"), value, strict=True):
            found[f"{cell}.{CELL[kind]}"] = part.T if kind in "WU" else part[0]
    return found


@pytest.fixture(scope="module")
def both():
    model, _ = load_translator()
    copy = plain.Translator(len(dates.SOURCE_CHARACTERS), len(dates.TARGET_CHARACTERS))
    copy.load_state_dict(as_plain(model.state_dict()))
    return model, copy.eval()


def test_with_the_lessons_weights_the_plain_file_is_the_lessons_model(both):
    model, copy = both
    ids, lengths = dates.encode_sources(TEXTS, length=24)
    targets = dates.encode_targets(["2024-03-05"] * 3)
    with torch.no_grad():
        assert_close(copy(ids, targets)[0], model(ids, lengths, targets), rtol=1e-4, atol=1e-4)
        logits, weights = copy(ids)
        wanted, maps = model.translate(ids, lengths, 10)
    assert torch.equal(logits.argmax(dim=-1), wanted)
    assert_close(weights, maps, rtol=1e-4, atol=1e-5)
    assert dates.decode_targets(wanted) == translate_dates(model, TEXTS)[0] == ["2024-03-05"] * 3


def test_every_parameter_of_the_plain_model_learns():
    torch.manual_seed(0)
    model = plain.Translator(len(plain.SOURCE), len(plain.TARGET), embed_size=6, num_hiddens=8)
    before = {name: value.clone() for name, value in model.named_parameters()}
    first = plain.train(model, steps=1)
    assert plain.train(model, steps=60) < first - 0.5
    assert all((value != before[name]).any() for name, value in model.named_parameters())


def test_the_dates_of_the_plain_file_are_dates():
    source, targets = plain.batch(50, torch.Generator().manual_seed(1))
    assert source.shape[0] == 50
    assert targets.shape == (50, 10)
    for row in targets.tolist():
        year, month, day = "".join(plain.TARGET[i] for i in row).split("-")
        assert 1900 <= int(year) < 2100
        assert 1 <= int(month) <= 12
        assert 1 <= int(day) <= 28
    texts = ["".join(plain.SOURCE[i] for i in row) for row in source.tolist()]
    assert any("年" in text for text in texts)
    assert any(text[0].isupper() for text in texts)
    assert (source != 0)[:, 0].all()
