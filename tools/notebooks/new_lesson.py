"""Write a lesson to begin with, which keeps the book's rules: make lesson NAME=14a_my_idea

A notebook that was run, made of `lesson_draft.txt`, its exercise, and its lines in the table of contents, on
the map and in the teachers' solutions.
"""

import re
import sys
from pathlib import Path

import notebooks

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"\d\d[a-z]_[a-z]+(_[a-z]+)*")
TASK = '''"""Exercise of lesson {number}: SAY WHAT IT IS ABOUT."""

from collections.abc import Iterator

import torch

from attn_lessons.exercises.checking import Answer, Exercise

{word} = Exercise(
    "{slug}",
    "{name}",
    """Write f(scores): scores (keys,). Return the weights of the keys.""",
    ("What do the weights of a row sum to?",),
    "weights (keys,)",
)


@{word}.solution
def to_weights(scores):
    """Divide each exponential by their sum."""
    return torch.softmax(scores, dim=-1)


@{word}.check
def _three_keys(answer: Answer) -> None:
    """three keys."""
    answer.gives(torch.tensor([1.0, 3.0, 4.0]).log(), wanted=torch.tensor([0.125, 0.375, 0.5]))


@{word}.also
def _more() -> Iterator[tuple]:
    """other numbers of keys."""
    yield from ((torch.randn(keys),) for keys in (1, 2, 5))


@{word}.mistake("the exponentials are not divided by their sum")
def _not_divided(scores):
    """Weights sum to 1."""
    return scores.exp()


@{word}.mistake("the scores are divided by their sum, not their exponentials")
def _no_exponential(scores):
    """A score may be below 0, a weight may not."""
    return scores / scores.sum()


@{word}.mistake("the largest score takes everything")
def _largest(scores):
    """A softmax gives something to every key."""
    return (scores == scores.max()).float()
'''


def files(name: str) -> None:
    """Write all but the notebook's outputs."""
    slug = name.partition("_")[2].replace("_", "-")
    title = slug.replace("-", " ").capitalize()
    number = name.partition("_")[0].lstrip("0")
    task = ROOT / "attn_lessons/exercises/tasks" / f"{slug.replace('-', '_')}.py"
    if task.exists() or (ROOT / "notebooks" / f"{name}.ipynb").exists():
        raise SystemExit(f"There is a lesson or an exercise of that name: {name}.")
    words = {"number": number, "word": slug.replace("-", "_"), "slug": slug, "name": name}
    task.write_text(TASK.format(**words), encoding="utf-8")
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    last = re.findall(r"(?m)^ *- file: notebooks/\d.*\n", toc)[-1]
    entry = re.sub(r"notebooks/\S+", f"notebooks/{name}", last)
    (ROOT / "_toc.yml").write_text(toc.replace(last, last + entry), encoding="utf-8")
    guide = (ROOT / "book/how_to_read.md").read_text(encoding="utf-8")
    drawn = re.sub(
        r"(```\{chapter-map\}\n.*?)```", rf"\g<1>{name} | {title} | 01a\n```", guide, flags=re.DOTALL
    )
    (ROOT / "book/how_to_read.md").write_text(drawn, encoding="utf-8")
    solutions = (ROOT / "book/solutions.md").read_text(encoding="utf-8").rstrip()
    link = f"From [lesson {number}](../notebooks/{name}.ipynb)."
    answers = "1. The sum is divided by itself.\n2. $\\ln 9$.\n3. Never, as long as its score is finite.\n"
    (ROOT / "book/solutions.md").write_text(
        f"{solutions}\n\n## {title}\n\n{link}\n\n{answers}", encoding="utf-8"
    )


def main(name: str) -> int:
    """Write the lesson."""
    if not NAME.fullmatch(name):
        raise SystemExit(f"A lesson is called like 14a_my_idea: number, letter, words; not {name!r}.")
    files(name)
    slug = name.partition("_")[2].replace("_", "-")
    draft = Path(__file__).with_name("lesson_draft.txt").read_text(encoding="utf-8")
    path = ROOT / "notebooks" / f"{name}.ipynb"
    notebook = notebooks.from_script(draft.replace("SLUG", slug).replace("ANCHOR", slug))
    notebooks.write(path, notebooks.execute(notebook, path.parent))
    print(f"{path.relative_to(ROOT)} and its exercise keep the rules; book/glossary.md wants a term.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
