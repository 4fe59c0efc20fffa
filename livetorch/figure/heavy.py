"""What will be slow or heavy in a page is said when the figure is made, with its number."""

import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from torch import Tensor

from livetorch.program.errors import LiveWarning

__all__ = ["MOST_BYTES", "MOST_SHOWN", "warn_if_heavy"]

MOST_SHOWN = 500 * 500  # numbers in one view: drawing more takes longer than a hand waits
MOST_BYTES = 5_000_000  # of HTML in the notebook


def warn_if_heavy(spec: Mapping[str, Any], outputs: Mapping[str, Tensor]) -> None:
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
    size = sum(len(text) for text in _texts([spec["pool"], spec["programs"]]))
    if size > MOST_BYTES:
        warnings.warn(
            f"the figure {spec['name']} takes {size / 1e6:.1f} MB of HTML in the notebook, more than "
            f'{MOST_BYTES / 1e6:.0f} MB; store="float16" halves the constants.',
            LiveWarning,
            stacklevel=3,
        )


def _texts(tree: Any) -> Iterator[str]:
    if isinstance(tree, Mapping):
        tree = tree.values()
    if isinstance(tree, str):
        yield tree
    elif not isinstance(tree, int | float | None):
        for item in tree:
            yield from _texts(item)
