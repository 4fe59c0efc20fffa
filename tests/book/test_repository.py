"""The files around the book: pins that agree, licences, one place for the repository's address."""

import os
import re
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import again
import facts
import pytest
import sources
import yaml
from built_site import ROOT

REQUIREMENTS = ["requirements.txt", *(f"requirements/{name}.txt" for name in ("book", "test", "rare"))]
LARGEST = 1_900_000  # bytes of a tracked file
PIN = re.compile(r"^([\w.\[\]-]+)==([\w.+!]+)")


def _pins(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    found = [PIN.match(line) for line in lines]
    return {pin[1].lower().replace("_", "-"): pin[2] for pin in found if pin}


def _requirements(name: str) -> list[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith(("#", "-c", "-r"))]


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_every_requirement_is_pinned_to_the_version_of_the_constraints(name):
    constraints = _pins("requirements/constraints.txt")
    assert [line for line in _requirements(name) if not PIN.match(line)] == []
    wrong = {
        package: version for package, version in _pins(name).items() if constraints.get(package) != version
    }
    assert wrong == {}


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_every_requirement_says_what_it_is_for(name):
    assert [line for line in _requirements(name) if "  # " not in line] == []


def test_binder_gets_the_same_versions():
    settings = yaml.safe_load((ROOT / "binder/environment.yml").read_text(encoding="utf-8"))
    run = _pins("requirements.txt")
    (by_pip,) = [entry["pip"] for entry in settings["dependencies"] if isinstance(entry, dict)]
    assert {line.split("==")[0]: line.split("==")[1] for line in by_pip}.items() <= run.items()
    conda = [entry for entry in settings["dependencies"] if isinstance(entry, str)]
    assert f"pytorch-cpu={run['torch'].rpartition('.')[0]}" in conda
    package = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    given = {re.split(r"[=-]", entry)[0].replace("pytorch", "torch") for entry in [*by_pip, *conda]}
    beside = set(re.findall(r"--editable (\w+)", (ROOT / "binder/postBuild").read_text(encoding="utf-8")))
    assert {re.split(r"[>=]", entry)[0] for entry in package} <= given | beside  # it installs --no-deps
    assert os.access(ROOT / "binder/postBuild", os.X_OK)


def test_ci_runs_the_test_command_of_the_readme():
    assert "make test" in (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert "make test" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert os.access(ROOT / ".ci/run", os.X_OK)


@pytest.mark.parametrize(
    ("code", "failed", "may"),
    [
        (1, ["tests/browser/test_pages.py::test_a"], True),
        (2, ["tests/browser/test_pages.py::test_a"], False),  # stopped: others were not run
        (1, [], False),
        (1, ["tests/browser/test_pages.py"], False),  # could not even be read
        (1, ["tests/browser/test_pages.py::test_a", "tests/helpers/test_package.py::test_b"], False),
        (1, [f"tests/browser/test_pages.py::test_{n}" for n in range(again.MOST + 1)], False),
    ],
)
def test_only_few_browser_tests_get_a_second_try(code, failed, may):
    assert again.second_try(code, failed) is may


def test_the_page_of_measurements_has_room_for_the_facts_and_make_test_holds_it_against_them():
    page = facts.PAGE.read_text(encoding="utf-8")
    for marks in (facts.FACTS, facts.TABLES):
        assert all(page.count(mark) == 1 for mark in marks)
    assert "tools/facts/facts.py --check" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_page_of_measurements_names_only_pages_and_figures_that_are_there(monkeypatch):
    page = facts.PAGE.read_text(encoding="utf-8")
    assert facts.quoted(facts.TABLES) == facts.tables(), "make facts"
    assert [fact.line for fact in facts.measured() if fact.line not in page] == [], "make facts"
    there = {"page": "book/intro"}
    gone = [{"page": "notebooks/gone"}, {**there, "figure": "gone"}, there]
    monkeypatch.setattr(sources, "stored", lambda name: {"pages": gone})
    assert sources.record("lighthouse")["pages"] == [there]
    monkeypatch.setattr(sources, "stored", lambda name: {"pages": gone[:2]})
    assert sources.record("lighthouse") is None


def test_a_fact_that_is_no_longer_true_is_found(monkeypatch):
    monkeypatch.setattr(facts, "quoted", lambda marks: "| chapters | 12 | x |\n| weight | 103 kB | x |\n")
    true = [facts.Fact("chapters", "13", "x"), facts.Fact("weight", "103 kB", "x")]
    (wrong,) = facts.disagreements(true)
    assert "| chapters | 12 | x |" in wrong
    assert "| chapters | 13 | x |" in wrong
    assert len(facts.disagreements([facts.Fact("weight", "120 kB", "x")])) == 2


def test_citation_is_valid_yaml_with_what_a_citation_needs():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "title", "message", "authors", "version"} <= set(citation)


def test_no_folder_named_static_at_the_root():
    # Jupyter Book would load every script of every static folder on every page.
    assert not (ROOT / "_static").exists()


def _tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for name in filter(None, listed.stdout.split("\0")) if (path := ROOT / name).is_file()]


def test_no_tracked_file_is_large():
    large = {path.name: size for path in _tracked() if (size := path.stat().st_size) > LARGEST}
    assert large == {}


def test_no_two_test_files_share_a_name():
    names = Counter(path.name for path in _tracked() if re.match(r"test_.*\.py$|.*\.test\.mjs$", path.name))
    assert [name for name, count in names.items() if count > 1] == []


def test_tracked_files_name_no_path_of_one_machine():
    pattern = re.compile(r"(?<![\w.:<>-])/(?:" + "work|root" + r")/\w")
    found = set()
    for path in _tracked():
        if path.suffix not in (".woff2", ".npz", ".ttf", ".otf", ".png", ".pt"):
            text = path.read_text(encoding="utf-8", errors="replace")
            found |= {str(path)} if pattern.search(text) else set()
    assert found == set()
