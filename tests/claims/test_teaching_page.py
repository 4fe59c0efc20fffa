"""What "How to teach with this book" tells a teacher to write works as it stands."""

import functools
import re

import torch
from built_site import ROOT

from attn_lessons.exercises.checking import check
from livetorch import LiveFigure

PAGE = (ROOT / "book/how_to_teach.md").read_text(encoding="utf-8")


@functools.cache
def run_blocks() -> dict:
    """Run the page's Python blocks from top to bottom, as cells of one notebook."""
    names: dict = {"__name__": "__main__"}
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)):
        exec(compile(block, f"how_to_teach:{number}", "exec"), names)
    return names


def test_the_live_figure_can_be_made_and_set():
    names = run_blocks()
    figure = names["figure"]
    assert isinstance(figure, LiveFigure)
    assert figure.spec["name"] == "three-words"
    assert figure.value["temperature"] == 0.1
    assert figure.outputs["output"][0] > 0.99
    figure.value = {"temperature": 1.0, "causal": True}
    wanted = torch.softmax(torch.tensor([2.0, 1.0, -torch.inf]), dim=-1)
    assert torch.allclose(figure.outputs["output"], wanted)


def test_the_checker_accepts_its_solution_and_names_the_mistake(monkeypatch):
    exercise = run_blocks()["shares"]
    (mistake,) = exercise.mistakes
    monkeypatch.setattr(check, "find", lambda name: exercise)
    assert check.check("shares", exercise.solved).correct
    reply = check.check("shares", mistake.function)
    assert reply.mistake == "the heights do not sum to 1"
    assert dict(reply.parts)["Next:"] == "Divide them by their sum."


def test_the_address_is_asked_for_where_the_page_says():
    config = (ROOT / "_config.yml").read_text(encoding="utf-8")
    assert re.search(r'^repository:\n  url: "', config, re.MULTILINE)
    assert 'repository:\n  url: "https://github.com/you/your-book"' in PAGE
