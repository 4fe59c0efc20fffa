"""How a typed text is taken apart: into characters, words, or known pieces of words."""

import re
import unicodedata
from collections.abc import Collection, Sequence

UNITS = ("character", "word", "piece")
_LONGEST_WORD = 100
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf"
_ASCII_SIGN = re.compile(rf"[!-/:-@\[-`{{-~{_HAN}]")


def tokens_of(text: str, unit: str, known: Collection[str] = ()) -> list[str]:
    """Cut a text into tokens.

    Args:
        text: any text.
        unit: `"character"`, `"word"` (parts between spaces) or `"piece"` (see `pieces_of`).
        known: the pieces that there are; not used by the other units.
    Returns: the tokens; a word that known pieces do not make up stays whole.

    >>> tokens_of("Two catnaps!", "piece", {"two", "cat", "##nap", "##s", "!"})
    ['two', 'cat', '##nap', '##s', '!']
    """
    if unit == "piece":
        return [piece for word in _plain_words(text) for piece in pieces_of(word, known) or [word]]
    return text.split() if unit == "word" else list(text)


def used_tokens(tokens: Sequence[str], length: int, ends: Sequence[str] = ()) -> list[str]:
    """Return the tokens that a function of `length` ids gets, with what is put before and behind them.

    >>> used_tokens(["a", "long", "text"], 4, ("<", ">"))
    ['<', 'a', 'long', '>']
    """
    kept = list(tokens[: length - len(ends)])
    return [ends[0], *kept, ends[1]] if ends else kept


def pieces_of(word: str, known: Collection[str]) -> list[str] | None:
    """Cut a word into the longest known pieces from the left; ## stands before those inside the word.

    Source: Schuster and Nakajima 2012 (WordPiece).

    Args:
        word: in small letters.
        known: the pieces that there are.
    Returns: the pieces, or None if the word is not made up of known pieces.

    >>> pieces_of("catnap", {"cat", "ca", "##nap"}), pieces_of("catnip", {"cat", "##nap"})
    (['cat', '##nap'], None)
    """
    if len(word) > _LONGEST_WORD:
        return None
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if mark + word[start:end] in known), None)
        if end is None:
            return None
        pieces.append(mark + word[start:end])
        start = end
    return pieces


def _plain_words(text: str) -> list[str]:
    """Lower the case, drop accents and control signs, set punctuation and Chinese characters apart."""
    spaced = "".join(" " if sign.isspace() else sign for sign in text if sign != "\ufffd")
    plain = []
    for sign in unicodedata.normalize("NFD", "".join(s for s in spaced if _category(s) != "C").lower()):
        if unicodedata.category(sign) == "Mn":
            continue
        plain.append(f" {sign} " if _category(sign) == "P" or _ASCII_SIGN.match(sign) else sign)
    return "".join(plain).split()


def _category(sign: str) -> str:
    return unicodedata.category(sign)[0]
