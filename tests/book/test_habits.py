"""What keeps the house in order names programs and files that exist."""

import re
import tomllib

import yaml
from built_site import ROOT


def test_every_hook_before_a_commit_calls_what_make_lint_calls():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0][
        "hooks"
    ]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("$(VENV)", ".venv")
    for hook in hooks:
        assert hook["entry"].partition(" --")[0] in makefile, hook["id"]


def test_the_folders_that_are_watched_for_newer_versions_exist():
    watched = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text(encoding="utf-8"))["updates"]
    folders = [folder for each in watched for folder in each.get("directories", [each.get("directory")])]
    assert folders
    assert [folder for folder in folders if not (ROOT / folder.lstrip("/")).is_dir()] == []


def test_the_units_of_make_quick_exist():
    (units,) = re.findall(r"^UNITS := ((?:.*\\\n)*.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    paths = units.replace("\\\n", " ").split()
    assert len(paths) > 3
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_types_are_strict_on_all_that_is_imported_from_outside():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert settings["strict"] is True
    assert "ignore_errors" not in str(settings)
    inside = (
        "livetorch/tracing/(?!recorders)",
        "pagepython/(facade|standins|recorder)",
        "attn_lessons/exercises/tasks/",
    )
    assert set(settings["exclude"]) <= set(inside)


def test_forms_for_issues_have_what_the_code_host_asks_for():
    forms = [path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config"]
    assert forms
    for form in forms:
        read = yaml.safe_load(form.read_text(encoding="utf-8"))
        assert {"name", "description", "body"} <= set(read)
        assert len({field["id"] for field in read["body"]}) == len(read["body"])
