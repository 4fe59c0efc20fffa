"""The static picture of a live figure: what is seen in print, on a code host, and with JavaScript off.

The SVG is written here, with matplotlib's colour maps and tick locators: matplotlib's own SVG of a grid of
eight heads is ten times as large, and this one needs no font file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attn_helpers.live.picture_grids import draw_table, draw_tokens
from attn_helpers.live.picture_heatmap import draw_heatmap
from attn_helpers.live.picture_parts import INK, MUTED, short, text
from attn_helpers.live.picture_plots import draw_bars, draw_history, draw_lines, draw_plane

__all__ = ["picture"]

_WIDTH, _PAD = 680, 14
_HATCH = (
    '<pattern id="no" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M0 0V5" stroke="#9aa3af" stroke-width="1.6"/></pattern>'
)
_DRAW: dict[str, Callable[[dict[str, Any], "_Scene", float], tuple[float, list[str]]]] = {
    "heatmap": draw_heatmap,
    "lines": draw_lines,
    "plane": draw_plane,
    "bars": draw_bars,
    "table": draw_table,
    "tokens": draw_tokens,
    "history": draw_history,
}


@dataclass(frozen=True)
class _Scene:
    """The numbers and names that the drawings look up."""

    outputs: Mapping[str, Tensor]
    state: Mapping[str, Any]

    def numbers(self, source: Mapping[str, Any]) -> np.ndarray:
        # rounded, so that last-bit differences between processors do not show
        return np.round(self.exact(source), 4) + 0.0

    def exact(self, source: Mapping[str, Any]) -> np.ndarray:
        if "output" in source:
            value = torch.as_tensor(self.outputs[source["output"]]).detach()
        else:
            value = torch.as_tensor(
                self.state[source["control"]] if "control" in source else source["values"]
            )
        return value.to("cpu", torch.float64).numpy()

    def labels(self, labels: Mapping[str, Any] | None) -> list[str] | None:
        if labels is None:
            return None
        if "values" in labels:
            return list(labels["values"])
        if "text" in labels:
            letters = self.state[labels["text"]]
            return letters.split() if labels["unit"] == "word" else list(letters)
        ids = self.outputs[labels["ids"]] if labels["ids"] in self.outputs else self.state[labels["ids"]]
        words = labels["vocabulary"]
        return [words[i] if 0 <= i < len(words) else str(i) for i in torch.as_tensor(ids).flatten().tolist()]


def picture(
    views: Sequence[Mapping[str, Any]], outputs: Mapping[str, Tensor], state: Mapping[str, Any]
) -> str:
    """Draw the views of a figure as one SVG document on a light card; the same numbers give the same bytes.

    Args:
        views: the JSON form of each view (`View.to_spec`).
        outputs: what the function returned, by name.
        state: the settings of the controls in their JSON form, by name.

    Returns:
        The SVG document as text.

    Example:
        >>> from attn_helpers.live.views import Bars
        >>> outputs = {"output": torch.tensor([0.25, 0.75])}
        >>> picture([Bars().to_spec(outputs, {})], outputs, {})[:4]
        '<svg'
    """
    scene, y, parts = _Scene(outputs, state), float(_PAD), []
    for view in views:
        if view.get("title"):
            parts.append(text(_PAD, y + 11, view["title"], fill=INK, size=13, bold=True))
            y += 22
        height, drawn = _DRAW[view["kind"]](dict(view), scene, _WIDTH - 2 * _PAD)
        parts.append(f'<g transform="translate({_PAD} {short(y)})">{"".join(drawn)}</g>')
        y += height + 12
    size = f'viewBox="0 0 {_WIDTH} {short(y)}" width="{_WIDTH}" height="{short(y)}"'
    font = f'font-family="system-ui,sans-serif" font-size="12" fill="{MUTED}"'
    card = f'<rect width="{_WIDTH}" height="{short(y)}" rx="6" fill="#fff"/>'
    hatch = f"<defs>{_HATCH}</defs>" if any("url(#no)" in part for part in parts) else ""
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>{hatch}{card}{"".join(parts)}</svg>'
