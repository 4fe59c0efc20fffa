"""The encoder that runs in the page: packed without loss, faithful to the trained one, the same in Node."""

import gzip
import json

import pytest
import torch
from node_runner import NodeRunner
from torch.testing import assert_close

from attn_lessons.studies.minilm.agreement import (
    agreement,
    map_correlation,
    prose,
    size_against_faith,
    small_readings,
    suggestions,
)
from attn_lessons.studies.minilm.head_scores import head_hits
from attn_lessons.studies.minilm.readings import load_readings
from attn_lessons.studies.minilm.sentences import HELD_OUT, PASSIVE, SELECTION, SETS
from attn_lessons.studies.minilm.small import (
    LENGTH,
    SmallEncoder,
    load_small,
    look_at,
    read_small,
    sentence_control,
    small_maps,
    unpacked,
    word_ids,
)
from livetorch import trace_with
from livetorch.pools import compact
from tools.minilm.batched import forward
from tools.minilm.store import packed
from tools.minilm.student import rounded, three_values

THIEF = "The thief hid the stolen money in a barrel."
NAMED = {"4.2": ("verb", "object", 3, 1), "3.4": ("subject", "verb", 2, 3)}


def ids_of(text):
    control = sentence_control(text)
    return torch.tensor(control.ids(text)), torch.tensor(len(control.tokens(text)))


# --- how it is stored ------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (384, 2), (1536, 3), (7, 4)])
def test_packing_loses_nothing(shape):
    torch.manual_seed(0)
    signs = torch.randint(-1, 2, shape).float()
    matrix = signs * torch.rand(shape[1]).half().float()
    assert torch.equal(unpacked(*packed(matrix)), matrix)


def test_other_matrices_are_refused():
    with pytest.raises(ValueError, match="only -s, 0 and s"):
        packed(torch.tensor([[1.0], [0.5]]))


def test_each_output_has_three_values():
    for name, tensor in load_small().tensors.items():
        if tensor.dim() == 2 and name != "positions":
            rows = tensor if name == "words" else tensor.T
            largest = rows.abs().amax(dim=1, keepdim=True)
            assert torch.equal(rows.sign() * largest, rows)


def test_the_pieces_cut_every_sentence_of_the_book_as_the_whole_vocabulary_does():
    for name in SETS:
        for reading in load_readings(name):
            assert tuple(sentence_control(reading.text).tokens(reading.text)) == reading.tokens


# --- how faithful it is ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
def test_its_maps_agree_with_the_trained_encoder_on_every_set(name):
    r = agreement(small_readings(name), load_readings(name))
    assert r.mean() >= 0.95
    assert r.mean(dim=1).min() >= 0.93
    assert r.min() >= 0.8


@pytest.mark.parametrize("head", NAMED)
def test_the_named_heads_keep_their_score_on_the_held_out_sentences(head):
    query, key, layer, number = NAMED[head]
    asked = [(getattr(clause, query), getattr(clause, key)) for clause in HELD_OUT]
    ours, whole = (
        head_hits(readings, asked)[:, layer, number].sum()
        for readings in (small_readings("held_out"), load_readings("held_out"))
    )
    assert ours >= whole


def test_the_head_that_finds_objects_turns_around_with_the_passive():
    asked = [(clause.verb, clause.subject) for clause in PASSIVE]
    assert head_hits(small_readings("passive"), asked)[:, 3, 1].sum() >= 9


def test_the_stored_table_says_what_is_measured_here():
    last = size_against_faith()["sizes"][-1]
    r = agreement(small_readings("held_out"), load_readings("held_out"))
    assert last["correlation"] == pytest.approx(r.mean().item(), abs=2e-4)
    assert last["layers"] == pytest.approx(r.mean(dim=1).tolist(), abs=2e-4)
    for head, (query, key, layer, number) in NAMED.items():
        asked = [(getattr(clause, query), getattr(clause, key)) for clause in HELD_OUT]
        hits = head_hits(small_readings("held_out"), asked)[:, layer, number].sum()
        assert last[f"hits_{head.replace('.', '_')}"] == hits
    assert last["gzip"] <= 1500


def test_an_untrained_rounding_to_three_values_would_not_do():
    rows = {row["name"]: row for row in size_against_faith()["sizes"]}
    assert rows["rounded to 3 values"]["correlation"] < 0.9
    assert rows["rounded to 3 values"]["hits_4_2"] < rows["three values, trained"]["hits_4_2"]


