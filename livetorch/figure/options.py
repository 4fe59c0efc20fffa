"""The options of `explore`: what is wrong with one is said when the figure is made, not when it is shown."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from livetorch.figure.binding import signature_defaults, signature_names
from livetorch.tracing.reader_function import function_name

__all__ = ["check_options", "check_views"]

_TEXTS = ("name", "title", "do", "caption", "store")


def check_options(fn: Callable[..., Any], options: Mapping[str, Any], controls: Mapping[str, Any]) -> None:
    """Raise where an option is of the wrong kind, or may have been meant for an argument of the function.

    Args:
        fn: the reader's function.
        options: option name to what was given, None where nothing was.
        controls: argument name to what was given for it.
    Raises:
        TypeError: an option that must be a text is none.
        ValueError: an argument has an option's name and no control, or a name cannot stand in a link.
    """
    optional = signature_defaults(fn)
    for name in options:
        if name in signature_names(fn) and name not in controls and name not in optional:
            raise ValueError(
                f"{function_name(fn)} has an argument {name}, but explore keeps the name {name} for itself: "
                f'give its control as controls={{"{name}": ...}}.'
            )
    for name in _TEXTS:
        given = options.get(name)
        if given is not None and not isinstance(given, str):
            hint = f' An argument {name} gets its control by controls={{"{name}": ...}}.' * (name in optional)
            raise TypeError(f"{name} must be a text, got {name}={given!r}.{hint}")
    if options["name"] is not None and not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", options["name"]):
        raise ValueError(
            "name must be small letters, digits and hyphens, such as kernel-width, "
            f"got name={options['name']!r}."
        )


def check_views(specs: list[dict[str, Any]]) -> None:
    """Raise where a view holds what its JSON form cannot: a number that is not finite, or no plain value."""
    for spec in specs:
        for place, value in _leaves(spec, ""):
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"{spec['kind'].capitalize()}: {place} must be finite, got {value}.")
            if value is not None and not isinstance(value, str | int | float):
                raise TypeError(
                    f"{spec['kind'].capitalize()}: {place} must be a plain text or number, got {value!r}."
                )


def _leaves(tree: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(tree, Mapping):
        for name, item in tree.items():
            yield from _leaves(item, f"{place}.{name}".lstrip("."))
    elif isinstance(tree, list | tuple):
        for i, item in enumerate(tree):
            yield from _leaves(item, f"{place}[{i}]")
    else:
        yield place, tree
