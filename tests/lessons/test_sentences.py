import pytest

from attn_lessons.studies.minilm.sentences import (
    HELD_OUT,
    PARAGRAPH,
    PASSIVE,
    PRONOUNS,
    SELECTION,
    SETS,
    Clause,
    PronounCase,
    sentences,
)


@pytest.mark.parametrize("name", SETS)
def test_every_marked_word_stands_in_its_sentence_exactly_once(name):
    for entry in sentences(name):
        words = [word.strip(".,'").lower() for word in entry.text.split()]
        assert [words.count(word.lower()) for word in entry[1:]] == [1, 1, 1], entry.text


def test_no_sentence_is_in_two_sets():
    texts = [entry.text for entries in SETS.values() for entry in entries]
    assert len(texts) == len(set(texts))


def test_the_held_out_sentences_share_no_verb_and_no_pair_with_the_selection():
    assert {c.verb for c in SELECTION} & {c.verb for c in HELD_OUT} == set()
    assert {c[1:] for c in SELECTION} & {c[1:] for c in HELD_OUT} == set()


def test_no_fixed_offset_fits_most_of_the_sentences():
    for clauses in (SELECTION, HELD_OUT):
        for first, second in (("verb", "object"), ("subject", "verb")):
            offsets = []
            for clause in clauses:
                words = [word.strip(".,").lower() for word in clause.text.split()]
                places = [words.index(getattr(clause, part).lower()) for part in (first, second)]
                offsets.append(places[1] - places[0])
            assert max(offsets.count(offset) for offset in offsets) <= len(clauses) / 2


def test_passive_sentences_are_passive_and_name_who_acts_behind_by():
    for clause in PASSIVE:
        assert isinstance(clause, Clause)
        words = clause.text.rstrip(".").split()
        at = words.index("by")
        assert words[at - 2] == "was"
        assert words[at - 1] == clause.verb
        assert words.index(clause.object) > at
        assert words.index(clause.subject) < at


def test_pronoun_cases_come_in_pairs_that_turn_the_roles_around():
    for first, second in zip(PRONOUNS[::2], PRONOUNS[1::2], strict=True):
        assert isinstance(first, PronounCase)
        assert (first.antecedent, first.distractor) == (second.distractor, second.antecedent)
        assert first.text != second.text


def test_the_paragraph_is_longer_than_a_heads_values():
    assert len(PARAGRAPH.split()) > 33


def test_an_unknown_set_is_refused():
    with pytest.raises(ValueError, match="name must be one of selection, held_out, passive, pronouns, got"):
        sentences("train")