def test_correlation_is_that_of_torch():
    torch.manual_seed(0)
    ours, theirs = torch.rand(2, 3, 5, 5)[0], torch.rand(3, 5, 5)
    expected = [
        torch.corrcoef(torch.stack([a.flatten(), b.flatten()]))[0, 1]
        for a, b in zip(ours, theirs, strict=True)
    ]
    assert_close(map_correlation(ours, theirs), torch.stack(expected))


# --- what it does ----------------------------------------------------------------------------------


def test_what_stands_behind_the_sentence_is_not_read():
    ids, count = ids_of(THIEF)
    other = torch.where(torch.arange(LENGTH) < count, ids, 1234)
    n = int(count)
    assert_close(small_maps(ids, count)[..., :n, :n], small_maps(other, count)[..., :n, :n])
    assert small_maps(ids, count)[..., :n, n:].max() == 0


def test_sentences_in_a_batch_and_alone_give_the_same():
    control = sentence_control(THIEF)
    texts = ("The thief hid money.", "Our neighbour paints boats.")
    ids = torch.stack([torch.tensor(control.ids(text)) for text in texts])[:, :7]
    together, _ = forward(load_small().tensors, ids)
    for number, text in enumerate(texts):
        tokens, maps = read_small(text)
        assert len(tokens) == 7
        assert_close(torch.stack(together).exp()[:, number], maps, atol=1e-5, rtol=1e-4)


def test_a_live_figure_shows_the_head_that_is_asked_for():
    ids, count = ids_of(THIEF)
    maps = small_maps(ids, count)

    def look(*settings):
        return look_at(ids, count, *map(torch.tensor, settings))["weights"]

    assert_close(look(4, 2, False), maps[3, 1])
    assert_close(look(1, 12, False), maps[0, 11])
    words = look(4, 2, True)[: int(count)]
    assert_close(words.sum(dim=-1), torch.ones(int(count)))
    assert words[:, 0].max() == 0  # [CLS]
    assert not word_ids()[ids[: int(count)]][[0, -2, -1]].any()


def test_the_page_gets_the_same_numbers_and_little_to_load():
    ids, count = ids_of(THIEF)
    inputs = {"sentence": ids, "sentence_length": count}
    inputs |= {"layer": torch.tensor(4), "head": torch.tensor(2), "words_only": torch.tensor(False)}
    program = trace_with(look_at, inputs, store="float16")
    pool: list = []
    spec = program.to_dict(pool)
    assert len(gzip.compress(compact(pool).encode())) < 1_500_000
    with NodeRunner() as node:
        there = node.run(spec, inputs, pool=json.loads(compact(pool)))["weights"]
    n = int(count)
    assert_close(there[:n, :n], look_at(**inputs)["weights"][:n, :n], atol=1e-5, rtol=1e-4)


def test_any_text_is_read():
    for text in ("", "好 🙂", "x" * 500, "word " * 100, "Ünïcödé, don't!"):
        tokens, maps = read_small(text)
        assert maps.shape == (4, 12, len(tokens), len(tokens))
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


def test_sentences_with_other_words_were_measured_too_and_come_out_lower():
    texts, measured = prose(), size_against_faith()
    assert len(set(texts)) == measured["prose"]["sentences"] == 100
    assert not set(texts) & set(suggestions())
    alike = measured["prose"]["correlation_cut_alike"]
    assert 0.93 < measured["prose"]["correlation_by_words"] < 0.95 < alike
    assert measured["suggestions"]["correlation_by_words"] > 0.95


# --- rounding --------------------------------------------------------------------------------------


def test_three_values_are_what_a_loop_over_rows_gives():
    torch.manual_seed(0)
    rows = torch.randn(4, 50)
    for row, given in zip(rows, three_values(rows), strict=True):
        bound = 0.7 * row.abs().mean()
        scale = torch.tensor([abs(x) for x in row.tolist() if abs(x) > bound]).mean().half().float()
        expected = [scale.item() * (1 if x > 0 else -1) if abs(x) > bound else 0.0 for x in row.tolist()]
        assert_close(given, torch.tensor(expected))


def test_rounding_to_more_values_is_nearer():
    torch.manual_seed(0)
    whole = SmallEncoder((), {"W": torch.randn(64, 8), "positions": torch.randn(4, 4)})
    apart = []
    for levels in (3, 4, 8, 16, 256):
        tensors = rounded(whole, levels).tensors
        assert torch.equal(tensors["positions"], whole.tensors["positions"])
        assert all(len(column.unique()) <= levels for column in tensors["W"].T)
        apart.append((tensors["W"] - whole.tensors["W"]).square().sum().item())
    assert apart == sorted(apart, reverse=True)
