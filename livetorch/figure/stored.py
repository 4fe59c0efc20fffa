"""What a notebook stores for a live figure: a picture, the numbers as text, and the figure's JSON."""

import json
import urllib.parse
import warnings
from collections.abc import Collection, Iterator, Mapping
from html import escape
from typing import Any

import torch

from livetorch.controls.base import Control
from livetorch.format import number
from livetorch.program.errors import LiveWarning

__all__ = ["MOST_BYTES", "MOST_SHOWN", "figure_html", "numbers_as_text", "settings_as_text", "warn_if_heavy"]

MOST_SHOWN = 500 * 500  # numbers in one view: drawing more takes longer than a hand waits
MOST_BYTES = 5_000_000  # of HTML in the notebook
_WHOLE = 1024  # numbers: larger tensors are shown by their edges
_WHOLE_IDS = 100  # the same for whole numbers, and for what no view shows
_EDGE = 3
# What a notebook says before its cell is run; the style sheet, which only the site has, hides it.
ASLEEP = '<p class="lt-asleep">Run this cell, and the figure comes alive.</p>\n'


def _edges(items: list[Any]) -> list[Any]:
    return items if len(items) <= 2 * _EDGE else [*items[:_EDGE], "...", *items[-_EDGE:]]


def _brackets(tensor: torch.Tensor, decimals: int, edges: bool, indent: int) -> list[str]:
    """Return the lines of a tensor of rank 1 or more, as torch writes it."""
    if tensor.ndim == 1:
        items = [number(value, decimals) for value in tensor.tolist()]
        return ["[" + ", ".join(_edges(items) if edges else items) + "]"]
    rows = list(tensor)
    lines: list[str] = []
    for i, row in enumerate(_edges(rows) if edges else rows):
        part = ["..."] if isinstance(row, str) else _brackets(row, decimals, edges, indent + 1)
        lines += [part[0] if i == 0 else " " + part[0], *(" " + line for line in part[1:])]
        lines[-1] += ","
    return (
        ["[" + lines[0], *lines[1:-1], lines[-1][:-1] + "]"]
        if len(lines) > 1
        else ["[" + lines[0][:-1] + "]"]
    )


def numbers_as_text(outputs: dict[str, torch.Tensor], decimals: int = 4, brief: Collection[str] = ()) -> str:
    """Return tensors as text that is the same on every machine.

    Args:
        outputs: output name to tensor, any shapes.
        decimals: digits after the point.
        brief: names of outputs that are shown by their edges even if they are not large.
    Returns: One block a tensor: name, shape, numbers.

    >>> print(numbers_as_text({"weights": torch.tensor([[0.25, 0.75]])}))
    weights, shape (1, 2):
    [[0.2500, 0.7500]]
    """
    blocks = []
    for name, tensor in outputs.items():
        if tensor.ndim == 0:
            blocks.append(f"{name}: {number(tensor.item(), decimals)}")
        elif tensor.numel() == 0:
            blocks.append(f"{name}, shape {tuple(tensor.shape)}: no numbers")
        else:
            whole = _WHOLE_IDS if name in brief or tensor.dtype == torch.int64 else _WHOLE
            lines = _brackets(tensor.cpu(), decimals, tensor.numel() > whole, 0)
            blocks.append("\n".join([f"{name}, shape {tuple(tensor.shape)}:", *lines]))
    return "\n".join(blocks)


def settings_as_text(controls: Mapping[str, Control]) -> str:
    """Return the settings that a figure starts with in words.

    Args:
        controls: argument name to control.
    Returns: Such as `width = 0.50, kernel = gaussian`; tables of numbers are left out.

    >>> from livetorch.controls.choice import Checkbox
    >>> settings_as_text({"n": Checkbox(True)})
    'n = True'
    """
    written = {name: control.written(control.default) for name, control in controls.items()}
    return ", ".join(f"{name} = {words}" for name, words in written.items() if words is not None)


def _image(svg: str | None, alt: str) -> str:
    if svg is None:
        return ""
    safe = " =:/;,()@!*~[]{}|^`?+&$"
    picture = "data:image/svg+xml," + urllib.parse.quote(svg, safe=safe)
    return f'<img alt="{escape(alt)}" src="{escape(picture)}">\n'


def figure_html(spec: dict[str, Any], svg: str | None, text: str, alt: str) -> str:
    """Return the HTML that a notebook stores.

    Without JavaScript it is a picture with its numbers; the site's script brings it to life.

    Args:
        spec: the figure's JSON.
        svg: the still picture, as an SVG document; None: the numbers stand open in its place.
        text: the numbers at the default setting.
        alt: one sentence for those who do not see the picture.
    Returns: One `figure` element.
    """
    # "<" is escaped everywhere, so that no text in the figure can end the script element.
    data = json.dumps(spec, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace(
        "<", "\\u003c"
    )
    head = "".join(
        f'<p class="lt-{part}">{escape(spec[part])}</p>\n' for part in ("title", "do") if spec[part]
    )
    said = spec["caption"]
    caption = f'<figcaption class="lt-caption">{escape(said)}</figcaption>\n' if said else ""
    veil = " data-veil" if "veil" in spec else ""
    return (
        f'<figure class="livetorch" data-name="{escape(spec["name"])}"{veil}>\n{head}'
        f"{_image(svg, alt)}{ASLEEP}{caption}"
        f"<details{'' if svg else ' open'}><summary>Numbers</summary><pre>{escape(text)}</pre></details>\n"
        f'<script type="application/json">{data}</script>\n</figure>'
    )


def warn_if_heavy(spec: Mapping[str, Any], outputs: Mapping[str, torch.Tensor]) -> None:
    """Warn where a view shows more numbers than can be drawn at once, or a notebook would grow by megabytes.

    Args:
        spec: the figure's JSON.
        outputs: what its views show, by name.
    """
    for view in spec["views"]:
        for name in {name for name in _texts(view) if name in outputs}:
            if outputs[name].numel() > MOST_SHOWN:
                warnings.warn(
                    f"{view['kind'].capitalize()}: {name} has {outputs[name].numel():,} numbers; more than "
                    f"{MOST_SHOWN:,} (500 x 500) take long to draw. Show a part of it, or means of blocks.",
                    LiveWarning,
                    stacklevel=3,
                )
    # a constant in letters is as small as it gets
    wide = [constant for constant in spec["pool"] if "letters" not in constant]
    size = sum(len(text) for text in _texts([wide, spec["programs"]]))
    if size > MOST_BYTES:
        warnings.warn(
            f"the figure {spec['name']} takes {size / 1e6:.1f} MB of HTML in the notebook, more than "
            f'{MOST_BYTES / 1e6:.0f} MB; store="float16" halves the constants.',
            LiveWarning,
            stacklevel=3,
        )


def _texts(tree: Any) -> Iterator[str]:
    waiting = [tree]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, list | tuple):
            waiting += item
        elif isinstance(item, Mapping):
            waiting += item.values()
