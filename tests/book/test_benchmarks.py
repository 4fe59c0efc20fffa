"""The stored results of the long measurements: nothing broken, and measured long enough."""

import datetime
import json
import os
import re
import subprocess
import sys

import proof
import pytest
import record
import sources

STORED = [name for name in proof.PARTS if sources.stored(name)]
RULED = [name for name in STORED if "broken" in sources.stored(name)]


def test_measurements_can_be_started_without_this_run_of_tests_and_say_what_they_do():
    """In a process of their own: pytest knows more folders than `make proof` does."""
    names = [name for name, part in proof.PARTS.items() if not part.command]
    looks = "import importlib, sys\nfor name in sys.argv[1:]:\n    module = importlib.import_module(name)\n"
    looks += "    assert callable(module.main) and f'benchmarks/{name}.py' in module.__doc__, name"
    env = {**os.environ, "PYTHONPATH": str(record.ROOT / "benchmarks")}
    subprocess.run([sys.executable, "-c", looks, *names], env=env, cwd=record.ROOT, check=True)


def result(name: str) -> dict:
    return json.loads((record.RESULTS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", STORED)
def test_a_result_says_at_which_commit_and_when_and_names_no_place_of_the_machine(name):
    found = result(name)
    assert re.fullmatch(r"[0-9a-f]{7,40}\+?", found["commit"])
    assert datetime.date.fromisoformat(found["date"]) >= datetime.date(2026, 11, 21)
    assert not re.search(r"/(home|root|tmp|work|Users)\b|localhost|127\.0\.0\.1|file:", json.dumps(found))


@pytest.mark.parametrize("name", RULED)
def test_no_rule_was_broken(name):
    found = result(name)
    assert found["rules"]
    assert found["broken"] == []


def test_no_result_is_kept_of_what_is_no_longer_measured_or_no_longer_in_the_book():
    for path in record.RESULTS.glob("*.json"):
        assert (record.ROOT / "benchmarks" / f"{path.stem}.py").is_file()
    assert [name for name in STORED if sources.record(name) is None] == []


def test_figures_were_hammered_for_a_minute():
    if "hammer" in STORED:
        rows = result("hammer")["figures"]
        assert min(row["seconds"] for row in rows) >= 60
        assert min(row["events"] for row in rows) > 1000
