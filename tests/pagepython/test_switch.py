"""The switch "Edit and run": where it stands, and what the editor reads of a lesson."""

import json
from types import SimpleNamespace

import pytest
import yaml
from built_site import ROOT

from pagepython import sphinx as edit_and_run

BOOK = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"]["page_python"]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def page(folder, *, built: bool):
    """Give what Sphinx hands on of a lesson's page, and the scripts that were added to it."""
    if built:
        editor = folder / edit_and_run.EDITOR
        editor.parent.mkdir(parents=True)
        editor.write_text("export {}")
    env = SimpleNamespace(doc2path=lambda name: str(ROOT / f"{name}.ipynb"), found_docs=["notebooks/a"])
    scripts = []
    app = SimpleNamespace(
        outdir=folder, env=env, add_js_file=lambda name, **more: scripts.append((name, more))
    )
    return app, scripts


@pytest.mark.parametrize("built", [False, True])
def test_the_switch_stands_only_where_python_was_built(tmp_path, built):
    app, scripts = page(tmp_path, built=built)
    context = {"body": '<div id="in-3">'}
    edit_and_run.add_switch(app, "notebooks/a", "", context, object())
    assert [name for name, _ in scripts] == ["edit_switch.js"] * built
    assert ("edit_switch" in context) == built
    without = {"body": "<p>no code</p>"}
    edit_and_run.add_switch(app, "notebooks/a", "", without, object())
    assert len(scripts) == built
    assert "edit_switch" not in without


def test_lessons_are_written_again_when_the_editor_comes_or_goes(tmp_path):
    app, _ = page(tmp_path, built=True)
    asked = [edit_and_run.changed(app, app.env, set(), set(), set())]
    asked.append(edit_and_run.changed(app, app.env, set(), set(), set()))
    (tmp_path / edit_and_run.EDITOR).unlink()
    asked.append(edit_and_run.changed(app, app.env, set(), set(), set()))
    assert asked == [["notebooks/a"], [], ["notebooks/a"]]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_for_the_editor_is_its_notebook_without_outputs(path):
    notebook = json.loads(path.read_text("utf-8"))
    made = edit_and_run.lesson(notebook, exercise=BOOK["exercise"], solved=BOOK["solved"])
    assert [cell["source"] for cell in made["cells"]] == [
        "".join(cell["source"]) for cell in notebook["cells"]
    ]
    assert all(not cell.get("outputs") for cell in made["cells"])
    named = [about["exercise"] for about in made["page"]["cells"].values() if "exercise" in about]
    assert len(named) == len(set(named)), "what only shows a wrong answer is no exercise"
    assert named or path.stem == "claims_tested"
