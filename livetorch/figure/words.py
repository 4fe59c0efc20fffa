"""The words of a figure: what its outputs are called where a reader sees them."""

from collections.abc import Collection, Mapping

__all__ = ["checked_labels"]


def checked_labels(labels: Mapping[str, str] | None, outputs: Collection[str]) -> dict[str, str]:
    """Return the labels as a dict, after holding them against the outputs.

    Args:
        labels: output name to the words that stand for it, or None.
        outputs: the names of all outputs.
    Raises:
        ValueError: a label for something that is no output, or an empty one.

    >>> checked_labels({"loss": "mean loss"}, ["loss", "new_w"])
    {'loss': 'mean loss'}
    """
    given = {str(name): str(words) for name, words in (labels or {}).items()}
    for name, words in given.items():
        if name not in outputs:
            known = ", ".join(map(repr, outputs))
            raise ValueError(f"labels names {name!r}, but the function returns only {known}.")
        if not words.strip():
            raise ValueError(f"labels must be words, got labels[{name!r}]={words!r}.")
    return given
