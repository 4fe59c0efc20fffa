"""The maps of a recorded function, each as a Program: all heads of one place, and the chosen one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import torch
from torch import Tensor

from livetorch.inside.draft import Draft, renumbered
from livetorch.inside.find import Place, find_attention, shapes_of
from livetorch.program.errors import TraceError
from livetorch.program.program import Program

_LOWEST = -3e38  # a masked score: softmax makes 0 of it, and a row with nothing else stays finite


class NoAttentionError(TraceError):
    """A function in which nothing attends."""


@dataclass(frozen=True)
class Padded:
    """A text whose ids are filled up to a length: `length_input` says how many count."""

    name: str
    length: int

    @property
    def length_input(self) -> str:
        """The input that holds the number of tokens."""
        return f"{self.name}_length"


@dataclass(frozen=True)
class AttentionMap:
    """One place of attention as a figure shows it.

    Args:
        place: where it is.
        name: its words in a list: its module, and which of several there.
        groups, heads, queries, keys: sizes; groups are windows of a picture, or examples of a batch.
        query_text, key_text: the texts whose tokens the rows and columns are, if they are.
    """

    place: Place
    name: str
    groups: int
    heads: int
    queries: int
    keys: int
    query_text: str | None
    key_text: str | None


def maps_of(draft: Draft, texts: Sequence[Padded] = ()) -> list[AttentionMap]:
    """Find all maps of a recorded function; what a text was filled up with is masked in the draft.

    Args:
        draft: the Program; it is changed.
        texts: the inputs that are texts, the decoder's last.
    Raises:
        NoAttentionError: there is none.
    """
    places = find_attention(draft, shapes_of(draft))
    if not places:
        raise NoAttentionError(
            "nothing attends here: no softmax of what was recorded is multiplied with values and summed over "
            "its keys. A convolution or a recurrent net has no map; sigmoid and linear attention have no "
            "softmax; and what does not depend on an input is computed beforehand and not seen."
        )
    # where weights are made of several softmaxes, their scores are all masked, and the map is one
    shown = {place.weights: place for place in places}
    names = dict(zip(shown, _names(list(shown.values())), strict=True))
    found = []
    for place in places:
        groups, heads, queries, keys = _sizes(place)
        asked, read = _text(place.queries_from, texts), _text(place.keys_from, texts)
        found.append(
            AttentionMap(
                *(place, names[place.weights], groups, heads, queries, keys),
                *(asked.name if asked and asked.length == queries else None,),
                *(read.name if read and read.length == keys else None,),
            )
        )
    _mask(draft, found, texts)
    return list({map_.place.weights: map_ for map_ in found}.values())


def _text(deps: frozenset[str], texts: Sequence[Padded]) -> Padded | None:
    return next((text for text in reversed(texts) if text.name in deps), None)


def _names(places: Sequence[Place]) -> list[str]:
    """Name places by their modules, with a number where one module attends several times, or has no name."""
    modules = [place.module or "attention" for place in places]
    seen: dict[str, int] = {}
    named = []
    for module in modules:
        seen[module] = seen.get(module, 0) + 1
        named.append(module if modules.count(module) == 1 else f"{module} ({seen[module]})")
    return named


def _sizes(place: Place) -> tuple[int, int, int, int]:
    *lead, queries, keys = (1, *(place.shape[axis] for axis in _order(place)))
    return prod(lead[:-1]), lead[-1] if lead else 1, queries, keys


def _order(place: Place) -> list[int]:
    """List the axes of weights: what is left, queries, keys."""
    last = [axis for axis in (place.queries, place.keys % len(place.shape)) if axis is not None]
    return [axis for axis in range(len(place.shape)) if axis not in last] + last


def _mask(draft: Draft, maps: Sequence[AttentionMap], texts: Sequence[Padded]) -> None:
    """Hide the keys beyond a text's tokens, as a library's padding mask does, where keys are its tokens."""
    lengths = {text.name: text for text in texts}
    for map_ in maps:
        if map_.key_text is None:
            continue
        place, text = map_.place, lengths[map_.key_text]
        length = draft.input(text.length_input, (), torch.int64)
        places = draft.constant(torch.tensor(place.scored).view([-1] + [1] * place.after))
        counts = draft.add("aten.lt.Tensor", ({"v": places}, {"v": length}), before=place.softmax)
        lowest = draft.constant(torch.tensor(_LOWEST))
        args = ({"v": counts}, {"v": place.scores}, {"v": lowest})
        hidden = draft.add("aten.where.self", args, before=place.softmax)
        place.softmax.args = renumbered(place.softmax.args, {place.scores: hidden})


def _raw_map(draft: Draft, map_: AttentionMap) -> int:
    """Add what gives the weights of a map as (groups, heads, queries, keys)."""
    value, order = map_.place.weights, _order(map_.place)
    if order != sorted(order):
        value = draft.add("aten.permute.default", ({"v": value}, order))
    shape = [map_.groups, map_.heads, map_.queries, map_.keys]
    return draft.add("aten.view.default", ({"v": value}, shape))


def programs_of(
    draft: Draft,
    maps: Sequence[AttentionMap],
    *,
    values: Sequence[int] | None = None,
    more: Callable[[Draft, int], dict[str, int]] = lambda draft, weights: {},
) -> list[Program]:
    """Write a Program for each map: outputs `heads` and `weights`, inputs `head` and `group`.

    Args:
        draft: what the maps were found in.
        maps: the maps.
        values: their weights, (groups, heads, queries, keys), where these are there already.
        more: adds other outputs, from the chosen head's weights.
    """
    several, headed = any(map_.groups > 1 for map_ in maps), any(map_.heads > 1 for map_ in maps)
    made = []
    for i, map_ in enumerate(maps):
        value = _raw_map(draft, map_) if values is None else values[i]
        square = [map_.queries, map_.keys]
        if several:
            value = _chosen(draft, value, "group", map_.groups, [map_.heads, *square])
        else:
            value = draft.add("aten.view.default", ({"v": value}, [map_.heads, *square]))
        if headed:
            one = _chosen(draft, value, "head", map_.heads, square)
        else:
            one = draft.add("aten.view.default", ({"v": value}, square))
        made.append(draft.program({"heads": value, "weights": one, **more(draft, one)}))
    return made


def _chosen(draft: Draft, value: int, name: str, count: int, shape: list[int]) -> int:
    """Pick the n-th item of the first axis, n counted from 1; the last one where there are fewer."""
    asked = draft.input(name, (), torch.int64)
    at = draft.add("aten.sub.Scalar", ({"v": asked}, 1))
    at = draft.add("aten.clamp.default", ({"v": at}, 0, count - 1))
    draft.names[at] = f"{name} − 1"
    at = draft.add("aten.view.default", ({"v": at}, [1]))
    picked = draft.add("aten.index_select.default", ({"v": value}, 0, {"v": at}))
    return draft.add("aten.view.default", ({"v": picked}, shape))


def run_maps(draft: Draft, maps: Sequence[AttentionMap], inputs: Mapping[str, Tensor]) -> list[Tensor]:
    """Compute all maps in torch, each (groups, heads, queries, keys)."""
    program = draft.program({str(i): _raw_map(draft, map_) for i, map_ in enumerate(maps)})
    needed = {spec.name for spec in program.inputs}
    out = program.run(**{name: tensor for name, tensor in inputs.items() if name in needed})
    return [out[str(i)] for i in range(len(maps))]
