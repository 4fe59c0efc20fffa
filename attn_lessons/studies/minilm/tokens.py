"""The special tokens of the trained encoder, and which tokens are words.

Chapter: notebooks/13a_a_heads_name.ipynb, notebooks/13b_does_a_map_explain.ipynb
"""

import unicodedata

CLS, SEP, UNKNOWN, MASK = "[CLS]", "[SEP]", "[UNK]", "[MASK]"
SPECIAL = ("[PAD]", UNKNOWN, CLS, SEP, MASK)


def is_punctuation(token: str) -> bool:
    """Tell whether a token is one punctuation mark, in the sense in which BERT splits text at them.

    Source: Devlin et al. 2019, the code that came with it.

    >>> [is_punctuation(token) for token in (".", "$", "cat", "[CLS]")]
    [True, True, False, False]
    """
    if len(token) != 1:
        return False
    return (token.isascii() and not token.isalnum() and token.isprintable() and token != " ") or (
        unicodedata.category(token).startswith("P")
    )
