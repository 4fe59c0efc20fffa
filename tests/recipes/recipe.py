"""CONTRIBUTING.md read as what it asks for: new files, lines that come into files, and commands."""

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"(?m)^( *)```(\w+)\n(.*?)^\1```$", re.DOTALL)
NEW = re.compile(r"New file `([^`]+)`:$")
INTO = re.compile(r"Into `([^`]+)`, (?:after `([^`]+)`|at the end):$")
WHERE = re.compile(r"In `([^`]+)`, where it reads `([^`]+)`, write:$")
COMMAND = re.compile(r"`((?:\.venv/bin/pytest|node|npm|make js|make lesson)[^`]*)`")


@dataclass(frozen=True)
class Step:
    """One thing to do: `what` is "new", "into", "where" (an old text gives way), "run" or "python"."""

    what: str
    text: str
    path: str = ""
    place: str = ""


def recipes(page: str) -> dict[str, list[Step]]:
    """List the steps of each recipe by its headline.

    >>> recipes("## Do\\n\\n1. New file `a.py`:\\n\\n   ```python\\n   x = 1\\n   ```\\n")
    {'Do': [Step(what='new', text='x = 1\\n', path='a.py', place='')]}
    """
    parts = re.split(r"(?m)^## (.+)$", page)
    return {name: _steps(text) for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def numbered(page: str, name: str) -> int:
    """Count the steps that a reader counts."""
    text = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    return len(re.findall(r"(?m)^\d\. ", text))


def _steps(text: str) -> list[Step]:
    found: list[Step] = []
    end = 0
    for block in BLOCK.finditer(text):
        before = text[end : block.start()]
        found += [Step("run", command) for command in COMMAND.findall(before)]
        found.append(
            _step(before.strip().splitlines()[-1].strip(), textwrap.dedent(block[3]), block[3], block[1])
        )
        end = block.end()
    return found + [Step("run", command) for command in COMMAND.findall(text[end:])]


def _step(said: str, code: str, raw: str, indent: str) -> Step:
    if found := NEW.search(said):
        return Step("new", code, found[1])
    own = "".join(line.removeprefix(indent) for line in raw.splitlines(keepends=True))  # with its own indent
    if found := INTO.search(said):
        return Step("into", own, found[1], found[2] or "")
    if found := WHERE.search(said):
        return Step("where", code.strip("\n"), found[1], found[2])
    return Step("python", code)


def write(step: Step, root: Path) -> None:
    """Do what a step says to a file."""
    path = root / step.path
    if step.what == "new":
        assert not path.exists(), f"{step.path} is there already"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(step.text, encoding="utf-8")
        return
    text = path.read_text(encoding="utf-8")
    if step.what == "into" and not step.place:
        path.write_text(f"{text.rstrip()}\n\n\n{step.text}", encoding="utf-8")
        return
    assert text.count(step.place) == 1, f"{step.path} has `{step.place}` {text.count(step.place)} times"
    if step.what == "where":
        text = text.replace(step.place, step.text)
    else:
        before, after = text.split(step.place)
        line, _, rest = after.partition("\n")
        text = f"{before}{step.place}{line}\n{step.text}{rest}"
    path.write_text(text, encoding="utf-8")
