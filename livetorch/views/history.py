"""Curves that grow with the steps of a figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from livetorch.views.base import Limits, View
from livetorch.views.sources import Scene


@dataclass(frozen=True)
class History(View):
    """Curves of outputs over the steps taken so far, for a figure with `carry`.

    Args:
        outputs: names of outputs with one number each, of shape ().
        labels: names of the curves; by default the words for the outputs.
        xlabel, ylabel: names of the axes.
        ylim: ends of the y axis; by default from the numbers.
        log: a logarithmic y axis.
        title: a line above the curves.

    >>> History("loss").to_spec({"loss": torch.tensor(0.5)}, {})["series"]
    [{'output': 'loss', 'label': 'loss'}]
    """

    outputs: str | Sequence[str] = "output"
    labels: Sequence[str] | None = None
    xlabel: str = "step"
    ylabel: str = ""
    ylim: Limits = None
    log: bool = False
    title: str | None = None
    kind: ClassVar[str] = "history"
    replaced: ClassVar[tuple[str, ...]] = ("outputs", "labels")

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        names = [self.outputs] if isinstance(self.outputs, str) else list(self.outputs)
        labels = scene.names("labels", self.labels, len(names), "curves") or [
            scene.word(name) for name in names
        ]
        for name in names:
            source, tensor = scene.shaped("outputs", name, (), ("1",))
            if "output" not in source or tensor.numel() != 1:
                raise scene.error(f"{name} must be an output of shape (), got {tuple(tensor.shape)}.")
        if self.log and self.ylim is not None and self.ylim[0] <= 0:
            raise scene.error(f"ylim must be above 0 on a logarithmic axis, got {self.ylim}.")
        series = [{"output": name, "label": label} for name, label in zip(names, labels, strict=False)]
        return {"series": series, "ylim": scene.limits("ylim", self.ylim)}
