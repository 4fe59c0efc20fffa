"""The live figure of a model's attention: its places and heads to choose from, the maps, and the texts."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import torch
from torch import Tensor

from livetorch.controls.abbreviations import parse_control
from livetorch.controls.base import Control, fixed
from livetorch.controls.choice import Choice
from livetorch.controls.slider import Slider
from livetorch.controls.text import Text
from livetorch.figure.compile import Binding, Compiled
from livetorch.figure.explore import assemble
from livetorch.inside.draft import Draft
from livetorch.inside.maps import AttentionMap, Padded, maps_of, programs_of
from livetorch.inside.padding import PaddingError, check_padding
from livetorch.inside.patches import Patches, patches_of
from livetorch.inside.stored import Example, stored_maps
from livetorch.inside.widget import MOST_IN_NOTEBOOK, InsideFigure
from livetorch.program.errors import FunctionFailedError, InputError, LiveWarning, TraceError
from livetorch.program.program import Program
from livetorch.program.weights import MOST_BYTES, Sizes, narrowed, pooled
from livetorch.progress import waiting
from livetorch.tracing.recorders import Move, trace_with
from livetorch.views import Arcs, Heatmap
from livetorch.views.sources import ByOption, Typed

__all__ = ["look_inside_function"]

_HINTS = {  # by what an error says
    r"generation\.utils|of generate \(": "A generation is many calls with a cache: look "
    "at the model itself, with the whole text.",
    "'NoneType' object": "If it lacks an input: write a function that gives it, or look at the part that "
    "reads this one, such as model.text_model.",
    r"from (one call|the first)": "A cache keeps what earlier calls gave: make one in each call, or give the "
    "whole text and none.",
}
_PICTURE, _PATCHES = ("rows of the picture", "columns of the picture"), ("rows", "columns")
_HELD = 64  # tokens of a text, at most, that is held against itself filled up
_RIBBONS = 24  # tokens up to which ribbons are drawn beside the map


@dataclass(frozen=True)
class Given:
    """What a function is called with: controls that move, and tensors that stay."""

    binding: Binding
    tensors: dict[str, Tensor]

    @classmethod
    def of(cls, fn: Callable[..., Any], inputs: Mapping[str, Any]) -> Given:
        """Make controls of what `explore` makes controls of; tensors stay as they are."""
        made = {
            name: fixed(value) if isinstance(value, Tensor) else parse_control(name, value)
            for name, value in inputs.items()
        }
        for name, control in made.items():
            if isinstance(control, Control) and control.variant:
                raise InputError(f"{name} is a list of options; call look_inside for one of them at a time.")
        binding = Binding(fn, made)
        stay = {name: torch.as_tensor(each.value) for name, each in made.items() if isinstance(each, fixed)}
        if not made:
            raise InputError("look_inside needs an input to attend to: look_inside(function, x=tensor).")
        return cls(binding, stay)

    @property
    def fn(self) -> Callable[..., Any]:
        """The function."""
        return self.binding.fn

    @property
    def controls(self) -> dict[str, Control]:
        """The controls by argument name."""
        return self.binding.controls

    def inputs(self, settings: Mapping[str, Any]) -> dict[str, Tensor]:
        """Give the tensors that the function is called with."""
        return self.binding.inputs(dict(settings)) | self.tensors

    def defaults(self) -> dict[str, Any]:
        """Give the settings that the controls start with."""
        return self.binding.defaults()

    def moves(self) -> list[Move]:
        """Give other settings, on which the Program is held against the function."""
        other = {name: control.moved(control.default)[0] for name, control in self.controls.items()}
        return [Move(self.inputs(other), "other texts")] if self.controls else []

    def tokens(self, name: str, text: str | None = None) -> list[str]:
        """Give the tokens of a text field's text."""
        control = self.controls[name]
        assert isinstance(control, Text)
        return control.tokens(control.value if text is None else text)

    def texts(self) -> list[Padded]:
        """List the texts whose filling must be hidden: the function is not told how long they are."""
        told = self.inputs(self.defaults())
        return [
            Padded(name, control.length or 0)
            for name, control in self.controls.items()
            if isinstance(control, Text) and f"{name}_length" not in told
        ]


