"""The figure of a model's attention, which knows how large its model is."""

from __future__ import annotations

from collections.abc import Sequence

from livetorch.figure.widget import LiveFigure
from livetorch.program.program import Program
from livetorch.program.weights import Sizes

__all__ = ["InsideFigure"]


class InsideFigure(LiveFigure):
    """A live figure of a model; see `look_inside`."""

    def begin(self, programs: Sequence[Program], weights: str) -> None:
        """Remember the model as it is, before its numbers were narrowed."""
        self._exact, self.sizes, self.weights = programs, Sizes.of_programs(programs), weights

    @property
    def exact_programs(self) -> Sequence[Program]:
        """The Programs with the numbers that torch has."""
        return self._exact
