"""The stored results of the long measurements: complete, nothing broken, all chapters and figures in them."""

from __future__ import annotations

import datetime
import json
import re
import subprocess
import sys

import facts
import nbformat
import proof
import pytest
import record
import sources
from built_site import ROOT, pages

CHAPTERS = {name for name in pages() if name.startswith("notebooks/")}
RULED = ("lighthouse", "firefox", "random_settings", "hammer", "slow_devices", "notebook_memory")
NAME = re.compile(r'<figure class="livetorch[^"]*"[^>]* data-name="([^"]+)"')


@pytest.mark.parametrize("name", proof.PARTS)
def test_a_measurement_starts_by_itself_and_says_what_it_does(name):
    command = [sys.executable, ROOT / "benchmarks" / f"{name}.py", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1000:]
    assert f"{name}.py" in done.stdout


def result(name: str) -> dict:
    return json.loads((record.RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def is_current(name: str) -> bool:
    """Whether a result was measured on this book; if not, the page that quotes it must say so."""
    if sources.is_older(name):
        lines = facts.quoted(facts.FACTS) + facts.quoted(facts.TABLES)
        assert sources.when(name) in lines
        assert sources.record(name)["date"] in lines
    return not sources.is_older(name)


def live_figures() -> set[tuple[str, str]]:
    found = set()
    for chapter in CHAPTERS:
        path = ROOT / f"{chapter}.ipynb"
        cells = nbformat.read(path, as_version=4).cells
        html = [o.get("data", {}).get("text/html", "") for c in cells for o in c.get("outputs", ())]
        found |= {(path.stem, name) for text in html for name in NAME.findall(text)}
    return found


@pytest.mark.parametrize("name", proof.PARTS)
def test_a_result_says_at_which_commit_and_when_and_names_no_place_of_the_machine(name):
    found = result(name)
    assert re.fullmatch(r"[0-9a-f]{7,40}\+?", found["commit"])
    assert datetime.date.fromisoformat(found["date"]) >= datetime.date(2026, 11, 21)
    assert not re.search(r"/(home|root|tmp|work|Users)\b|localhost|127\.0\.0\.1|file:", json.dumps(found))


def test_every_live_figure_was_timed():
    rows = result("live_latency")["figures"]
    assert not is_current("live_latency") or {(r["chapter"], r["figure"]) for r in rows} == live_figures()


@pytest.mark.parametrize("name", RULED)
def test_no_rule_was_broken(name):
    found = result(name)
    assert found["rules"]
    assert found["broken"] == []


@pytest.mark.parametrize(
    ("name", "rows", "field"),
    [
        ("lighthouse", "pages", "page"),
        ("slow_devices", "pages", "page"),
        ("notebook_memory", "notebooks", "notebook"),
    ],
)
def test_every_chapter_was_measured(name, rows, field):
    if is_current(name):
        assert {row[field] for row in result(name)[rows]} >= CHAPTERS


def test_firefox_opened_every_chapter_over_http_under_the_policy_and_from_disk():
    seen = {(row["page"], row["opened"]) for row in result("firefox")["visits"]}
    assert not is_current("firefox") or seen >= {
        (name, scheme) for name in CHAPTERS for scheme in ("http", "policy", "file")
    }


def test_every_live_figure_was_set_at_random_at_least_200_times():
    rows = result("random_settings")["figures"]
    assert not is_current("random_settings") or {(r["chapter"], r["figure"]) for r in rows} == live_figures()
    assert min(row["settings"] for row in rows) >= 200


def test_three_figures_were_hammered_for_a_minute():
    rows = result("hammer")["figures"]
    assert len(rows) >= 3
    assert min(row["seconds"] for row in rows) >= 60
    assert min(row["events"] for row in rows) > 1000


def test_the_lock_file_of_the_measurements_names_no_registry():
    lock = json.loads((ROOT / "benchmarks" / "package-lock.json").read_text(encoding="utf-8"))
    assert len(lock["packages"]) > 100
    assert not any("resolved" in package for package in lock["packages"].values())
