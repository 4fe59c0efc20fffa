"""Each recipe of CONTRIBUTING.md is followed in a copy of the repository, and does what it promises."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import recipe
from built_site import ROOT
from sampling import weekly

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = recipe.recipes(PAGE)
NAMES = [name for name, steps in RECIPES.items() if steps]
LINKED = (".venv", ".venv-book", "node_modules")


def test_a_recipe_has_at_most_seven_steps():
    assert {"Mend a bug", "Add an operator", "Add a view", "Add a control", "Add an exercise"} <= set(NAMES)
    assert {name: count for name in NAMES if not 1 < (count := recipe.numbered(PAGE, name)) <= 7} == {}


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """Copy what git knows, write what all recipes write, and build once."""
    folder = tmp_path_factory.mktemp("recipes") / "copy"
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for name in LINKED:
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    for name in NAMES:
        for step in RECIPES[name]:
            if step.what == "where":  # the bug of the example
                recipe.write(recipe.Step("where", step.place, step.path, step.text), folder)
            elif step.what in ("new", "into"):
                recipe.write(step, folder)
    subprocess.run([sys.executable, "tools/site/build_scripts.py"], cwd=folder, check=True)
    return folder


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    env = {**os.environ, "PYTHONPATH": str(folder), "PATH": path}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


@weekly
@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_that_is_followed_works(name, copy):
    bug = any(step.what == "where" for step in RECIPES[name])
    for step in RECIPES[name]:
        if step.what == "where":
            recipe.write(step, copy)
            bug = False
        elif step.what in ("run", "python") and not step.text.startswith("make lesson"):
            command = [sys.executable, "-c", step.text] if step.what == "python" else step.text.split()
            done = run(command, copy)
            failed = "1 failed" in done.stdout if bug else done.returncode != 0
            assert failed == bug, f"{step.text}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    if name == "Mend a bug":
        checked = [step.text for step in RECIPES[name] if step.what == "run"]
        assert run(checked[0].split(), copy).returncode == 0


@weekly
def test_the_lesson_to_begin_with_keeps_the_rules(copy):
    (text,) = [step.text for step in RECIPES["Write a lesson"] if step.text.startswith("make lesson")]
    name = text.partition("NAME=")[2]
    made = run([sys.executable, "tools/notebooks/new_lesson.py", name], copy)
    assert made.returncode == 0, made.stderr[-2000:]
    rules = ("lessons", "answers_are_computed", "normal_form", "colour_words", "plain_links")
    files = [f"tests/notebooks/test_{rule}.py" for rule in rules]
    files += ["tests/lessons/exercises/test_in_notebooks.py", "tests/book/test_figures_explained.py"]
    files += ["tests/book/test_names_of_lessons.py", "tests/book/test_chapter_map.py"]
    chosen = f"{name} or {name.partition('_')[2].replace('_', '-')} or needs_only"
    done = run([sys.executable, "-m", "pytest", "-q", "-n", "0", "-k", chosen, *files], copy)
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(done.stdout.rpartition(" passed")[0].split()[-1]) >= 12


def test_every_rule_of_a_lesson_names_a_test_that_is_there():
    listed = PAGE.partition("### The rules of a lesson")[2]
    named = set(re.findall(r"`(test_\w+\.py)`", listed))
    assert len(named) >= 9
    assert named - {path.name for path in (ROOT / "tests").rglob("test_*.py")} == set()
