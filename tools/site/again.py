"""Run once more, alone, the browser tests that failed beside others; their names are said either way.

A page with two busy neighbours may answer in an order that a test did not think of. Such a test is to be
mended; until then it does not hide whether all else is right. Nothing else gets a second try, and not more
than a dozen: where tests share a page, the first that fails takes others along.
"""

import json
import subprocess
import sys
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
MOST = 12
ENDED = 1  # pytest's exit code where all tests were run and some failed; a run that was cut short has another


def second_try(code: int, failed: list[str]) -> bool:
    """Whether these tests may be asked again after a run that ended with this code."""
    of_browser = [name for name in failed if name.startswith("tests/browser/") and "::" in name]
    return code == ENDED and 0 < len(failed) <= MOST and of_browser == failed


def main() -> int:
    """Ask again, and say what came of it."""
    failed = sorted(json.loads(FAILED.read_text(encoding="utf-8"))) if FAILED.exists() else []
    if not second_try(int(sys.argv[1]), failed):
        return 1
    print("Once more, alone:", *failed, sep="\n  ", flush=True)
    ended = subprocess.run([sys.executable, "-m", "pytest", "-q", "--timeout=400", *failed]).returncode
    if ended == 0:
        print("FAILED BESIDE OTHERS, PASSED ALONE (please mend):", *failed, sep="\n  ")
    return ended


if __name__ == "__main__":
    sys.exit(main())
