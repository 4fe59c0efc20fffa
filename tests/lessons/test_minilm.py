"""The trained encoder: its layers, and the real model where it is installed.

The model (83 MB) is no requirement of this book. Where its package is missing, the tests below that read it
are reported as skipped with the command that installs it; what the book uses, the stored readings, is checked
without it in test_readings.py.
"""

import functools
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from attn_lessons.studies.minilm.head_scores import head_hits
from attn_lessons.studies.minilm.readings import load_readings
from attn_lessons.studies.minilm.sentences import SETS
from attn_lessons.studies.minilm.tokens import is_punctuation
from tools.minilm import extract
from tools.minilm.bert_encoder import BertEncoder, BertLayer, Encoded, mean_embedding
from tools.minilm.load import INSTALL, SHA256, load_minilm, minilm_folder
from tools.minilm.read import head_effects, head_values, read_sentence

installed = pytest.mark.skipif(
    minilm_folder() is None,
    reason=f"NOT COMPARED with the real model; to compare: {INSTALL}",
)
ROUNDED = {"rtol": 1e-4, "atol": 1e-5}  # float32 through six layers


def small_model():
    torch.manual_seed(0)
    return BertEncoder(11, max_length=7, d_model=6, num_layers=2, num_heads=3, num_hiddens=5).eval()


@functools.cache
def the_model():
    return load_minilm()


def test_ascii_signs_count_as_punctuation():
    assert [is_punctuation(sign) for sign in "$+~。a1"] == [True, True, True, True, False, False]
    assert not is_punctuation("")


# --- the layers ------------------------------------------------------------------------------------


def test_a_layer_is_torchs_encoder_layer_with_copied_weights():
    torchs = nn.TransformerEncoderLayer(6, 3, 5, dropout=0, activation="gelu", batch_first=True)
    layer = BertLayer(6, 3, 5)
    layer.attention = layer.attention.from_torch(torchs.self_attn)
    for ours, theirs in (
        (layer.inner, torchs.linear1),
        (layer.outer, torchs.linear2),
        (layer.attention_norm, torchs.norm1),
        (layer.output_norm, torchs.norm2),
    ):
        ours.load_state_dict(theirs.state_dict())
    inputs = torch.randn(2, 7, 6)
    assert_close(layer(inputs)[0], torchs(inputs), rtol=1e-4, atol=1e-5)  # eps of the norms differ


def test_a_value_norm_is_the_length_of_what_a_head_adds_with_weight_1():
    layer, inputs = BertLayer(6, 3, 5), torch.randn(1, 4, 6)
    attention = layer.attention
    value = attention.W_v(inputs)[0, 2, 4:6]  # key 2, head 2
    added = attention.W_o.weight[:, 4:6] @ value
    assert_close(layer.value_norms(inputs)[0, 2, 2], added.norm())


def test_padding_changes_nothing_in_the_real_tokens():
    model, ids = small_model(), torch.tensor([[1, 2, 3]])
    padded = torch.tensor([[1, 2, 3, 0, 0], [4, 5, 6, 7, 8]])
    alone, together = model(ids), model(padded, torch.tensor([3, 5]))
    assert isinstance(alone, Encoded)
    assert_close(together.hidden[:, :1, :3], alone.hidden, **ROUNDED)
    assert_close(
        mean_embedding(together.hidden[-1], torch.tensor([3, 5]))[:1], mean_embedding(alone.hidden[-1])
    )


def test_a_head_switched_off_changes_the_output_and_no_map_of_its_layer():
    model, ids = small_model(), torch.tensor([[1, 2, 3]])
    on = torch.ones(2, 3)
    on[0, 1] = 0
    assert_close(model(ids, head_mask=on).weights[0], model(ids).weights[0])
    assert not torch.allclose(model(ids, head_mask=on).hidden[-1], model(ids).hidden[-1])
    assert head_effects(model, ids[0])[0, 1] > 0


def test_the_values_of_a_head_give_its_part_of_the_output():
    model, ids = small_model(), torch.tensor([1, 2, 3])
    values = head_values(model, ids, layer=1, head=2)
    encoded, attention = model(ids[None]), model.layers[1].attention
    assert_close(values, attention.W_v(encoded.hidden[1])[0, :, 4:])


