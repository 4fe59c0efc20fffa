"""MiniLM as it runs in a page: faithful to the trained encoder, in Node too; its tokenizer is a library's."""

import gzip
import json

import pytest
import torch
from node_runner import NodeRunner
from torch.testing import assert_close

from attn_lessons.studies.minilm.agreement import (
    agreement,
    by_words,
    faithfulness,
    map_correlation,
    page_readings,
    prose,
    suggestions,
)
from attn_lessons.studies.minilm.encoder import (
    LENGTH,
    encoder_maps,
    load_encoder,
    look_at,
    read_typed,
    sentence_control,
    word_ids,
)
from attn_lessons.studies.minilm.readings import load_readings
from attn_lessons.studies.minilm.sentences import SELECTION, SETS
from livetorch import trace_with
from livetorch.pools import compact
from tools.minilm import shrink
from tools.minilm.bert_encoder import BertEncoder
from tools.minilm.load import INSTALL, load_minilm, minilm_folder

THIEF = "The thief hid the stolen money in a barrel."
ODD = ("", "好 🙂", "x" * 500, "word " * 100, "Ünïcödé, don't!", "snake_case, 12.5 % of “it” – naïve")


def ids_of(text):
    control = sentence_control(text)
    return torch.tensor(control.ids(text)), torch.tensor(len(control.tokens(text)))


def settings(ids, count):
    more = {"layer": 4, "head": 2, "words_only": False}
    return {"sentence": ids, "sentence_length": count} | {key: torch.tensor(v) for key, v in more.items()}


# --- how faithful it is ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
def test_its_maps_agree_with_the_trained_encoder_on_every_set(name):
    r = agreement(page_readings(name), load_readings(name))
    assert r.mean() >= 0.998
    assert r.min() >= 0.99


def test_correlation_is_that_of_torch():
    torch.manual_seed(0)
    ours, theirs = torch.rand(2, 3, 5, 5)[0], torch.rand(3, 5, 5)
    expected = [
        torch.corrcoef(torch.stack([a.flatten(), b.flatten()]))[0, 1]
        for a, b in zip(ours, theirs, strict=True)
    ]
    assert_close(map_correlation(ours, theirs), torch.stack(expected))


def test_pieces_of_a_word_are_added_up_as_keys_and_averaged_as_queries():
    maps = torch.tensor([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8], [0.4, 0.2, 0.4]])
    expected = torch.tensor([[0.35, 0.65], [0.6, 0.4]])
    assert_close(by_words(["cat", "##nap", "!"], maps), expected)


# --- how it is made --------------------------------------------------------------------------------


def test_rounding_keeps_every_part_of_the_trained_encoder_in_its_place():
    torch.manual_seed(0)
    model = BertEncoder(40, max_length=LENGTH, d_model=384, num_layers=6, num_heads=12, num_hiddens=64).eval()
    tensors = shrink.shrunk(model, torch.arange(40))
    ids = torch.randint(40, (7,))
    ours = encoder_maps(ids, torch.tensor(7), load_encoder()._replace(tensors=tensors))
    theirs = model(ids[None]).weights[:, 0]
    assert map_correlation(ours, theirs).min() > 0.99
    assert shrink.written(["a"], tensors).keys() >= {"encoder.json"}


def test_the_pieces_cut_every_sentence_of_the_book_as_the_whole_vocabulary_does():
    for name in SETS:
        for reading in load_readings(name):
            assert tuple(sentence_control(reading.text).tokens(reading.text)) == reading.tokens


@pytest.mark.skipif(
    minilm_folder() is None, reason=f"NOT COMPARED with the real model; to compare: {INSTALL}"
)
def test_pieces_and_maps_are_those_of_the_library_and_the_model():
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

    vocabulary = load_encoder().vocabulary
    table = {piece: place for place, piece in enumerate(vocabulary)}
    library = Tokenizer(models.WordPiece(table, unk_token="[UNK]"))
    library.normalizer, library.pre_tokenizer = (
        normalizers.BertNormalizer(),
        pre_tokenizers.BertPreTokenizer(),
    )
    library.decoder = decoders.WordPiece()
    for text in (*suggestions(), *prose(), *ODD):
        ids = sentence_control(text).ids(text)
        used = ids[1 : len(sentence_control(text).tokens(text)) - 1]
        assert used == library.encode(text).ids[: LENGTH - 2]
    model, cut = load_minilm()
    tensors = shrink.shrunk(model, torch.tensor([cut.token_to_id(piece) for piece in vocabulary]))
    assert all(
        torch.equal(tensors[name].half(), each.half()) for name, each in load_encoder().tensors.items()
    )
    with torch.no_grad():
        assert shrink.measured(prose(), model, cut) == faithfulness()["prose"]


# --- what it does ----------------------------------------------------------------------------------


def test_what_stands_behind_the_sentence_is_not_read():
    ids, count = ids_of(THIEF)
    other = torch.where(torch.arange(LENGTH) < count, ids, 1234)
    n = int(count)
    assert_close(encoder_maps(ids, count)[..., :n, :n], encoder_maps(other, count)[..., :n, :n])
    assert encoder_maps(ids, count)[..., :n, n:].max() == 0


def test_a_live_figure_shows_the_head_that_is_asked_for():
    ids, count = ids_of(THIEF)
    maps = encoder_maps(ids, count)

    def look(*settings):
        return look_at(ids, count, *map(torch.tensor, settings))["weights"]

    assert_close(look(4, 2, False), maps[3, 1])
    assert_close(look(6, 12, False), maps[5, 11])
    words = look(4, 2, True)[: int(count)]
    assert_close(words.sum(dim=-1), torch.ones(int(count)))
    assert words[:, 0].max() == 0  # [CLS]
    assert not word_ids()[ids[: int(count)]][[0, -2, -1]].any()


def test_the_page_gets_the_same_numbers_and_loads_less_than_12_megabytes():
    inputs = settings(*ids_of(THIEF))
    program = trace_with(look_at, inputs, store="float16")
    pool: list = []
    spec = program.to_dict(pool)
    text = compact(pool)
    assert len(gzip.compress(text.encode())) < 12_000_000
    n = int(inputs["sentence_length"])
    with NodeRunner() as node:
        there = node.run(spec, inputs, pool=json.loads(text))["weights"]
    assert_close(there[:n, :n], look_at(**inputs)["weights"][:n, :n], atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("text", ODD)
def test_any_text_is_read(text):
    tokens, maps = read_typed(text)
    assert maps.shape == (6, 12, len(tokens), len(tokens))
    assert 2 <= len(tokens) <= LENGTH
    assert_close(maps.sum(dim=-1), torch.ones(maps.shape[:-1]))


# --- sentences to choose from ----------------------------------------------------------------------


def test_there_are_300_sentences_to_choose_from_and_none_was_used_before():
    texts = suggestions()
    used = {entry.text for entries in SETS.values() for entry in entries}
    assert len(texts) >= 300
    assert len(set(texts)) == len(texts)
    assert not used & set(texts)
    assert max(len(sentence_control(text).tokens(text)) for text in texts) < LENGTH
    assert len(SELECTION) == 24