def look_inside_function(
    fn: Callable[..., Any],
    inputs: Mapping[str, Any],
    *,
    image: str | None = None,
    live: bool = True,
    weights: str = "float32",
    **words: str | None,
) -> InsideFigure:
    """Make a live figure of every place at which a function attends.

    Args:
        fn: a function or module that computes with torch.
        inputs: for each argument a control, what `explore` makes one of, or a tensor that stays as it is.
        image: the input that is a picture, whose patches attend.
        live: False stores the maps of the given inputs in place of the model.
        weights: how the model's numbers are kept: "float32", "float16" or "int8".
        words: name, title and caption, as in `explore`.
    Returns:
        The figure.
    Raises:
        NoAttentionError: nothing attends.
        TraceError: the function cannot be recorded; the message says where and what to do.
        InputError: an argument is wrong.
    """
    given = Given.of(fn, inputs)
    with waiting("Computing the maps") as now:
        try:
            found = _recorded(given, image, weights) if live else _stored(given)
        except (PaddingError, TooLargeError) as error:
            warnings.warn(
                f"{error} Its maps for the given inputs are stored instead.", LiveWarning, stacklevel=3
            )
            found = _stored(given)
        except TraceError as error:
            error.args = (" ".join([str(error).removesuffix(".") + ".", *_hints(given, error)]),)
            raise
        now("Writing the figure")
        return _figure(found, weights, words)


def _hints(given: Given, error: TraceError) -> Iterator[str]:
    """Say what to do about an error in a model's call."""
    yield from (hint for said, hint in _HINTS.items() if re.search(said, str(error)))
    if isinstance(error, FunctionFailedError) and re.search("IndexError|RuntimeError", str(error)):
        inputs = given.inputs(given.defaults())
        for text in given.texts():
            ids = inputs[text.name]
            yield (
                f"It was called with {len(ids)} tokens for {text.name}, ids up to {int(ids.max())}: a model "
                "of fewer positions needs length=, one of a smaller vocabulary its own tokenizer."
            )


class TooLargeError(InputError):
    """A model whose numbers do not fit into a page."""


@dataclass(frozen=True)
class _Found:
    """What a figure is made of: Programs by the options of its controls, maps, and names of axes."""

    programs: list[Program]
    maps: list[AttentionMap]
    controls: dict[str, Control]
    rows: Any
    cols: Any
    typed: bool = False
    patches: Patches | None = None


def _recorded(given: Given, image: str | None, weights: str) -> _Found:
    """Record the function and find its maps; a text that is filled up is held against itself without."""
    examples, texts = given.inputs(given.defaults()), given.texts()
    draft = Draft.of(trace_with(given.fn, examples, moves=given.moves()))
    maps = maps_of(draft, texts)
    sizes = Sizes.of_constants(draft.constants.values())
    if sizes.of(weights) > MOST_BYTES:
        raise TooLargeError(f"The model has {sizes.advice()}")
    for name, tensor in given.tensors.items():
        draft.fix(name, tensor)
    if texts:
        tokens = {text.name: given.tokens(text.name) for text in texts}
        counts = {name: max(2, min(len(each) - 1, _HELD)) for name, each in tokens.items()}
        with waiting("Holding the maps of filled-up texts against those of shorter ones"):
            check_padding(given.fn, examples, counts, texts, draft, maps)
    patches = patches_of(given.tensors[image], maps) if image else None
    rows = _labels([map_.query_text and Typed(map_.query_text) for map_ in maps])
    cols = _labels([map_.key_text and Typed(map_.key_text) for map_ in maps])
    more = patches.outputs if patches else lambda draft, weights: {}
    if patches:
        rows = cols = patches.names()
    controls = {**given.controls, "layer": _layers(maps, [text.name for text in texts])}
    controls |= _indices(maps)
    if patches:
        controls["query"] = Slider(1, maps[0].queries, 1, 1, label="Patch that asks")
    return _Found(programs_of(draft, maps, more=more), maps, controls, rows, cols, bool(texts), patches)


def _stored(given: Given) -> _Found:
    """Compute the maps of the given inputs; of a text field, of its text and its examples."""
    texts = {name: each for name, each in given.controls.items() if isinstance(each, Text)}
    settings = [given.defaults()]
    settings += [
        {**given.defaults(), name: other}
        for name, control in texts.items()
        for other in control.examples
        if other != control.value
    ]
    examples = [_example(given, each) for each in settings]
    programs, maps, names = stored_maps(given.fn, examples)
    rows, cols = (
        _labels(
            [text and _labels([list(each.tokens[text]) for each in examples], "text") for text in names[side]]
        )
        for side in ("rows", "cols")
    )
    controls: dict[str, Control] = {}
    if len(examples) > 1:
        controls["text"] = Choice([(each.words, i) for i, each in enumerate(examples)], label="Text")
    controls |= {"layer": _layers(maps), **_indices(maps)}
    by_text = [program for at in range(len(examples)) for program in (row[at] for row in programs)]
    return _Found(by_text, maps, controls, rows, cols)


