"""The number that a slider draws along its track, checked against what the function returns."""

from collections.abc import Mapping
from typing import Any

import torch

from livetorch.controls.base import Control
from livetorch.controls.slider import Slider

__all__ = ["curve_specs"]


def curve_specs(
    controls: Mapping[str, Control], outputs: Mapping[str, torch.Tensor], labels: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """Return the JSON form of each slider's curve.

    Args:
        controls: argument name to control.
        outputs: what the function returns at some setting, by name.
        labels: output name to the words that a reader sees for it.

    Returns:
        Control name to `output`, `at` (the place among all its numbers) and `label`, for those with a curve.

    Raises:
        ValueError: a curve names no output, or more or less than one real number of it.

    Example:
        >>> slider = Slider(0.0, 1.0, curve=("pair", 1))
        >>> curve_specs({"x": slider}, {"pair": torch.tensor([1.0, 2.0])}, {})
        {'x': {'output': 'pair', 'at': 1, 'label': 'pair[1]'}}
    """
    curved = {name: c.curve for name, c in controls.items() if isinstance(c, Slider) and c.curve is not None}
    return {name: _spec(name, curve, outputs, labels) for name, curve in curved.items()}


def _spec(
    name: str,
    curve: str | tuple[str | int, ...],
    outputs: Mapping[str, torch.Tensor],
    labels: Mapping[str, str],
) -> dict[str, Any]:
    output, *place = [curve] if isinstance(curve, str) else curve
    if output not in outputs:
        raise ValueError(
            f"the curve of {name} names {output!r}, but the function returns: {', '.join(outputs)}."
        )
    tensor = outputs[str(output)]
    index = [int(n) for n in place]
    shape = tuple(tensor.shape)
    if len(index) != tensor.ndim:
        one = f"({', '.join([repr(output), *['0'] * tensor.ndim])})" if tensor.ndim else repr(output)
        raise ValueError(
            f"the curve of {name} must be one number, but {output} has the shape {shape}: "
            f"name a number by its place, such as curve={one}."
        )
    if not all(0 <= n < length for n, length in zip(index, shape, strict=True)):
        raise ValueError(f"the curve of {name} names place {index} of {output}, whose shape is {shape}.")
    at = sum(n * step for n, step in zip(index, tensor.contiguous().stride(), strict=True))
    words = labels.get(str(output), str(output))
    return {"output": output, "at": at, "label": f"{words}{index}" if index else words}
