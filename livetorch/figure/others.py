"""Which shapes the numbers of a view take at other options, so that its room is kept from the start."""

from collections.abc import Iterable, Mapping
from typing import Any

from torch import Tensor

__all__ = ["other_shapes"]

_NAMES = ("xticks", "yticks")  # fields whose ids name rows and columns


def other_shapes(
    view: Mapping[str, Any], outputs: Mapping[str, Tensor], options: Iterable[Mapping[str, Tensor]]
) -> list[dict[str, Any]]:
    """Return what a view draws at all options where it has not one shape at all of them, the default's first.

    Args:
        view: the JSON form of a heatmap; other kinds keep the height that they have.
        outputs: what the function returns at the default setting, by name.
        options: the same for each combination of options.
    Returns: Output name to its shape, and the numbers of those that name tokens; one dict for each case.

    >>> view = {"kind": "heatmap", "source": {"output": "w"}}
    >>> other_shapes(view, {"w": torch.ones(2, 2)}, [{"w": torch.ones(2, 2)}, {"w": torch.ones(3, 2)}])
    [{'w': {'shape': [2, 2]}}, {'w': {'shape': [3, 2]}}]
    """
    own = view.get("source", {}).get("output")
    if view["kind"] != "heatmap" or own is None:
        return []
    ids = {view[field]["ids"] for field in _NAMES if view.get(field) and "ids" in view[field]} & set(outputs)

    def case(made: Mapping[str, Tensor]) -> dict[str, Any]:
        named = {name: {"shape": list(made[name].shape), "data": made[name].tolist()} for name in sorted(ids)}
        return {own: {"shape": list(made[own].shape)}} | named

    found = [case(outputs)]
    for made in options:
        if (one := case(made)) not in found:
            found.append(one)
    return found if len(found) > 1 else []
