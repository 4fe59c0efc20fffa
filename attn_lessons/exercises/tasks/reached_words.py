"""Exercise of lesson 9b: which words can have arrived after some layers."""

from collections.abc import Iterator

import torch

from attn_lessons.exercises.checking import Answer, Exercise

reached = Exercise(
    "reached-words",
    "09b_another_answer_cheaper",
    """Write f(pattern, layers): pattern (queries, keys) is bool and square, True where a word may attend, and
    layers is a whole number from 0. Return a bool tensor (queries, keys), True where the query can have
    received something of the key after so many layers. A layer adds to its input, so a word always keeps
    what it had.""",
    (
        "What does each word know before the first layer?",
        "In one more layer a word gets all that the words in its row of the pattern know.",
        "With numbers: `(pattern.float() @ known.float()) > 0` is True where one of them knows it.",
    ),
    "table (queries, keys)",
)


@reached.solution
def after_layers(pattern, layers):
    """Let each word collect, layer by layer, what the words know that it reads."""
    known = torch.eye(len(pattern), dtype=torch.bool)  # itself
    for _ in range(layers):
        known = known | ((pattern.float() @ known.float()) > 0)
    return known


CHAIN = torch.tensor([[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], dtype=torch.bool)
OTHERS = torch.tensor([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=torch.bool)


@reached.check
def _a_chain(answer: Answer) -> None:
    """Each word reads itself and the one before: two layers reach two words back."""
    wanted = torch.tensor([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1]], dtype=torch.bool)
    answer.gives(CHAIN, 2, wanted=wanted)


@reached.check
def _without_itself(answer: Answer) -> None:
    """a pattern without its diagonal: a word keeps what it had."""
    answer.gives(OTHERS, 1, wanted=OTHERS | torch.eye(3, dtype=torch.bool))


@reached.check
def _no_layer(answer: Answer) -> None:
    """no layer: each word knows itself."""
    answer.gives(OTHERS, 0, wanted=torch.eye(3, dtype=torch.bool))


@reached.also
def _more() -> Iterator[tuple]:
    """other patterns."""
    for seed, words in ((0, 5), (1, 7)):
        drawn = torch.rand(words, words, generator=torch.Generator().manual_seed(seed)) < 0.3
        yield from ((drawn, layers) for layers in (1, 2, 3))


@reached.mistake("a word forgets what it had")
def _power(pattern, layers):
    """A layer adds to its input: what was known before is still known."""
    known = torch.eye(len(pattern))
    for _ in range(layers):
        known = ((pattern.float() @ known) > 0).float()
    return known > 0


@reached.mistake("the words that read it, not the words that it reads")
def _transposed(pattern, layers):
    """Rows are queries: who receives. Columns are keys: from whom."""
    return after_layers(pattern, layers).mT


@reached.mistake("one layer too many")
def _one_more(pattern, layers):
    """Start before the first layer, where each word knows itself only."""
    return after_layers(pattern, layers + 1)


@reached.mistake("without any layer there is one")
def _at_least_one(pattern, layers):
    """With layers = 0 nothing has moved: each word knows itself only. Start there."""
    return after_layers(pattern, max(1, layers))


@reached.mistake("a layer passes on what it has only just collected")
def _in_turn(pattern, layers):
    """Read what was known before the layer: a row that this layer has changed already is a row too far."""
    known = torch.eye(len(pattern), dtype=torch.bool)
    for _ in range(layers):
        for i, near in enumerate(pattern):
            known[i] |= known[near].any(dim=0)
    return known


@reached.mistake("the number of layers is ignored")
def _one_layer(pattern, layers):
    """Each layer passes on what the layer before it collected."""
    return pattern | torch.eye(len(pattern), dtype=torch.bool)


@reached.mistake("ways are counted")
def _counted(pattern, layers):
    """Say only whether something can have arrived."""
    return torch.linalg.matrix_power(pattern.float() + torch.eye(len(pattern)), layers)
