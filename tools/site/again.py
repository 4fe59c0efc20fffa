"""Run once more, alone, the browser tests that failed beside others; their names are said either way.

A page with two busy neighbours may answer in an order that a test did not think of. Such a test is to be
mended; until then it does not hide whether all else is right. Nothing else, and no more than three, get a
second try.
"""

import json
import subprocess
import sys
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
MOST = 3


def second_try(failed: list[str]) -> bool:
    """Whether these tests, and no others, may be asked again."""
    return 0 < len(failed) <= MOST and all(
        name.startswith("tests/browser/") and "::" in name for name in failed
    )


def main() -> int:
    """Ask again, and say what came of it."""
    failed = sorted(json.loads(FAILED.read_text(encoding="utf-8"))) if FAILED.exists() else []
    if not second_try(failed):
        return 1
    print("Once more, alone:", *failed, sep="\n  ", flush=True)
    ended = subprocess.run([sys.executable, "-m", "pytest", "-q", "--timeout=400", *failed]).returncode
    if ended == 0:
        print("FAILED BESIDE OTHERS, PASSED ALONE (please mend):", *failed, sep="\n  ")
    return ended


if __name__ == "__main__":
    sys.exit(main())
