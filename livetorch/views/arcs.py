"""Two rows of tokens, or one, joined by ribbons as wide as the weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, ClassVar

from livetorch.views.base import Labels, View
from livetorch.views.sources import Scene

_GAPS = ({"query", "keys"}, {"key", "queries"})
_WITHOUT = {"keys", "queries"}
_DOUBT: tuple[set[str], set[str]] = ({"count", "all"}, set())


@dataclass(frozen=True)
class Arcs(View):
    """Tokens joined by ribbons as wide as the weights; those of the token that is pointed at stand out.

    A sentence below says them in words. Above 40 tokens a row, the weights are drawn as a heatmap.

    Args:
        output: weights of shape (queries, keys).
        tokens: the tokens of the keys: a list, the name of a text control, `TokenIds`, or `Typed`.
        query_tokens: the tokens of the queries where they differ from those of the keys.
        names: what the rows of queries and of keys are called; by default the axes' names.
        sentences: what is said of a query, with the gaps {query} and {keys}, and of a key, with {key} and
            {queries}.
        axis, query_axis: names by which keys and queries are read out and linked to other views.
        query: which query is chosen at first, counted from 0; negative from the end.
        mutes: the mask control of shape (1, keys) that a press on a key switches: False = not looked at.
        without: what is said then, with the gaps {keys}, the muted ones, and {queries}.
        doubts: an output of shape (queries,), whole numbers: a query of another number than 0 is drawn dashed
            and with a question mark.
        reasons: what is said where some queries are doubted: one sentence for each bit of `doubts`, which may
            have the gaps {count} and {all}.
        rows: 2, or 1 for arcs above one row (as many queries as keys).
        play: write the queries one by one when the view is first seen, until the reader touches it.
        title: a line above the tokens.

    >>> Arcs(tokens=["the", "cat"]).to_spec({"output": torch.eye(2)}, {})["names"]
    ['queries', 'keys']
    """

    output: str = "output"
    tokens: Labels = None
    query_tokens: Labels = None
    names: tuple[str, str] | None = None
    sentences: tuple[str, str] = ("{query} reads {keys}.", "{key} is read by {queries}.")
    axis: str = "keys"
    query_axis: str = "queries"
    query: int = 0
    mutes: str | None = None
    without: str = "Without {keys}: {queries}."
    doubts: str | None = None
    reasons: Sequence[str] = ()
    rows: int = 2
    play: bool = False
    title: str | None = None
    kind: ClassVar[str] = "arcs"
    replaced: ClassVar[tuple[str, ...]] = ("output", "mutes", "without", "doubts", "reasons")

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        source, tensor = scene.shaped("output", self.output, (self.query_axis, self.axis))
        queries, keys = tensor.shape
        if not -queries <= self.query < queries:
            raise scene.error(f"query must be in {-queries}..{queries - 1}, got query={self.query}.")
        if self.rows not in (1, 2):
            raise scene.error(f"rows must be 1 or 2, got rows={self.rows}.")
        if (self.rows == 1 or self.query_tokens is None) and queries != keys:
            need = "rows=1 needs as many queries as keys" if self.rows == 1 else "query_tokens must be given"
            raise scene.error(f"{need}, got {self.query_axis}={queries}, {self.axis}={keys}.")
        return {
            "source": source,
            "tokens": scene.labels("tokens", self.tokens, keys, self.axis),
            "query_tokens": scene.labels("query_tokens", self.query_tokens, queries, self.query_axis),
            "names": list(self.names or (self.query_axis, self.axis)),
            "sentences": [self._sentence(scene, *each) for each in zip(self.sentences, _GAPS, strict=True)],
            **self._muting(scene, keys),
            **self._doubting(scene),
        }

    def _muting(self, scene: Scene, keys: int) -> dict[str, Any]:
        if self.mutes is None:
            return {}
        scene.need_control("mutes", self.mutes, "mask")
        shape = tuple(scene.tensor({"control": self.mutes}).shape)
        if shape != (1, keys):
            raise scene.error(f"mutes must name a mask of shape (1, {keys}), got {shape}.")
        without = self._sentence(scene, self.without, _WITHOUT)
        return {"muting": {"name": self.mutes, "without": without}}

    def _doubting(self, scene: Scene) -> dict[str, Any]:
        if self.doubts is None:
            return {}
        if isinstance(self.reasons, str):
            raise scene.error(f"reasons must be a list of sentences, got {self.reasons!r}.")
        source, _ = scene.shaped("doubts", self.doubts, (self.query_axis,))
        reasons = [self._sentence(scene, one, *_DOUBT) for one in self.reasons]
        return {"doubting": {"source": source, "reasons": reasons}}

    def _sentence(self, scene: Scene, text: str, gaps: set[str], least: set[str] | None = None) -> str:
        found = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
        if not (gaps if least is None else least) <= found <= gaps:
            raise scene.error(f"a sentence must have the gaps {sorted(gaps)}, got {text!r}.")
        return text
