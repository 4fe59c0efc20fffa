"""English sentences whose subject, verb and object are marked, to test what attention heads look at.

Chapter: notebooks/13a_a_heads_name.ipynb, notebooks/13b_does_a_map_explain.ipynb
"""

import csv
from importlib.resources import files
from typing import NamedTuple, TypeVar


class Clause(NamedTuple):
    """A sentence and three of its words, each of which occurs once in it.

    Args:
        subject: the noun or pronoun that the verb agrees with.
        object: the noun that is acted on; in a passive sentence, the one who acts ("by her brother").

    >>> Clause("The dog chased a cat.", "dog", "chased", "cat").verb
    'chased'
    """

    text: str
    subject: str
    verb: str
    object: str


class PronounCase(NamedTuple):
    """A sentence with a pronoun, the noun that it stands for, and another noun that it could stand for.

    >>> PRONOUNS[0].antecedent, PRONOUNS[1].antecedent
    ('animal', 'street')
    """

    text: str
    pronoun: str
    antecedent: str
    distractor: str


Row = TypeVar("Row", Clause, PronounCase)


def _read(name: str, kind: type[Row]) -> tuple[Row, ...]:
    """Read one set: its rows in sentences.csv, each a text and three of its words."""
    table = files("attn_lessons.studies.minilm").joinpath("sentences.csv").read_text(encoding="utf-8")
    return tuple(kind(*words) for of, *words in csv.reader(table.splitlines()) if of == name)


# Heads are chosen on SELECTION and tested on HELD_OUT, which shares no verb and no sentence with it.
SELECTION, HELD_OUT = _read("selection", Clause), _read("held_out", Clause)
# Passive voice turns the order around: the subject is what something is done to.
PASSIVE = _read("passive", Clause)
# Six pairs, in which a word or two decide what the pronoun stands for. The first pair is the example of many
# texts on attention, the second that of Levesque et al. 2012 (the Winograd schemas); the others are ours.
PRONOUNS = _read("pronouns", PronounCase)

# A longer text, for a head that has more keys than its values have numbers.
PARAGRAPH = (
    "The ferry left the island at dawn with eleven passengers and a dog. "
    "An old woman sold tea from a basket, and two boys counted the gulls. "
    "Nobody spoke about the storm that had kept them there for a week. "
    "When the harbour came in sight, the captain rang a small bell, and everybody laughed."
)

SETS: dict[str, tuple[Clause | PronounCase, ...]] = {
    "selection": SELECTION,
    "held_out": HELD_OUT,
    "passive": PASSIVE,
    "pronouns": PRONOUNS,
}


def sentences(name: str) -> tuple[Clause | PronounCase, ...]:
    """Return one of the four sets of sentences.

    Source: written for this book, except for the first two pairs of pronouns (see there).

    Args:
        name: "selection" (24, to choose heads), "held_out" (40, to test them), "passive" (10) or "pronouns"
            (12).
    Returns: `Clause`s, or `PronounCase`s for "pronouns".

    >>> [len(sentences(name)) for name in SETS]
    [24, 40, 10, 12]
    """
    if name not in SETS:
        raise ValueError(f"name must be one of {', '.join(SETS)}, got {name!r}.")
    return SETS[name]
