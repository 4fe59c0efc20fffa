"""Alice's Adventures in Wonderland as characters and ids, in three parts: train, validation, test.

Chapter: notebooks/10a_what_comes_next.ipynb
"""

import functools
from collections.abc import Iterator
from importlib.resources import files

import torch
from torch import Tensor

from attn_helpers import _check

START = "<s>"  # more than one character: nobody can type it
PARTS = ("train", "validation", "test")
# where the parts begin and end, as shares of the text
_EDGES = {"train": (0.0, 0.8), "validation": (0.8, 0.9), "test": (0.9, 1.0)}
_LEFT_OUT = str.maketrans("", "", "*_[]")


@functools.cache
def alice_text() -> str:
    """Return the book from "CHAPTER I" to its last sentence, as one long line.

    Runs of spaces and line ends become one space; the title page, "THE END" and the printer's marks * _ [ ]
    are left out. Everything else, capital letters included, stays.

    Source: Lewis Carroll 1865, in the public domain; datasets/alice.md says where the file comes from.

    >>> alice_text()[:64]
    'CHAPTER I Down the Rabbit-Hole Alice was beginning to get very t'
    """
    book = files("attn_lessons.studies.text").joinpath("alice.txt").read_text(encoding="ascii")
    body = book[book.index("CHAPTER I\n") : book.index("THE END")]
    return " ".join(body.translate(_LEFT_OUT).split())


def alice_part(part: str) -> str:
    """Return one part of the text: the first 80 % to learn from, 10 % to choose settings by, 10 % to test on.

    The parts are cut by position, not drawn at random: else the sentence before and after each test sentence
    would be among the training text.

    Args:
        part: "train", "validation" or "test".

    >>> [len(alice_part(part)) for part in PARTS]
    [113768, 14221, 14221]
    """
    if part not in _EDGES:
        raise ValueError(f"part must be one of {', '.join(PARTS)}, got {part!r}.")
    text = alice_text()
    start, end = (round(edge * len(text)) for edge in _EDGES[part])
    return text[start:end]


@functools.cache
def vocabulary() -> tuple[str, ...]:
    """Return the token of each id: the start mark first, then the characters of the text in order of code.

    Returns: (vocabulary,) the tokens, each once; a token's place is its id.

    >>> len(vocabulary()), "".join(vocabulary())[:14]
    (66, '<s> !"\\'(),-.:;')
    """
    return (START, *sorted(set(alice_text())))


def encode_text(text: str) -> Tensor:
    """Turn a text into ids.

    Args:
        text: characters of `vocabulary()`, but not the start mark; may be empty.
    Returns: ids (length,), int64 of 1 to 65.

    >>> encode_text("Alice")
    tensor([13, 51, 48, 42, 44])
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, got {type(text).__name__}.")
    ids = {character: i for i, character in enumerate(vocabulary()) if character != START}
    unknown = sorted(set(text) - set(ids))
    if unknown:
        raise ValueError(
            f"text must consist of the {len(ids)} characters of the vocabulary, got {''.join(unknown)!r}."
        )
    return torch.tensor([ids[character] for character in text], dtype=torch.int64)


def decode_text(ids: Tensor) -> str:
    """Turn ids (length,) back into a text; the start mark becomes nothing.

    >>> decode_text(encode_text("Oh dear!"))
    'Oh dear!'
    """
    _check.rank("(length,)", ids=ids)
    tokens = ("", *vocabulary()[1:])
    if any(not 0 <= i < len(tokens) for i in ids.tolist()):
        raise ValueError(f"ids must be in 0..{len(tokens) - 1}, got {ids.min()}..{ids.max()}.")
    return "".join(tokens[i] for i in ids.tolist())


def text_batches(batch_size: int, length: int, *, seed: int = 0) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield pieces of the training text for ever, each beginning at a place drawn at random.

    The model reads the start mark and then all but the last character of a piece, and is to name each next
    character: `inputs[:, 0] = 0` and `inputs[:, 1:] = targets[:, :-1]`.

    Returns: an iterator of (inputs (batch, length), targets (batch, length)).

    >>> inputs, targets = next(text_batches(2, 5))
    >>> inputs[:, 0], torch.equal(inputs[:, 1:], targets[:, :-1])
    (tensor([0, 0]), True)
    """
    _check.count("batch_size", batch_size, least=1)
    _check.count("length", length, least=1)
    ids = encode_text(alice_part("train"))
    if length > len(ids):
        raise ValueError(f"length must be at most {len(ids)}, got length={length}.")
    generator = torch.Generator().manual_seed(seed)
    while True:
        places = torch.randint(len(ids) - length + 1, (batch_size, 1), generator=generator)
        targets = ids[places + torch.arange(length)]  # (batch, length)
        yield torch.nn.functional.pad(targets[:, :-1], (1, 0)), targets
