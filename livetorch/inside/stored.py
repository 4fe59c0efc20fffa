"""Maps that are stored in place of the model: it is too large, or other texts cannot be typed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from livetorch.inside.draft import Draft
from livetorch.inside.maps import AttentionMap, programs_of
from livetorch.inside.padding import plain_maps
from livetorch.program.errors import InputError
from livetorch.program.program import Program


@dataclass(frozen=True)
class Example:
    """One set of inputs: what it is called, its tensors, and the tokens of those that are texts."""

    words: str
    inputs: Mapping[str, Tensor]
    tokens: Mapping[str, Sequence[str]]


def stored_maps(
    fn: Callable[..., Any], examples: Sequence[Example]
) -> tuple[list[list[Program]], list[AttentionMap], dict[str, Any]]:
    """Compute all maps of some examples: Programs by map and example, the maps, and the names of their axes.

    Raises:
        InputError: the examples differ in where they attend.
    """
    found = [plain_maps(fn, example.inputs) for example in examples]
    first = found[0][0]
    for example, (maps, _) in zip(examples, found, strict=True):
        if [(m.name, m.heads, m.groups) for m in maps] != [(m.name, m.heads, m.groups) for m in first]:
            raise InputError(f"{example.words!r} attends at other places than {examples[0].words!r}.")
    programs = [[_constant(maps[i], weights[i]) for maps, weights in found] for i in range(len(first))]
    return (
        programs,
        first,
        {
            "rows": [_text(m.place.queries_from, examples) for m in first],
            "cols": [_text(m.place.keys_from, examples) for m in first],
        },
    )


def _constant(map_: AttentionMap, weights: Tensor) -> Program:
    draft = Draft({}, {}, [], {}, {})
    value = draft.constant(weights)
    return programs_of(draft, [map_], values=[value])[0]


def _text(deps: frozenset[str], examples: Sequence[Example]) -> str | None:
    """Name the text whose tokens an axis has: the decoder's, where it depends on both."""
    names = [name for name in examples[0].tokens if name in deps]
    return names[-1] if names else None
