"""Exercise of lesson 8d: how much each head looks at the two people in a question."""

from collections.abc import Iterator

import torch

from attn_lessons.exercises.checking import Answer, Exercise, numbers

pairs = Exercise(
    "pair-weights",
    "08d_heads_learn",
    """Write f(weights, asked): weights (heads, questions, keys); asked (questions, 2), the keys of the two
    people in each question. Return (heads, 2): the mean weight of each head on the first and on the second
    person.""",
    (
        "Question q asks for the keys `asked[q, 0]` and `asked[q, 1]`: those are the weights that count.",
        "For one question, `weights[:, q, asked[q, 0]]` has what every head gives to the first person. "
        "A loop over the questions collects these.",
        "Without a loop it is `weights[:, torch.arange(len(asked)), asked[:, 0]]`. Then take the mean over "
        "the questions, and do the same for the second person.",
    ),
    "mean shares (heads, people)",
)


@pairs.solution
def on_the_pair(weights, asked):
    """Pick each question's two weights, then take the mean over the questions."""
    question = torch.arange(len(asked))[:, None]  # (questions, 1)
    return weights[:, question, asked].mean(dim=1)  # (heads, people)


ASKED = torch.tensor([[0, 1], [1, 2], [2, 0]])


@pairs.check
def _one_person_each(answer: Answer) -> None:
    """head 1 looks at the first person, head 2 at the second."""
    weights = torch.nn.functional.one_hot(ASKED.T, 3).float()  # (heads, questions, keys)
    answer.gives(weights, ASKED, wanted=torch.eye(2))


@pairs.check
def _by_hand(answer: Answer) -> None:
    """one head, two questions."""
    weights = torch.tensor([[[0.5, 0.25, 0.25], [0.125, 0.125, 0.75]]])
    answer.gives(weights, ASKED[:2], wanted=torch.tensor([[(0.5 + 0.125) / 2, (0.25 + 0.75) / 2]]))


@pairs.also
def _more() -> Iterator[tuple]:
    """other numbers of heads, questions and keys."""
    for heads, questions, keys in ((1, 4, 5), (3, 2, 4), (4, 6, 3)):
        weights = torch.softmax(numbers(heads, questions, keys, seed=keys), dim=-1)
        asked = torch.stack([torch.arange(questions) % keys, (torch.arange(questions) * 2 + 1) % keys], dim=1)
        yield weights, asked


@pairs.mistake("the two people have changed places")
def _swapped(weights, asked):
    """Column 0 is the person who is named first."""
    return on_the_pair(weights, asked.flip(1))


@pairs.mistake("the heads are averaged away")
def _mean_map(weights, asked):
    """One row for each head."""
    return on_the_pair(weights.mean(dim=0, keepdim=True).expand_as(weights), asked)


@pairs.mistake("the questions are not averaged")
def _each(weights, asked):
    """Take the mean over the questions."""
    return weights.gather(2, asked.expand(len(weights), *asked.shape))


@pairs.mistake("the weights are added up, not averaged")
def _summed(weights, asked):
    """The mean over the questions divides by their number."""
    return weights.gather(2, asked.expand(len(weights), *asked.shape)).sum(dim=1)


@pairs.mistake("every question is asked for the people of all questions")
def _crossed(weights, asked):
    """`weights[:, :, asked[:, 0]]` pairs each question with each person. Which index takes one for each?"""
    return weights[:, :, asked].mean(dim=(1, 2))


@pairs.mistake("the largest weight is taken, whoever has it")
def _largest(weights, asked):
    """Take the weight of the person asked for."""
    return weights.topk(2, dim=-1).values.mean(dim=1)


@pairs.mistake("keys 0 and 1 are taken for every question")
def _first_keys(weights, asked):
    """Each question has two people of its own."""
    return weights[:, :, :2].mean(dim=1)


@pairs.mistake("the axes of the answer have changed places")
def _turned(weights, asked):
    """Heads come first."""
    return on_the_pair(weights, asked).T


@pairs.mistake("both people count as one")
def _together(weights, asked):
    """Keep the two apart."""
    both = on_the_pair(weights, asked).mean(dim=1, keepdim=True)
    return both.expand(-1, 2)
