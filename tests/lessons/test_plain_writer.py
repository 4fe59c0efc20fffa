"""The plain file of lesson 10b is the stored model: the same logits, loss, steps and text."""

import pytest
import torch
import writer
from torch.testing import assert_close

from attn_lessons.studies.text.alice import load_language_model, make_language_model
from attn_lessons.studies.text.characters import alice_part, encode_text
from attn_lessons.studies.text.generation import generate, window_of
from attn_lessons.studies.text.language_model import text_loss
from attn_lessons.studies.text.sampling import next_probabilities


@pytest.fixture(scope="module")
def both():
    model, _ = load_language_model()
    plain = writer.Writer(66)
    plain.load_state_dict(model.state_dict())
    return model, plain.eval()


@pytest.mark.parametrize("length", [0, 1, 20, 63, 100])
def test_the_logits_are_the_stored_models(both, length):
    model, plain = both
    window = window_of(encode_text(alice_part("test")[:length]), 64)[None]
    assert_close(plain(window), model(window)[0], rtol=1e-4, atol=1e-4)


def test_it_looks_back_only(both):
    _, plain = both
    ids = encode_text("Alice")[None]
    changed = torch.cat([ids[:, :4], ids[:, :1]], dim=1)
    assert_close(plain(changed)[:, :4], plain(ids)[:, :4])


def test_writing_without_a_die_is_the_lessons_writing_beyond_the_window(both):
    model, plain = both
    text = "said the Mock Tur"
    for how in ({"top_k": 1}, {"temperature": 0}):
        found = writer.write(plain, encode_text(text), 80, **how)
        assert torch.equal(found[len(text) :], encode_text(generate(model, text, 80, temperature=0)))


def test_a_die_falls_as_often_as_the_probabilities_say(both):
    model, plain = both
    ids = encode_text("she ran across th")
    p = next_probabilities(model(window_of(ids, 64)[None])[0][0, -1], temperature=0.7, top_k=3)
    torch.manual_seed(0)
    drawn = torch.stack([writer.write(plain, ids, 1, temperature=0.7, top_k=3)[-1] for _ in range(400)])
    shares = torch.bincount(drawn, minlength=66) / 400
    assert_close(shares, p, atol=0.08, rtol=0)
    assert set(drawn.tolist()) == set(p.nonzero().flatten().tolist())


def test_training_begins_with_the_same_loss_and_learns():
    torch.manual_seed(0)
    plain = writer.Writer(66)
    model = make_language_model()
    model.load_state_dict(plain.state_dict())
    ids = encode_text(alice_part("train"))
    starts = torch.randint(len(ids) - 63, (32, 1), generator=torch.Generator().manual_seed(0))
    targets = ids[starts + torch.arange(64)]
    first = text_loss(model.eval(), torch.nn.functional.pad(targets[:, :-1], (1, 0)), targets)
    losses = writer.train(plain, ids, steps=12)
    assert_close(torch.tensor(losses[0]), first.detach(), rtol=1e-4, atol=1e-4)
    assert losses[-1] < losses[0] - 0.5
