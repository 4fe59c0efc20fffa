"""One large number with its unit."""

from dataclasses import dataclass
from typing import Any, ClassVar

from livetorch.views.base import View, pattern
from livetorch.views.sources import Scene


@dataclass(frozen=True)
class Number(View):
    """One number, large, with its unit; it counts to a new value where a hand has chosen one.

    Args:
        output: the output (or control) that is shown, of shape ().
        unit: written behind the number, such as "°C".
        format: how it is written: "d", ".2f", ".3g", ".2e" or ".0%".
        title: a line above the number; by default the words for the output.

    >>> Number("loss", unit="bits").to_spec({"loss": torch.tensor(0.5)}, {})["title"]
    'loss'
    """

    output: str = "output"
    unit: str = ""
    format: str = ".2f"
    title: str | None = None
    kind: ClassVar[str] = "number"

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        pattern(scene, self.format)
        source, _ = scene.shaped("output", self.output, ())
        return {"source": source, "title": self.title or scene.word(self.output)}
