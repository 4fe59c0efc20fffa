"""What `make test` runs: all of a folder that a change touches, a third of the files of each other."""

from collections import Counter

import sampling
from built_site import ROOT

TESTS = ROOT / "tests"


def kept() -> Counter[str]:
    sampling._by_lot.cache_clear()
    files = [file for file in TESTS.rglob("test_*.py") if not sampling.left_out(file)]
    return Counter(file.relative_to(TESTS).parts[0] for file in files)


def test_touched_folders_run_whole_and_of_the_others_a_third_of_the_files(monkeypatch):
    monkeypatch.setenv("SAMPLE_SEED", "all")
    monkeypatch.setenv("TOUCHED", "")
    whole = kept()
    assert whole.total() == len([*TESTS.rglob("test_*.py")])
    monkeypatch.setenv("SAMPLE_SEED", "0")
    monkeypatch.setenv("TOUCHED", "tests/book tests/pagepython")
    some = kept()
    assert some.keys() == whole.keys()
    for folder in ("book", "pagepython"):
        assert some[folder] == whole[folder]
    for folder in whole.keys() - {"book", "pagepython", "browser"}:
        assert some[folder] == -(-whole[folder] // 3)
    # the visits stay besides, and lose two thirds of themselves
    assert -(-whole["browser"] // 3) <= some["browser"] <= -(-whole["browser"] // 3) + len(sampling.VISITS)
