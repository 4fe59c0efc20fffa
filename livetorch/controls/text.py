"""What a reader types."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch

from livetorch.controls.base import Control
from livetorch.controls.pieces import UNITS, tokens_of, used_tokens

_MOST_TOKENS = 4096


@dataclass
class Text(Control):
    """Text that the reader types; the function gets a fixed number of token ids, int64 of shape (length,).

    A function that also takes `<name>_length` gets the number of tokens in it, as a 0-d int64 tensor.

    Args:
        value: the starting text.
        vocabulary: the tokens, in the order of their ids; None stands for all characters, by code point.
        unit: `"character"`, `"word"` (parts between spaces), or `"piece"`: the text in small letters without
            accents, cut at spaces and around punctuation, each word into the longest pieces in the vocabulary
            from the left; a piece inside a word is written there with ## before it.
        length: how many ids the function gets; by default as many as the starting text has tokens.
        pad: the id that fills up a short text.
        unknown: the id of a token that is not in the vocabulary; None: such tokens are left out.
        ends: two tokens of the vocabulary that are put before and behind the text.
        examples: texts to pick from: a button for each.
        suggestions: many texts to pick from: a field finds them by their words.

    >>> Text("ba", vocabulary=["<pad>", "a", "b"], length=4).ids("ba")
    [2, 1, 0, 0]
    """

    value: str
    vocabulary: Sequence[str] | None = field(default=None, kw_only=True)
    unit: str = field(default="character", kw_only=True)
    length: int | None = field(default=None, kw_only=True)
    pad: int = field(default=0, kw_only=True)
    unknown: int | None = field(default=None, kw_only=True)
    ends: Sequence[str] = field(default=(), kw_only=True)
    examples: Sequence[str] = field(default=(), kw_only=True)
    suggestions: Sequence[str] = field(default=(), kw_only=True)
    kind: ClassVar[str] = "text"

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise ValueError(f"unit must be one of {', '.join(map(repr, UNITS))}, got unit={self.unit!r}.")
        if self.vocabulary is None and self.unit != "character":
            raise ValueError(f"{self.unit}s need a vocabulary=[...], got none.")
        if self.vocabulary is not None:
            self.vocabulary = [str(token) for token in self.vocabulary]
            if len(set(self.vocabulary)) < len(self.vocabulary):
                raise ValueError("the tokens of a vocabulary must differ from each other.")
        for part in ("pad", "unknown"):
            i = getattr(self, part)
            if i is not None and self.vocabulary is not None and not 0 <= i < len(self.vocabulary):
                raise ValueError(f"{part} must be an id in 0..{len(self.vocabulary) - 1}, got {part}={i}.")
        if not isinstance(self.value, str):
            raise TypeError(f"value must be a text, got value={self.value!r}.")
        for part in ("examples", "suggestions"):
            texts = getattr(self, part)
            if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
                raise TypeError(f"{part} must be a list of texts, got {part}={texts!r}.")
        self._check_ends()
        if self.length is None:
            self.length = max(1, len(self._known(self.value)) + len(self.ends))
        if not 1 + len(self.ends) <= self.length <= _MOST_TOKENS:
            raise ValueError(f"length must be in 1..{_MOST_TOKENS}, got length={self.length}.")

    def _check_ends(self) -> None:
        known = self.vocabulary or ()
        if len(self.ends) not in (0, 2) or not all(token in known for token in self.ends):
            raise ValueError(f"ends must be two tokens of the vocabulary, got ends={self.ends!r}.")

    def _known(self, text: str) -> list[str]:
        """Return the tokens that have an id, without the ends."""
        known = frozenset(self.vocabulary or ())
        tokens = tokens_of(text, self.unit, known)
        keep_all = self.vocabulary is None or self.unknown is not None
        return [token for token in tokens if keep_all or token in known]

    def tokens(self, text: str) -> list[str]:
        """Return the tokens that the function gets: at most `length`, with the ends."""
        return used_tokens(self._known(text), self.length or 0, self.ends)

    def ids(self, text: str) -> list[int]:
        """Return `length` ids: those of the tokens, cut off or filled up with `pad`."""
        table = {token: i for i, token in enumerate(self.vocabulary or ())}
        tokens = self.tokens(text)
        other = self.pad if self.unknown is None else self.unknown  # None: none of these is left in
        ids = [ord(t) if self.vocabulary is None else table.get(t, other) for t in tokens]
        return ids + [self.pad] * ((self.length or 0) - len(ids))

    def text(self, ids: list[int]) -> str:
        """Return the text that carried ids stand for, up to the first padding."""
        ids = ids[: ids.index(self.pad)] if self.pad in ids else ids
        tokens = [chr(i) if self.vocabulary is None else self.vocabulary[i] for i in ids]
        tokens = [token for token in tokens if token not in self.ends]
        return ("" if self.unit == "character" else " ").join(tokens).replace(" ##", "")

    def check(self, name: str, value: Any, *, free: bool = False) -> str:  # noqa: D102
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a text, got {name}={value!r}.")
        return value

    def to_inputs(self, name: str, value: str) -> dict[str, torch.Tensor]:  # noqa: D102
        count = len(self.tokens(value))
        return {name: torch.tensor(self.ids(value)), f"{name}_length": torch.tensor(count)}

    def feeds(self, name: str) -> list[str]:  # noqa: D102
        return [name, f"{name}_length"]

    def from_output(self, output: torch.Tensor) -> str:  # noqa: D102
        return self.text(output.tolist())

    def moved(self, value: str) -> tuple[str, str]:
        """Return another text: an example, else the words or letters from the end."""
        parts = value.split(" ") if self.unit != "character" else list(value)
        turned = (" " if self.unit != "character" else "").join(reversed(parts))
        tokens = [self.text([i]) for i in (1, 2)] if self.vocabulary is None else list(self.vocabulary)
        others = [*self.examples, *list(self.suggestions)[:1], turned, value[: len(value) // 2], *tokens]
        other = next((text for text in others if self.ids(text) != self.ids(value)), value)
        return other, other

    def written(self, value: str) -> str:  # noqa: D102
        return repr(value)

    @classmethod
    def at_random(cls, spec: Mapping[str, Any], draw: random.Random) -> str:  # noqa: D102
        return "".join(draw.sample(spec["value"], len(spec["value"])))

    def details(self) -> dict[str, Any]:  # noqa: D102
        parts = ("vocabulary", "unit", "length", "pad", "unknown")
        details = {part: getattr(self, part) for part in parts} | {"dtype": "int64"}
        more = ("ends", "examples", "suggestions")
        return details | {part: list(texts) for part in more if (texts := getattr(self, part))}
