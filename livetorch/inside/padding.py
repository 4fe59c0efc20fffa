"""Whether a text that is filled up to a length has the maps that it has by itself."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from livetorch.inside.draft import Draft
from livetorch.inside.maps import AttentionMap, Padded, maps_of, run_maps
from livetorch.program.encoding import Constant
from livetorch.program.errors import ChangingError, TraceError
from livetorch.tracing.fold import build
from livetorch.tracing.recording import record

_CLOSE = 1e-4


class PaddingError(TraceError):
    """A model whose maps change when a text is filled up, though the filling is masked."""


def plain_maps(
    fn: Callable[..., Any], inputs: Mapping[str, Tensor], known: Iterable[Constant] = ()
) -> tuple[list[AttentionMap], list[Tensor]]:
    """Give the maps of a function for inputs as they are: recorded once, and not for other inputs."""
    recording = record(fn, dict(inputs))
    draft = Draft.of(build(recording.nodes, recording.inputs, recording.outputs, known))
    maps = maps_of(draft)
    return maps, run_maps(draft, maps, inputs)


def check_padding(
    fn: Callable[..., Any],
    padded: Mapping[str, Tensor],
    counts: Mapping[str, int],
    texts: Sequence[Padded],
    draft: Draft,
    maps: Sequence[AttentionMap],
) -> float:
    """Hold the maps of filled texts against those of the texts by themselves; give the largest difference.

    Args:
        fn: the function.
        padded: all inputs, texts filled up.
        counts: how many tokens each text has.
        texts, draft, maps: what was found in the function for filled texts.
    Raises:
        PaddingError: they differ; the message names the map.
    """
    lengths = {text.length_input: counts[text.name] for text in texts}
    masked = run_maps(draft, maps, {**padded, **{n: torch.tensor(v) for n, v in lengths.items()}})
    short = {name: tensor[: counts[name]] if name in counts else tensor for name, tensor in padded.items()}
    alone, weights = plain_maps(fn, short, draft.constants.values())
    if len(alone) != len(maps):
        raise PaddingError(f"a text of other length attends at {len(alone)} places in place of {len(maps)}.")
    worst = 0.0
    for map_, own, filled in zip(maps, weights, masked, strict=True):
        if own.shape[:2] != filled.shape[:2]:
            raise PaddingError(f"{map_.name} has {own.shape[1]} heads for a shorter text.")
        if own.shape[3] > filled.shape[3]:
            raise ChangingError(
                f"{map_.name} has {own.shape[3]} keys for a shorter text, more than {filled.shape[3]}: the "
                "model keeps something from one call to the next."
            )
        differs = float((own - filled[:, :, : own.shape[2], : own.shape[3]]).abs().max())
        worst = max(worst, differs)
        if not differs <= _CLOSE:
            raise PaddingError(
                f"the weights of {map_.name} differ by {differs:.2g} when the text is filled up to a fixed "
                "length: something besides its attention looks at the filling (a convolution, a memory, a "
                "mean over tokens). Its texts cannot be typed freely."
            )
    return worst
