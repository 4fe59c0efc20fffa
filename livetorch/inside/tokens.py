"""A text field whose text a library's tokenizer takes apart, in Python and in the page."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from livetorch.controls.text import Text

# what the page's library (@huggingface/tokenizers) reads
_MODELS = ("WordPiece", "BPE", "Unigram", "WordLevel")


def tokenizer_json(tokenizer: Any) -> dict[str, Any]:
    """Give what `tokenizer.json` says, of a tokenizer of transformers or tokenizers.

    Raises:
        ValueError: it has no such form (it is written in Python), or a model that the page cannot read.
    """
    backend = getattr(tokenizer, "backend_tokenizer", None) or getattr(tokenizer, "_tokenizer", tokenizer)
    if not hasattr(backend, "to_str"):
        raise ValueError(
            f"the tokenizer {type(tokenizer).__name__} has no tokenizer.json, which the page reads: load it "
            "as a fast one, AutoTokenizer.from_pretrained(folder), or give ids: "
            "look_inside(function, ids=tensor)."
        )
    known = json.loads(backend.to_str())
    model = known["model"].get("type", "BPE")
    if model not in _MODELS:
        raise ValueError(f"the page reads tokenizers of {', '.join(_MODELS)}, got one of {model}.")
    return known | {"truncation": None, "padding": None}


def _shown(known: dict[str, Any], token: str, decoded: str) -> str:
    """Write a token so that it can be read: bytes as the text that they stand for, where they are a text."""
    decoders = json.dumps(known.get("decoder"))
    return decoded if "ByteLevel" in decoders and decoded and "\ufffd" not in decoded else token


@dataclass
class TokenizedText(Text):
    """Text of which a function gets the ids that a library's tokenizer gives.

    Args:
        tokenizer: of transformers (a fast one) or tokenizers.
        special: whether the tokenizer adds its own tokens, such as [CLS].
        first: the id of a token that is put before all, as before what a decoder reads.

    >>> from tokenizers import Tokenizer, models  # doctest: +SKIP
    >>> TokenizedText("a b", tokenizer=Tokenizer(models.WordLevel({"a": 0})))  # doctest: +SKIP
    """

    tokenizer: Any = field(default=None, kw_only=True)
    special: bool = field(default=True, kw_only=True)
    first: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        self._json = tokenizer_json(self.tokenizer)
        backend = getattr(self.tokenizer, "backend_tokenizer", None)
        self._backend = backend or getattr(self.tokenizer, "_tokenizer", self.tokenizer)
        super().__post_init__()

    def _known(self, text: str) -> list[str]:
        return self._read(text)[0]

    def _encoded(self, text: str) -> Any:
        """Read a text as it is: neither cut nor filled up, whatever the tokenizer does by itself."""
        saved = self._backend.truncation, self._backend.padding
        self._backend.no_truncation()
        self._backend.no_padding()
        try:
            return self._backend.encode(text, add_special_tokens=self.special)
        finally:
            if saved[0]:
                self._backend.enable_truncation(**saved[0])
            if saved[1]:
                self._backend.enable_padding(**saved[1])

    def _read(self, text: str) -> tuple[list[str], list[int]]:
        """Give all tokens of a text and their ids, special ones included."""
        encoding = self._encoded(text)
        shown = [
            _shown(self._json, token, self._backend.decode([i], skip_special_tokens=False))
            for token, i in zip(encoding.tokens, encoding.ids, strict=True)
        ]
        if self.first is None:
            return shown, list(encoding.ids)
        return [self._backend.id_to_token(self.first) or "", *shown], [self.first, *encoding.ids]

    def count(self, text: str) -> int:
        """Count all tokens of a text, those besides for which there is no room."""
        return len(self._read(text)[1])

    @cached_property
    def behind(self) -> int:
        """How many tokens the tokenizer puts behind a text."""
        marks = self._encoded("a").special_tokens_mask
        return len(marks) - 1 - max((i for i, mark in enumerate(marks) if not mark), default=len(marks) - 1)

    def _cut(self, items: Sequence[Any]) -> list[Any]:
        length = self.length or len(items)
        if len(items) <= length:
            return list(items)
        return [*items[: length - self.behind], *items[len(items) - self.behind :]]

    def tokens(self, text: str) -> list[str]:  # noqa: D102
        return self._cut(self._read(text)[0])

    def ids(self, text: str) -> list[int]:  # noqa: D102
        ids = self._cut(self._read(text)[1])
        return ids + [self.pad] * ((self.length or 0) - len(ids))

    def text(self, ids: list[int]) -> str:  # noqa: D102
        return str(self._backend.decode([i for i in ids if i != self.pad], skip_special_tokens=True))

    def moved(self, value: str) -> tuple[str, str]:  # noqa: D102
        words = value.split()
        return " ".join(reversed(words)), " ".join(words[: max(1, len(words) // 2)])

    def details(self) -> dict[str, Any]:  # noqa: D102
        parts = {"unit": "library", "length": self.length, "pad": self.pad, "behind": self.behind}
        more: dict[str, Any]
        more = {part: list(texts) for part in ("examples", "suggestions") if (texts := getattr(self, part))}
        if self.first is not None:
            more["first"] = [self._backend.id_to_token(self.first) or "", self.first]
        known = {"special": self.special, "vocabulary": None, "unknown": None, "tokenizer": self._json}
        return parts | {"dtype": "int64"} | known | more
