"""Exercise of lesson 12b: what the class token looks at, as maps over the image."""

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers, softmax_rows

CHAPTER = "12b_looked_at_or_needed"

maps = Exercise(
    "class-token-maps",
    CHAPTER,
    """Write f(weights, columns): weights (layers, heads, 1 + patches, 1 + patches) of one image, token 0 the
    class token; columns is the number of patches in a row of the image. Return what the class token looks at
    as maps (layers, heads, rows, columns): without its weight on itself, and the weights as they are.""",
    (
        "Weights are (..., queries, keys): which index says who looks, and which what is looked at?",
        "Take query 0, and all keys but key 0: weights[:, :, 0, 1:] is (layers, heads, patches).",
        "Patches are numbered row by row, so the last axis only has to be cut into rows and columns.",
    ),
    "maps (layers, heads, rows, columns)",
)


@maps.solution
def class_maps(weights: Tensor, columns: int) -> Tensor:
    """Take the class token's row without its own column, and lay it out as the image is."""
    seen = weights[:, :, 0, 1:]  # (layers, heads, patches)
    return seen.unflatten(-1, (-1, columns))  # (layers, heads, rows, columns)


def _by_loops(weights: Tensor, columns: int) -> Tensor:
    layers, heads, tokens, _ = weights.shape
    found = torch.zeros(layers, heads, (tokens - 1) // columns, columns)
    for patch in range(tokens - 1):
        found[:, :, patch // columns, patch % columns] = weights[:, :, 0, 1 + patch]
    return found


@maps.check
def _the_class_tokens_row(answer: Answer) -> None:
    """The maps show the class token's row, patch by patch."""
    weights = softmax_rows(2 * numbers(2, 5, 7, 7))  # 2 rows of 3 patches, and the class token
    wanted = _by_loops(weights, 3)
    answer.gives(weights, 3, wanted=wanted)


@maps.check
def _other_grids(answer: Answer) -> None:
    """grids of other sizes, one row of patches too."""
    for tokens, columns in ((17, 4), (5, 4)):  # four patches in a row are no square
        weights = softmax_rows(numbers(1, 3, tokens, tokens, seed=columns))
        wanted = _by_loops(weights, columns)
        answer.gives(weights, columns, wanted=wanted)


@maps.mistake("the maps show who looks at the class token")
def _column(weights, columns):
    """That is column 0. What the class token itself looks at stands in its row: query 0."""
    return weights[..., 1:, 0].unflatten(-1, (-1, columns))


@maps.mistake("the maps show what the first patch looks at")
def _first_patch(weights, columns):
    """Token 0 is the class token; the patches begin at token 1."""
    layers, heads, tokens, _ = weights.shape
    return weights[:, :, 1, 1:].reshape(layers, heads, (tokens - 1) // columns, columns)


@maps.mistake("the maps begin with the weight of the class token on itself")
def _shifted(weights, columns):
    """Key 0 is the class token. Which key is the patch in the upper left corner?"""
    rows = (weights.shape[-1] - 1) // columns
    return weights[:, :, 0, : rows * columns].unflatten(-1, (rows, columns))


@maps.mistake("the patches are laid out column by column")
def _column_first(weights, columns):
    """Patch 1 stands to the right of patch 0, not below it."""
    seen = weights[:, :, 0, 1:]
    return torch.stack(seen.split(seen.shape[-1] // columns, dim=-1), dim=-1)


@maps.mistake("rows and columns of the map are swapped")
def _transposed(weights, columns):
    """The image has 2 rows of 3 patches: the last axis is `columns` long."""
    return weights[:, :, 0, 1:].unflatten(-1, (-1, columns)).transpose(-1, -2)


@maps.mistake("columns is taken for the number of rows")
def _rows_for_columns(weights, columns):
    """Cut the last axis into (rows, columns), and let rows be what is left."""
    return weights[:, :, 0, 1:].unflatten(-1, (columns, -1))


@maps.mistake("the weights are divided by their sum")
def _renormalised(weights, columns):
    """A map whose weights add up to 1 hides how much the class token kept for itself. Leave them as they
    are."""
    seen = weights[:, :, 0, 1:] / (1 - weights[:, :, 0, :1])
    return seen.unflatten(-1, (-1, columns))


@maps.mistake("the maps are averages of what the patches look at")
def _maps_averages_what_patches_look(w, columns):
    """Only query 0, the class token, is asked."""
    return w[:, :, 1:, 1:].mean(2).unflatten(-1, (-1, columns))


@maps.mistake("the maps are averages over all queries")
def _maps_averages_over_all_queries(w, columns):
    """Only query 0, the class token, is asked."""
    return w[:, :, :, 1:].mean(2).unflatten(-1, (-1, columns))


@maps.mistake("the last token is taken for the class token")
def _last_token(weights, columns):
    """It is token 0: the patches begin at token 1."""
    return weights[:, :, -1, :-1].unflatten(-1, (-1, columns))


@maps.mistake("each map is divided by its largest weight")
def _brightest(weights, columns):
    """A picture may do that; here the weights stay as they are."""
    row = weights[:, :, 0, 1:]
    return (row / row.max(-1, keepdim=True).values).unflatten(-1, (-1, columns))
