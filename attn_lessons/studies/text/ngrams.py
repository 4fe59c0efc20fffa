"""What to hold a language model against: tables of counts, and compressors of files.

Chapter: notebooks/10a_what_comes_next.ipynb
"""

import bz2
import lzma
import math
import zlib
from collections import Counter, defaultdict

from attn_helpers import _check

COMPRESSORS = {
    "zlib": lambda data: zlib.compress(data, level=9),
    "bz2": lambda data: bz2.compress(data, compresslevel=9),
    "lzma": lambda data: lzma.compress(data, preset=9 | lzma.PRESET_EXTREME),
}


class CharacterCounts:
    """Guess the next character by what followed the last few characters in a training text.

    Formula: p_n(c | h) = (count(h c) + m p_(n-1)(c | h')) / (count(h) + m), p_0 = 1 / vocabulary_size
    Source: Witten and Bell 1991, The Zero-Frequency Problem (method C).

    h are the last n - 1 characters, h' the same without the first, m the number of different characters that
    followed h: where many different ones did, a new one is likely, and the shorter context gets more say.

    Args:
        length: n, at least 1: 1 looks at no character before (unigram), 2 at one (bigram), and so on.
        vocabulary_size: how many characters there are, those that the text does not have included.

    >>> counts = CharacterCounts("abab", length=1, vocabulary_size=4)
    >>> counts.probability("", "a"), counts.probability("", "c")  # (2 + 2/4) / (4 + 2), (2/4) / (4 + 2)
    (0.4166666666666667, 0.08333333333333333)
    """

    def __init__(self, text: str, length: int, *, vocabulary_size: int) -> None:
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, got {type(text).__name__}.")
        if not text:
            raise ValueError("text must have at least 1 character, got an empty text.")
        _check.count("length", length, least=1)
        _check.count("vocabulary_size", vocabulary_size, least=1)
        self.length, self.vocabulary_size = length, vocabulary_size
        self.followers: list[dict[str, Counter[str]]] = []
        for known in range(length):
            table: dict[str, Counter[str]] = defaultdict(Counter[str])
            for i in range(known, len(text)):
                table[text[i - known : i]][text[i]] += 1
            self.followers.append(dict(table))

    def probability(self, before: str, character: str) -> float:
        """Return the probability of a character after a text of any length."""
        p = 1 / self.vocabulary_size
        for known in range(min(self.length - 1, len(before)) + 1):
            found = self.followers[known].get(before[len(before) - known :])
            if found is None:  # then no longer context was seen either
                break
            p = (found[character] + len(found) * p) / (found.total() + len(found))
        return p

    def bits_per_character(self, text: str, *, before: str = "") -> float:
        """Return the mean of -log2 p over a text that follows `before`."""
        known = self.length - 1
        full = before[len(before) - known :] + text if known else text
        skipped = len(full) - len(text)
        bits = (
            -math.log2(self.probability(full[max(0, i - known) : i], full[i]))
            for i in range(skipped, len(full))
        )
        return sum(bits) / len(text)


def compressor_bits(kind: str, text: str, *, before: str = "") -> float:
    """Return how many bits a compressor adds for each character of a text that follows another.

    Formula: bits = 8 (bytes(before + text) - bytes(before)) / len(text)
    Source: Cilibrasi and Vitanyi 2005, Clustering by Compression (the size of one file given another).

    Args:
        kind: "zlib", "bz2" or "lzma".
        text: ASCII, at least 1 character.

    >>> round(compressor_bits("lzma", "ab" * 1000), 1)  # a repetition costs next to nothing
    0.2
    """
    _check.choice("compressor", kind, COMPRESSORS)
    if not text:
        raise ValueError("text must have at least 1 character, got an empty text.")
    sizes = [len(COMPRESSORS[kind](data.encode("ascii"))) for data in (before, before + text)]
    return 8 * (sizes[1] - sizes[0]) / len(text)
