"""The still picture of a live figure, drawn in Node by the page's own view code: both are one drawing."""

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from livetorch.node import ask

__all__ = ["ask", "picture"]

_DECIMALS = 6  # last bits differ between processors and must not show


def picture(
    views: Sequence[Mapping[str, Any]],
    rows: Sequence[Sequence[int]] | None,
    controls: Sequence[Mapping[str, Any]],
    outputs: Mapping[str, Tensor],
) -> str | None:
    """Draw the views of a figure as one SVG document on a light card; the same numbers give the same bytes.

    Args:
        views: the JSON form of each view (`View.to_spec`).
        rows: the numbers of the views in each row, or None.
        controls: the JSON form of each control.
        outputs: what the function returned at the default setting, by name.

    Returns:
        The SVG document as text, or None where there is no Node.

    Raises:
        RuntimeError: the views cannot be drawn.

    Example:
        >>> from livetorch.views import Bars
        >>> outputs = {"output": torch.tensor([0.25, 0.75])}
        >>> picture([Bars().to_spec(outputs, {})], None, [], outputs)[:4]
        '<svg'
    """
    named = json.dumps(views, ensure_ascii=False)
    shown = {
        name: _encoded(each)
        for name, each in outputs.items()
        if json.dumps(name, ensure_ascii=False) in named
    }
    answer = ask({"views": views, "rows": rows, "controls": controls, "outputs": shown})
    if answer is None:
        return None
    if "error" in answer:
        raise RuntimeError(f"the picture of the figure could not be drawn: {answer['error']}")
    return answer["svg"]


def _encoded(tensor: Tensor) -> dict[str, Any]:
    numbers = torch.as_tensor(tensor).detach().to("cpu", torch.float64)
    data = base64.b64encode((torch.round(numbers, decimals=_DECIMALS) + 0.0).contiguous().numpy().tobytes())
    dtype = str(tensor.dtype).removeprefix("torch.")
    return {"shape": list(tensor.shape), "dtype": dtype, "data": data.decode("ascii")}
