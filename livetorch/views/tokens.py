"""A row of tokens, coloured by their weights."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from livetorch.views.base import Labels, View
from livetorch.views.sources import Scene


@dataclass(frozen=True)
class Tokens(View):
    """A row of tokens, shaded by the weights of the query token that the reader chooses.

    Args:
        output: weights of shape (keys,), or (queries, keys): the chosen query's row is shown.
        tokens: the tokens of the keys: a list, the name of a text control, `TokenIds`, or `Typed`.
        query_tokens: the tokens of the queries where they differ from those of the keys: a second row.
        axis: name of the axis of the tokens.
        query_axis: name of the axis that chooses the row.
        query: which query is chosen at first, counted from 0; negative from the end.
        vmax: the weight that gets the full colour; None: 1; "auto": the largest of the row.
        title: a line above the tokens.

    >>> Tokens(tokens=["the", "cat"]).to_spec({"output": torch.eye(2)}, {})["tokens"]
    {'values': ['the', 'cat']}
    """

    output: str = "output"
    tokens: Labels = None
    query_tokens: Labels = None
    axis: str = "keys"
    query_axis: str = "queries"
    query: int = 0
    vmax: float | Literal["auto"] | None = None
    title: str | None = None
    kind: ClassVar[str] = "tokens"

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        source, tensor = scene.shaped("output", self.output, (self.axis,), (self.query_axis, self.axis))
        queries = tensor.shape[0] if tensor.ndim == 2 else 1
        if not -queries <= self.query < queries:
            raise scene.error(f"query must be in {-queries}..{queries - 1}, got query={self.query}.")
        if self.query_tokens is None and tensor.ndim == 2 and queries != tensor.shape[1]:
            got = f"{self.query_axis}={queries}, {self.axis}={tensor.shape[1]}"
            raise scene.error(
                f"query_tokens must be given when there are not as many queries as keys, got {got}."
            )
        return {
            "source": source,
            "tokens": scene.labels("tokens", self.tokens, tensor.shape[-1], self.axis),
            "query_tokens": scene.labels("query_tokens", self.query_tokens, queries, self.query_axis),
        }
