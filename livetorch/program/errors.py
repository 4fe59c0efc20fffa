"""What `trace` and `Program` raise: one family, so that `except TraceError` catches all of it."""

import linecache
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

_LONG = 100  # letters of a line that a message quotes


class TraceError(ValueError):
    """A function could not be turned into a Program; the text says where and what to do instead.

    `names` holds the inputs whose numbers were asked for, where that is the fault.

    >>> from livetorch import trace
    >>> trace(lambda x: torch.rand(2) * x, x=1.0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    livetorch.program.errors.RandomOperatorError: aten.rand.default draws random numbers ...
    """

    def __init__(self, text: str, names: Iterable[str] = ()) -> None:
        super().__init__(text)
        self.names = frozenset(names)


class LiveWarning(UserWarning):
    """What works, but not as well as its author may think: too slow, too large, too coarse."""


class InputError(TraceError):
    """The example inputs, or the inputs of a run, do not fit the arguments of the function."""


class OutputError(TraceError, TypeError):
    """The function returned something other than a tensor or a dict of named tensors."""


class DataDependentError(TraceError):
    """Python code asked for the value of a tensor that depends on an input (`if x > 0`, `x.item()`)."""


class RandomOperatorError(TraceError):
    """The function draws random numbers, which a Program cannot repeat."""


class FunctionFailedError(TraceError):
    """The function itself raised an error while it was traced."""


class FrozenError(TraceError):
    """A number that depends on an input left torch unseen, so that the Program would not follow the input."""


class ChangingError(TraceError):
    """The function gives other numbers at each call: it draws them outside torch, or keeps something."""


class UnsupportedOperatorError(TraceError):
    """The function needs an operator that the runtime in the page does not have."""


class ProgramFormatError(TraceError):
    """A JSON text is not a Program of a version that can be read here."""


@dataclass(frozen=True)
class Line:
    """One line of the reader's code.

    Args:
        file: file name as Python knows it.
        number: line number in that file; in a notebook the file is the cell.
        function: name of the function that holds the line.
        span: first and last line, first and last column (in bytes) of the part that runs, where it is known.
    """

    file: str
    number: int
    function: str
    span: tuple[int, int, int, int] | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """The source of the line without indentation, or an empty string where there is no source."""
        return linecache.getline(self.file, self.number).strip()

    def __str__(self) -> str:
        # cells and typed-in code have file names that differ from run to run: leave those out
        passing = self.file.startswith("<") or "ipykernel" in self.file
        place = f"line {self.number} of {self.function}" + ("" if passing else f" ({Path(self.file).name})")
        return f"{place}: {self._excerpt()}" if self.text else place

    def _excerpt(self) -> str:
        """Give the line, or of a long one what stands around the part that runs."""
        text = self.text
        if len(text) <= _LONG:
            return text
        indent = len(linecache.getline(self.file, self.number)) - len(
            linecache.getline(self.file, self.number).lstrip()
        )
        first = self.span is not None and self.span[0] == self.number
        start = max(0, self.span[2] - indent - _LONG // 4) if first and self.span else 0
        start = min(start, len(text) - _LONG)
        end = start + _LONG
        return ("… " if start else "") + text[start:end].strip() + (" …" if end < len(text) else "")