@pytest.mark.parametrize(
    ("ids", "error", "match"),
    [
        (torch.zeros(1, 8, dtype=torch.int64), ValueError, r"length 1 to 7, got \(1, 8\)"),
        (torch.zeros(1, 0, dtype=torch.int64), ValueError, r"length 1 to 7, got \(1, 0\)"),
        (torch.zeros(3, dtype=torch.int64), ValueError, r"shape \(batch, length\)"),
        (torch.zeros(1, 3), TypeError, "int64 torch.Tensor, got torch.float32"),
        ([[1, 2]], TypeError, "got list"),
        (torch.tensor([[11]]), ValueError, r"ids must lie in 0..10, got 11 to 11"),
        (torch.tensor([[-1]]), ValueError, r"ids must lie in 0..10, got -1 to -1"),
    ],
)
def test_ids_that_the_model_cannot_read_are_refused(ids, error, match):
    with pytest.raises(error, match=match):
        small_model()(ids)


def test_masks_and_tensors_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"head_mask must have shape \(layers=2, heads=3\), got \(3, 2\)"):
        small_model()(torch.tensor([[1]]), head_mask=torch.ones(3, 2))
    with pytest.raises(ValueError, match=r"hidden must have shape \(batch, length, d_model\), got \(3, 6\)"):
        mean_embedding(torch.ones(3, 6))


def test_a_text_that_is_too_long_is_refused():
    pieces = SimpleNamespace(tokens=["[CLS]", *"aaaaaa", "[SEP]"], ids=[1, *[4] * 6, 2])
    cut = SimpleNamespace(encode=lambda text: pieces)
    with pytest.raises(ValueError, match="text must have at most 7 tokens, got 8"):
        read_sentence(small_model(), cut, "a a a a a a")


# --- the real model --------------------------------------------------------------------------------


def test_without_the_package_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr("tools.minilm.load.find_spec", lambda name: None)
    assert minilm_folder() is None
    with pytest.raises(ModuleNotFoundError, match=INSTALL):
        load_minilm()


def test_other_weights_than_the_chapters_are_refused(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"other")
    with pytest.raises(ValueError, match=f"must have the SHA-256 {SHA256}, got "):
        load_minilm(tmp_path)


@installed
def test_the_real_model_gives_the_stored_readings():
    with np.load(extract.TARGET) as stored:
        expected = {name: stored[name] for name in stored.files}
    assert extract.differences(extract.extract(), expected) == []


@installed
def test_rounding_of_the_stored_weights_changes_next_to_no_hit():
    model, _ = the_model()
    changed = asked = 0
    for name in ("selection", "held_out"):
        readings, clauses = load_readings(name), SETS[name]
        exact = [r._replace(weights=model(r.ids[None]).weights[:, 0]) for r in readings]
        for a, b in (("verb", "object"), ("subject", "verb"), ("object", "verb"), ("verb", "subject")):
            pairs = [(getattr(c, a), getattr(c, b)) for c in clauses]
            differs = head_hits(readings, pairs) != head_hits(exact, pairs)
            changed, asked = changed + int(differs.sum()), asked + differs.numel()
            assert not differs[:, 3, 1].any()
            assert not differs[:, 2, 3].any()
    assert changed / asked < 1e-3


@installed
def test_known_tokens_and_known_weights_of_the_real_model():
    model, cut = the_model()
    tokens = cut.encode("The animal didn't cross the street because it was too tired.").tokens
    assert tokens[1:8] == ["the", "animal", "didn", "'", "t", "cross", "the"]
    assert cut.encode("Déjà vu, 我").tokens[1:-1] == ["de", "##ja", "vu", ",", "我"]
    ids = cut.encode("The animal didn't cross the street because it was too tired.").ids
    weights = model(torch.tensor([ids])).weights[:, 0]
    it, animal = tokens.index("it"), tokens.index("animal")
    # measured with another implementation (transformers 5.23.0, eager attention)
    assert weights[3, 1, it, animal].item() == pytest.approx(0.677, abs=5e-4)
    assert weights[5, 11, it, animal].item() == pytest.approx(0.673, abs=5e-4)
