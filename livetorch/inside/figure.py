"""The live figure of a model's attention: its places and heads to choose from, the maps, and the texts."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from livetorch.controls.abbreviations import parse_control
from livetorch.controls.base import Control, fixed
from livetorch.controls.choice import Choice
from livetorch.controls.slider import Slider
from livetorch.controls.text import Text
from livetorch.figure.binding import Binding
from livetorch.figure.compile import Compiled
from livetorch.figure.explore import assemble
from livetorch.inside.draft import Draft
from livetorch.inside.maps import AttentionMap, Padded, maps_of, programs_of
from livetorch.inside.padding import check_padding
from livetorch.inside.widget import InsideFigure
from livetorch.program.errors import InputError
from livetorch.program.program import Program
from livetorch.program.weights import MOST_BYTES, Sizes, narrowed, pooled
from livetorch.tracing.recorders import Move, trace_with
from livetorch.views import Arcs, Heatmap
from livetorch.views.sources import ByOption, Typed

__all__ = ["look_inside_function"]

_SLOW = 2.0  # seconds after which it is said what is being waited for
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

    def texts(self) -> list[Padded]:
        """List the texts whose filling must be hidden: the function is not told how long they are."""
        told = self.inputs(self.defaults())
        return [
            Padded(name, control.length or 0)
            for name, control in self.controls.items()
            if isinstance(control, Text) and f"{name}_length" not in told
        ]


class InsideCompiled(Compiled):
    """A Program for each map; each takes only those inputs that it needs."""

    def run(self, settings: dict[str, Any]) -> dict[str, Tensor]:
        """Give what the Program of these settings gives."""
        program = self.programs[self.binding.controls["layer"].number(settings["layer"])]
        inputs = self.binding.inputs(settings)
        return program.run(**{spec.name: inputs[spec.name] for spec in program.inputs})


def look_inside_function(
    fn: Callable[..., Any],
    inputs: Mapping[str, Any],
    *,
    name: str = "inside",
    title: str | None = None,
    caption: str | None = None,
    weights: str = "float32",
) -> InsideFigure:
    """Make a live figure of every place at which a function attends.

    Args:
        fn: a function or module that computes with torch.
        inputs: for each argument a control, what `explore` makes one of, or a tensor that stays as it is.
        name, title, caption: as in `explore`.
        weights: how the model's numbers are kept: "float32", "float16" or "int8".
    Returns:
        The figure.
    Raises:
        NoAttentionError: nothing attends.
        TraceError: the function cannot be recorded; the message says where and what to do.
        InputError: an argument is wrong, or the model is too large for a page.
    """
    given = Given.of(fn, inputs)
    with _Progress() as progress:
        progress.now("Recording the model, and holding the recording against it")
        programs, maps, texts = _recorded(given, progress)
        sizes = Sizes.of_programs(programs)
        _check_size(sizes, weights)
        progress.now("Writing the figure")
        kept = narrowed(programs, weights)
        controls = _controls(given, maps)
        compiled = _compiled(controls, kept)
        words = {"name": name, "title": title, "caption": caption, "do": _do(maps, texts)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of size: `_check_size` has said it
            made = assemble(
                compiled,
                words,
                view=_views(maps, controls),
                picks={"heads": "head"} if "head" in controls else None,
                make=InsideFigure,
            )
    made.begin(programs, sizes, weights)
    return made


def _recorded(given: Given, progress: _Progress) -> tuple[list[Program], list[AttentionMap], list[Padded]]:
    """Record the function and find its maps; a text that is filled up is held against itself without."""
    examples, texts = given.inputs(given.defaults()), given.texts()
    draft = Draft.of(trace_with(given.fn, examples, moves=given.moves()))
    maps = maps_of(draft, texts)
    for name, tensor in given.tensors.items():
        draft.fix(name, tensor)
    if texts:
        progress.now("Holding maps of filled-up texts against those of short ones")
        tokens = {
            text.name: len(given.controls[text.name].tokens(given.defaults()[text.name])) for text in texts
        }  # type: ignore[attr-defined]
        counts = {name: max(1, count - 1) if count > 2 else count for name, count in tokens.items()}
        check_padding(given.fn, examples, counts, texts, draft, maps)
    return programs_of(draft, maps), maps, texts


def _check_size(sizes: Sizes, weights: str) -> None:
    if sizes.of(weights) <= MOST_BYTES:
        return
    smaller = [kind for kind in ("float16", "int8") if sizes.of(kind) <= MOST_BYTES]
    advice = f'weights="{smaller[0]}" fits' if smaller else "no way of keeping them fits"
    raise InputError(
        f"the model has {sizes}; a page takes at most {MOST_BYTES / 1e6:.0f} MB. {advice.capitalize()}; or "
        "live=False stores the maps of the given texts in place of the model."
    )


def _do(maps: Sequence[AttentionMap], texts: Sequence[Padded]) -> str:
    several = "a layer and a head" if max(map_.heads for map_ in maps) > 1 else "a layer"
    return f"Choose {several}, and type another text." if texts else f"Choose {several}."


def _controls(given: Given, maps: Sequence[AttentionMap]) -> dict[str, Control]:
    layers = Choice([(f"{i + 1}  {map_.name}", i) for i, map_ in enumerate(maps)], label="Layer")
    controls = {**given.controls, "layer": layers}
    heads, groups = max(map_.heads for map_ in maps), max(map_.groups for map_ in maps)
    if heads > 1:
        controls["head"] = Slider(1, heads, 1, 1, label="Head")
    if groups > 1:
        controls["group"] = Slider(1, groups, 1, 1, label="Window")
    return controls


def _compiled(controls: Mapping[str, Control], programs: list[Program]) -> Compiled:
    written, pool = pooled(programs)
    keys = {str(i): i for i in range(len(programs))}

    def maps(**inputs: Any) -> None:
        """Stand for the function: its Programs are there."""

    binding = Binding(maps, dict(controls))
    spec = {"programs": written, "pool": pool, "variants": {"controls": ["layer"], "keys": keys}}
    return InsideCompiled(binding, programs, spec)


def _views(maps: Sequence[AttentionMap], controls: Mapping[str, Control]) -> list[Any]:
    rows = _labels([map_.query_text for map_ in maps])
    cols = _labels([map_.key_text for map_ in maps])
    one = Heatmap(
        output="weights", xticks=cols, yticks=rows, title="The chosen head" if "head" in controls else None
    )
    row = [one]
    if "head" in controls:
        row.append(Heatmap(output="heads", annotate=False, title="All heads: a click chooses one"))
    views: list[Any] = [row]
    if rows is not None and cols is not None and max(map_.keys for map_ in maps) <= _RIBBONS:
        views.append(Arcs(output="weights", tokens=cols, query_tokens=rows))
    return views


def _labels(texts: Sequence[str | None]) -> Any:
    """Name the items of an axis by the tokens of a text; the text may be another one for each map."""
    named = [None if text is None else Typed(text) for text in texts]
    if all(each == named[0] for each in named):
        return named[0]
    return ByOption("layer", named)


class _Progress:
    """Says what is being waited for, once it takes longer than two seconds."""

    def __enter__(self) -> _Progress:
        self.began, self.words, self.timer = time.perf_counter(), "", None
        return self

    def now(self, words: str) -> None:
        """Say what begins."""
        self.words = words
        if self.timer is None:
            self.timer = threading.Timer(_SLOW, self._say)
            self.timer.daemon = True
            self.timer.start()
        elif time.perf_counter() - self.began > _SLOW:
            self._say()

    def _say(self) -> None:
        print(f"{self.words} …", flush=True)

    def __exit__(self, *error: Any) -> None:
        if self.timer is not None:
            self.timer.cancel()
