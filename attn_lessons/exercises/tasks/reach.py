"""Exercise of lesson 6c: which inputs a stack of equal layers sees."""

from collections.abc import Iterator

import torch

from attn_helpers import causal_mask, window_mask
from attn_lessons.exercises.checking import Answer, Exercise

reaching = Exercise(
    "reach",
    "06c_what_it_costs",
    """Write f(near, layers): near (queries, keys), True where an output of one layer sees an input. Return
    the same table, bool, for a stack of that many such layers.""",
    (
        "After two layers, output i sees input j if it sees some word in between that sees j.",
        'For numbers, "some word in between" is a matrix product: `near.float() @ near.float()` counts '
        "the ways.",
        "`torch.linalg.matrix_power` does it for any number of layers; then ask what is above 0.",
    ),
    "table (queries, keys)",
)


@reaching.solution
def seen_after(near, layers):
    """Count the ways from input to output through all layers; one is enough."""
    return torch.linalg.matrix_power(near.float(), layers) > 0


@reaching.check
def _two_steps_back(answer: Answer) -> None:
    """each word sees only the one before it, two layers."""
    before = torch.ones(4, 4).tril(-1).triu(-1).bool()
    answer.gives(before, 2, wanted=torch.ones(4, 4).tril(-2).triu(-2).bool())


@reaching.check
def _window(answer: Answer) -> None:
    """neighbours, three layers."""
    answer.gives(window_mask(7, reach=1), 3, wanted=window_mask(7, reach=3))


@reaching.also
def _more() -> Iterator[tuple]:
    """one layer, causal layers, a window that looks back, words that see nothing."""
    yield window_mask(5, reach=1), 1
    yield causal_mask(4), 3
    yield window_mask(8, reach=2, causal=True), 3
    yield torch.tensor([[False, True, False], [False, False, True], [False, False, False]]), 2
    yield torch.tensor([[True, True, False], [False, False, True], [True, False, False]]), 4


@reaching.mistake("that is one layer")
def _one(near, layers):
    """The second layer sees what the first has already mixed."""
    return near.clone()


@reaching.mistake("there is one layer too many")
def _one_more(near, layers):
    """The first layer counts as one."""
    return torch.linalg.matrix_power(near.float(), layers + 1) > 0


@reaching.mistake("there is one layer too few")
def _one_less(near, layers):
    """Begin with the table of one layer, and multiply layers - 1 times."""
    return torch.linalg.matrix_power(near.float(), layers - 1) > 0


@reaching.mistake("the ways are counted, not whether there is one")
def _counted(near, layers):
    """Ask which counts are above 0."""
    return torch.linalg.matrix_power(near.float(), layers)


@reaching.mistake("every layer squares what was there")
def _squared(near, layers):
    """Squaring doubles the layers each time. Multiply by the table of one layer."""
    table = near.float()
    for _ in range(layers - 1):
        table = (table @ table > 0).float()
    return table > 0


@reaching.mistake("inputs and outputs have changed places")
def _turned(near, layers):
    """Rows are outputs, columns are inputs."""
    return torch.linalg.matrix_power(near.float(), layers).T > 0


@reaching.mistake("what fewer layers see is counted as seen, too")
def _any_depth(near, layers):
    """A word is seen only by a way through all layers, and no layer keeps a word unless its table says so."""
    table, seen = near.float(), near.clone()
    for _ in range(layers - 1):
        table = (table @ near.float() > 0).float()
        seen = seen | (table > 0)
    return seen
