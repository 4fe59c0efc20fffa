"""Controls of a live figure that hold what is typed, `Text`, and what is only carried, `State`."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch

from attn_helpers.live.controls import Control

__all__ = ["State", "Text"]

_MOST_TOKENS = 4096


@dataclass
class Text(Control):
    """Text that the reader types; the function gets a fixed number of token ids, int64 of shape (length,).

    A function that also takes `<name>_length` gets the number of tokens in it, as a 0-d int64 tensor.

    Args:
        value: the starting text.
        vocabulary: the tokens, in the order of their ids; None stands for all characters, by code point.
        unit: `"character"` or `"word"` (parts between spaces).
        length: how many ids the function gets; by default as many as the starting text has tokens.
        pad: the id that fills up a short text.
        unknown: the id of a token that is not in the vocabulary; None: such tokens are left out.
        examples: texts to pick from: a button for each.

    Example:
        >>> Text("ba", vocabulary=["<pad>", "a", "b"], length=4).ids("ba")
        [2, 1, 0, 0]
    """

    value: str
    vocabulary: Sequence[str] | None = field(default=None, kw_only=True)
    unit: str = field(default="character", kw_only=True)
    length: int | None = field(default=None, kw_only=True)
    pad: int = field(default=0, kw_only=True)
    unknown: int | None = field(default=None, kw_only=True)
    examples: Sequence[str] = field(default=(), kw_only=True)
    kind: ClassVar[str] = "text"

    def __post_init__(self) -> None:
        if self.unit not in ("character", "word"):
            raise ValueError(f"unit must be 'character' or 'word', got unit={self.unit!r}.")
        if self.vocabulary is None and self.unit == "word":
            raise ValueError("words need a vocabulary=[...], got none.")
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
        if isinstance(self.examples, str) or not all(isinstance(text, str) for text in self.examples):
            raise TypeError(f"examples must be a list of texts, got examples={self.examples!r}.")
        if self.length is None:
            self.length = max(1, len(self._known(self.value)))
        if not 1 <= self.length <= _MOST_TOKENS:
            raise ValueError(f"length must be in 1..{_MOST_TOKENS}, got length={self.length}.")

    def _known(self, text: str) -> list[int]:
        tokens = text.split() if self.unit == "word" else list(text)
        if self.vocabulary is None:
            return [ord(token) for token in tokens]
        table = {token: i for i, token in enumerate(self.vocabulary)}
        ids = [table.get(token, self.unknown) for token in tokens]
        return [i for i in ids if i is not None]

    def ids(self, text: str) -> list[int]:
        """Return `length` ids: those of the tokens, cut off or filled up with `pad`."""
        ids = self._known(text)[: self.length]
        return ids + [self.pad] * (self.length - len(ids))

    def text(self, ids: list[int]) -> str:
        """Return the text that carried ids stand for, up to the first padding."""
        ids = ids[: ids.index(self.pad)] if self.pad in ids else ids
        tokens = [chr(i) if self.vocabulary is None else self.vocabulary[i] for i in ids]
        return (" " if self.unit == "word" else "").join(tokens)

    def check(self, name: str, value: Any, *, free: bool = False) -> str:  # noqa: D102
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a text, got {name}={value!r}.")
        return value

    def to_inputs(self, name: str, value: str) -> dict[str, torch.Tensor]:  # noqa: D102
        count = min(len(self._known(value)), self.length)
        return {name: torch.tensor(self.ids(value)), f"{name}_length": torch.tensor(count)}

    def details(self) -> dict[str, Any]:  # noqa: D102
        parts = ("vocabulary", "unit", "length", "pad", "unknown")
        details = {part: getattr(self, part) for part in parts} | {"dtype": "int64"}
        return details | ({"examples": list(self.examples)} if self.examples else {})


@dataclass
class State(Control):
    """A tensor that no hand moves: it starts here and is then carried from step to step.

    Args:
        tensor: what the first step gets.

    Example:
        >>> State(torch.zeros(2, 3)).shape
        (2, 3)
    """

    tensor: torch.Tensor
    kind: ClassVar[str] = "state"

    def __post_init__(self) -> None:
        self.tensor = self.tensor.detach().clone()
        self.shape, self.dtype = tuple(self.tensor.shape), self.tensor.dtype
        if self.dtype not in _STORED:
            raise TypeError(f"a carried tensor must be {', '.join(_STORED.values())}, got {self.dtype}.")

    @property
    def default(self) -> Any:
        """The starting tensor, as nested lists."""
        return self.tensor.tolist()

    def check(self, name: str, value: Any, *, free: bool = False) -> Any:  # noqa: D102
        tensor = torch.as_tensor(value).to(self.dtype)
        if tuple(tensor.shape) != self.shape:
            raise ValueError(f"{name} must have shape {self.shape}, got shape {tuple(tensor.shape)}.")
        return tensor.tolist()

    def to_inputs(self, name: str, value: Any) -> dict[str, torch.Tensor]:  # noqa: D102
        return {name: torch.tensor(value, dtype=self.dtype).reshape(self.shape)}

    def to_js(self, value: Any) -> str:
        """Return the numbers as little-endian bytes in base64: exact, and -inf has a place in it."""
        data = torch.tensor(value, dtype=self.dtype).reshape(-1).numpy()
        data = data.astype(data.dtype.newbyteorder("<")).tobytes()
        return base64.b64encode(data).decode("ascii")

    def from_js(self, value: Any) -> Any:  # noqa: D102
        data = bytearray(base64.b64decode(value, validate=True))
        flat = torch.frombuffer(data, dtype=self.dtype) if data else torch.empty(0, dtype=self.dtype)
        return flat.reshape(self.shape).tolist()

    def details(self) -> dict[str, Any]:  # noqa: D102
        return {"shape": list(self.shape), "dtype": _STORED[self.dtype]}


_STORED = {torch.float32: "float32", torch.int64: "int64", torch.bool: "bool"}