def _example(given: Given, settings: Mapping[str, Any]) -> Example:
    """Give the inputs at some settings, without what texts are filled up with."""
    inputs = given.inputs(settings)
    tokens = {
        name: given.tokens(name, settings[name])
        for name in given.controls
        if isinstance(given.controls[name], Text)
    }
    short = {
        name: tensor[: len(tokens[name])] if name in tokens else tensor for name, tensor in inputs.items()
    }
    words = " / ".join(str(settings[name]) for name in tokens) or "the inputs"
    return Example(words, short, tokens)


def _layers(maps: Sequence[AttentionMap], texts: Sequence[str] = ()) -> Choice:
    """List the maps; where there are two texts, by who reads what: encoder, decoder, or cross."""

    def kind(map_: AttentionMap) -> str:
        if len(texts) < 2 or map_.query_text is None or map_.key_text is None:
            return ""
        crossed = map_.query_text != map_.key_text
        return "cross: " if crossed else "encoder: " if map_.key_text == texts[0] else "decoder: "

    return Choice([(f"{i + 1}  {kind(map_)}{map_.name}", i) for i, map_ in enumerate(maps)], label="Layer")


def _indices(maps: Sequence[AttentionMap]) -> dict[str, Control]:
    """Make the sliders that choose a head, and a window where a picture is read in windows."""
    heads, groups = max(map_.heads for map_ in maps), max(map_.groups for map_ in maps)
    head = {"head": Slider(1, heads, 1, 1, label="Head")} if heads > 1 else {}
    return {**head, **({"group": Slider(1, groups, 1, 1, label="Window")} if groups > 1 else {})}


def _figure(found: _Found, weights: str, words: Mapping[str, str | None]) -> InsideFigure:
    kept = narrowed(found.programs, weights)
    large = Sizes.of_programs(found.programs).of(weights) > MOST_IN_NOTEBOOK
    written, pool = ([], []) if large else pooled(kept)
    variants = [name for name, control in found.controls.items() if control.variant]
    counts = [len(found.controls[name].options()) for name in variants]
    keys = {",".join(map(str, numbers)): i for i, numbers in enumerate(product(*map(range, counts)))}
    spec = {"programs": written, "pool": pool, "variants": {"controls": variants, "keys": keys}}
    several = "a layer and a head" if "head" in found.controls else "a layer"
    do = f"Choose {several}, and type another text." if found.typed else f"Choose {several}."
    picks: dict[Any, Any] = {"heads": "head"} if "head" in found.controls else {}
    if found.patches:
        picks |= {"queries": "query", _PATCHES: ("query", found.patches.queries())}
        picks |= {_PICTURE: ("query", found.patches.queries(fine=True))}
    made = assemble(
        Compiled(Binding(_maps, dict(found.controls)), kept, spec, found.programs),
        {"name": None, "title": None, "caption": None, **words, "do": do},
        view=_views(found),
        picks=picks or None,
        make=InsideFigure,
    )
    made.begin(found.programs, found.maps, weights)
    return made


def _maps(**inputs: Any) -> None:
    """Stand for the function: its Programs are there."""


def _views(found: _Found) -> list[Any]:
    named = {"xticks": found.cols, "yticks": found.rows}
    one = Heatmap(output="weights", title="The chosen head" if "head" in found.controls else None, **named)
    row: list[Any] = [one]
    if "head" in found.controls:
        row.append(Heatmap(output="heads", annotate=False, title="All heads: a click chooses one", **named))
    if found.patches:
        bare: dict[str, Any] = {"annotate": False, "xlabel": "", "ylabel": ""}
        picture = Heatmap(
            output="picture",
            title="The picture: a click on a patch asks for it",
            blocks=found.patches.spans,
            rows_axis=_PICTURE[0],
            cols_axis=_PICTURE[1],
            **bare,
        )
        over = Heatmap(
            output="patches",
            title="What the patch in the ring reads",
            marks="chosen",
            spans=found.patches.spans,
            vmax="auto",
            rows_axis=_PATCHES[0],
            cols_axis=_PATCHES[1],
            **bare,
        )
        return [[picture, over], row]
    few = max(max(map_.keys, map_.queries) for map_ in found.maps) <= _RIBBONS
    texts = found.rows is not None and found.cols is not None
    ribbons = [Arcs(output="weights", tokens=found.cols, query_tokens=found.rows)] if few and texts else []
    return [row, *ribbons]


def _labels(named: Sequence[Any], by: str = "layer") -> Any:
    """Name the items of an axis; by other names at each option, where they differ."""
    return named[0] if all(each == named[0] for each in named) else ByOption(by, named)
