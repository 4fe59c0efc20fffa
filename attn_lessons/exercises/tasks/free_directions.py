"""Exercise of lesson 13b: in how many directions can weights move while the output stays?"""

from collections.abc import Iterator

import torch

from attn_lessons.exercises.checking import Answer, Exercise, numbers

free = Exercise(
    "free-directions",
    "13b_does_a_map_explain",
    """Write f(values): values (keys, value_dim) of one head. All weights are above 0. Return an int64 tensor
    without axes: in how many independent directions can the weights move a little so that they still sum to
    1 and their average of the values stays the same?""",
    (
        "A direction d must have `d @ values` all 0. And what must its own sum be?",
        "Put a column of ones beside the values: `torch.cat([values, torch.ones(len(values), 1)], dim=1)`.",
        "Equations that repeat others cost nothing: `torch.linalg.matrix_rank` counts those that differ.",
    ),
    "directions ()",
)


@free.solution
def directions(values):
    """Subtract the number of different equations from the number of weights."""
    equations = torch.cat([values, torch.ones_like(values[:, :1])], dim=1)  # (keys, value_dim + 1)
    return len(values) - torch.linalg.matrix_rank(equations)


@free.check
def _three_keys(answer: Answer) -> None:
    """Three keys with the values 0, 1 and 2: one direction."""
    answer.gives(torch.tensor([[0.0], [1.0], [2.0]]), wanted=torch.tensor(1))


@free.check
def _few_keys(answer: Answer) -> None:
    """fewer keys than numbers in a value: none."""
    answer.gives(numbers(3, 5), wanted=torch.tensor(0))


@free.check
def _equal_values(answer: Answer) -> None:
    """four keys with one and the same value: all that keeps the sum."""
    answer.gives(torch.ones(4, 3), wanted=torch.tensor(3))


@free.also
def _more() -> Iterator[tuple]:
    """other sizes."""
    yield from ((numbers(keys, dim),) for keys, dim in ((7, 2), (6, 4), (5, 4)))


@free.mistake("the sum of the weights may change")
def _sum_forgotten(values):
    """Weights must still sum to 1: that is one more equation."""
    return len(values) - torch.linalg.matrix_rank(values)


@free.mistake("the sum counts as one more equation, even where it follows from the others")
def _one_less(values):
    """Put a column of ones beside the values, and let `matrix_rank` count all of it at once."""
    return len(values) - torch.linalg.matrix_rank(values) - 1


@free.mistake("equations that repeat others are counted")
def _counted(values):
    """Are all value_dim + 1 equations different? `matrix_rank` says how many are."""
    return torch.tensor(len(values) - values.shape[1] - 1)


@free.mistake("the equations are returned, not what they leave free")
def _rank(values):
    """Each different equation takes one direction away."""
    return torch.linalg.matrix_rank(torch.cat([values, torch.ones_like(values[:, :1])], dim=1))
