"""The language model of lesson 10a as a page runs it: torch's logits, random numbers and text."""

import functools

import pytest
import torch
from sampling import sample
from torch.testing import assert_close

from attn_lessons.studies.text.alice import load_language_model
from attn_lessons.studies.text.characters import alice_part, encode_text, vocabulary
from attn_lessons.studies.text.generation import append_id, generate, padded_window
from attn_lessons.studies.text.sampling import first_state, next_probabilities, next_random, pick
from livetorch import Text, trace_with

FIELD = 120
model, _ = load_language_model()
ALL_ON = torch.ones(2, 4)


def read(ids, length, heads):
    window, last = padded_window(ids, length, model.max_length)
    logits, weights = model(window[None], head_mask=heads)
    return {"logits": logits[0, last], "weights": weights[0, :, :, last]}


def step(ids, length, temperature, top_k, dice):
    logits = read(ids, length, ALL_ON)["logits"]
    dice, number = next_random(dice)
    chosen = pick(next_probabilities(logits, temperature=temperature, top_k=top_k), number)
    return {"ids": append_id(ids, length, chosen), "dice": dice}


def field(text):
    ids = encode_text(text)
    return torch.nn.functional.pad(ids, (0, FIELD - len(ids))), torch.tensor(len(ids))


@functools.cache
def reader(store):
    """The model as a page holds it: its parameters exactly, or in half the space."""
    ids, length = field("Alice")
    return trace_with(read, {"ids": ids, "length": length, "heads": ALL_ON}, store=store)


@pytest.mark.parametrize("store", [None, "float16"])
@pytest.mark.parametrize("length", [0, 1, 17, 63, 64, 120])
def test_the_logits_of_a_page_are_torchs(node, length, store):
    ids, count = field(alice_part("test")[:length])
    heads = torch.tensor([[1.0, 0, 1, 1], [1, 1, 0, 1]])
    for on in (ALL_ON, heads):
        wanted = read(ids, count, on)
        got = node.run(reader(store), {"ids": ids, "length": count, "heads": on})
        assert_close(got["logits"], wanted["logits"].detach(), rtol=1e-4, atol=1e-4)
        assert_close(got["weights"], wanted["weights"].detach(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("temperature", "top_k"), sample([(0.0, 70), (0.7, 70), (1.0, 10), (1.6, 1)], 0, [(1.0, 10)])
)
def test_a_page_writes_the_text_that_torch_writes(node, temperature, top_k):
    prompt, state = "said the Mock Tur", first_state(7)
    ids, length = field(prompt)
    inputs = {"ids": ids, "length": length, "temperature": torch.tensor(temperature)}
    inputs |= {"top_k": torch.tensor(top_k), "dice": state}
    program = trace_with(step, inputs)
    for _ in range(60):
        after = node.run(program, inputs)
        inputs |= {"ids": after["ids"], "dice": after["dice"], "length": inputs["length"] + 1}
    written = generate(model, prompt, 60, temperature=temperature, top_k=top_k, seed=7)
    assert after["ids"][: len(prompt) + 60].tolist() == encode_text(prompt + written).tolist()


def test_what_the_vocabulary_lacks_is_left_out_of_the_field_and_the_start_mark_cannot_be_typed():
    control = Text("", vocabulary=vocabulary(), length=6)
    assert control.ids("é¿") == [0] * 6
    assert control.ids("A&3b") == [*encode_text("Ab").tolist(), 0, 0, 0, 0]
    assert control.ids("<s>") == [*encode_text("s").tolist(), 0, 0, 0, 0, 0]
    assert int(control.to_inputs("text", "")["text_length"]) == 0
