"""The figure of a model's attention, which knows how large its model is."""

from collections.abc import Sequence
from html import escape
from typing import Any

import torch

from livetorch.figure.still import picture
from livetorch.figure.widget import LiveFigure
from livetorch.inside.maps import AttentionMap
from livetorch.program.program import Program
from livetorch.program.weights import Sizes, pooled

MOST_IN_NOTEBOOK = 8_000_000  # bytes of weights: a notebook keeps what it shows, and sends it to its page


class InsideFigure(LiveFigure):
    """A live figure of a model; see `look_inside`."""

    sizes: Sizes | None = None

    def begin(self, programs: Sequence[Program], maps: Sequence[AttentionMap], weights: str) -> None:
        """Remember the model as it is, before its numbers were narrowed."""
        self._exact, self._maps, self.weights = programs, maps, weights
        self.sizes = Sizes.of_programs(programs)

    @property
    def exact_programs(self) -> Sequence[Program]:
        """The Programs with the numbers that torch has."""
        return self._exact

    @property
    def is_large(self) -> bool:
        """Whether the model is too large to be kept in a notebook."""
        return not self._spec["programs"]

    @property
    def spec(self) -> dict[str, Any]:
        """The figure's JSON; that of a large model is written when it is asked for."""
        if not self.is_large:
            return self._spec
        programs, pool = pooled(self._compiled.programs)
        return {**self._spec, "programs": programs, "pool": pool}

    def seen(self, place: int, outputs: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Return the maps without what their texts are filled up with."""
        inputs, map_ = self.inputs_now(), self._maps[place % len(self._maps)]

        def count(text: str | None) -> int | None:
            length = inputs.get(f"{text}_length")
            return None if length is None else int(length)

        rows, cols = count(map_.query_text), count(map_.key_text)
        return {name: tensor[..., :rows, :cols] for name, tensor in outputs.items() if tensor.ndim > 1}

    def open(self, name: str | None = None, index: int | Sequence[int] = ()) -> Any:
        """Say how a number came to be, as `LiveFigure.open` does."""
        if name is None and self.is_large:  # ipywidgets would send the whole model to the notebook's page
            return None
        return super().open(name, index)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        if not self.is_large:
            return super()._repr_mimebundle_(**kwargs)
        spec = self._spec
        svg = picture(spec["views"], spec["rows"], spec["controls"], self._start) or ""
        said = f'The model has {self.sizes}. figure.save("page.html") makes a live page, with {self.weights}.'
        return {"text/plain": f"{self._text}\n{said}", "text/html": f"{svg}<p>{escape(said)}</p>"}, {}
