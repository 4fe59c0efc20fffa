"""WordPiece: cut a text into the pieces that a BERT-like model knows."""

import unicodedata
from collections.abc import Sequence

CLS, SEP, UNKNOWN, MASK = "[CLS]", "[SEP]", "[UNK]", "[MASK]"
SPECIAL = ("[PAD]", UNKNOWN, CLS, SEP, MASK)
_LONGEST_WORD = 100


class WordPiece:
    """Cut lower-cased text into words, and each word into the longest known pieces from the left.

    A piece that does not start a word is written with ## before it. A word that cannot be put together from
    known pieces becomes [UNK]. Every text begins with [CLS] and ends with [SEP].

    Args:
        vocabulary: the pieces; their places are their ids. It must hold [UNK], [CLS] and [SEP].

    Raises:
        ValueError: one of these three is missing, or a piece comes twice.

    Example:
        >>> cut = WordPiece(["[UNK]", "[CLS]", "[SEP]", "the", "cat", "##nap", "."])
        >>> cut.tokens("The catnap, cat.")
        ['[CLS]', 'the', 'cat', '##nap', '[UNK]', 'cat', '.', '[SEP]']
        >>> cut.ids("The cat.")
        [1, 3, 4, 6, 2]

    Source: Schuster and Nakajima 2012; Devlin et al. 2019, section 3.
    Chapter: notebooks/13_trained_model.ipynb
    """

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.vocabulary = list(vocabulary)
        self._ids = {piece: place for place, piece in enumerate(self.vocabulary)}
        if missing := [piece for piece in (UNKNOWN, CLS, SEP) if piece not in self._ids]:
            raise ValueError(f"vocabulary must hold {UNKNOWN}, {CLS} and {SEP}, missing: {missing}.")
        if len(self._ids) < len(self.vocabulary):
            count = len(self.vocabulary) - len(self._ids)
            raise ValueError(f"vocabulary must hold each piece once, got {count} more than once.")

    def tokens(self, text: str) -> list[str]:
        """Return the pieces of a text, [CLS] first and [SEP] last.

        Raises:
            TypeError: text is not a str.
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, got {type(text).__name__}.")
        return [CLS, *(piece for word in _words(text) for piece in self._pieces(word)), SEP]

    def ids(self, text: str) -> list[int]:
        """Return the ids of the pieces of a text."""
        return [self._ids[piece] for piece in self.tokens(text)]

    def _pieces(self, word: str) -> list[str]:
        pieces, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self._ids), None)
            if end is None or len(word) > _LONGEST_WORD:
                return [UNKNOWN]
            pieces.append(mark + word[start:end])
            start = end
        return pieces


def is_punctuation(token: str) -> bool:
    """Tell whether a token is one punctuation mark, in the sense in which BERT splits text at them.

    Args:
        token: a piece.

    Returns:
        True or False.

    Example:
        >>> [is_punctuation(token) for token in (".", "$", "cat", "[CLS]")]
        [True, True, False, False]

    Source: Devlin et al. 2019, the code that came with it.
    Chapter: notebooks/13_trained_model.ipynb
    """
    if len(token) != 1:
        return False
    return (token.isascii() and not token.isalnum() and token.isprintable() and token != " ") or (
        unicodedata.category(token).startswith("P")
    )


def _words(text: str) -> list[str]:
    """Lower the case, drop accents and control signs, set punctuation and Chinese characters apart."""
    plain = []
    for sign in unicodedata.normalize("NFD", _without_control(text).lower()):
        if unicodedata.category(sign) == "Mn":
            continue
        plain.append(f" {sign} " if is_punctuation(sign) or _is_chinese(sign) else sign)
    return "".join(plain).split()


def _without_control(text: str) -> str:
    spaced = (" " if sign.isspace() else sign for sign in text if sign != "\ufffd")
    return "".join(sign for sign in spaced if not unicodedata.category(sign).startswith("C"))


def _is_chinese(sign: str) -> bool:
    blocks = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2CEAF), (0xF900, 0xFAFF))
    return any(low <= ord(sign) <= high for low, high in blocks)
