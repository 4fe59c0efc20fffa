"""Plant each fault of faults.py in a copy, run the test that must find it, and say which were found.

    python tests/planted/plant.py [--only WORDS]      after `make book`

Faults of pages lie on one page each, so that all are planted at once in one copy of the site; each day a sample
of pages is visited, with the same rules. Faults of sources come one after the other, in a copy of the tree whose
scripts are built without making them small, and must be found by tests of every day.
"""

import argparse
import base64
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from faults import IN_SOURCES, ON_PAGES, Fault

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
KINDS = {
    "desktop": "test_on_a_desktop",
    "phone": "test_on_a_phone",
    "javascript": "test_without_javascript",
    "live_figures": "test_live_figures_hold_torchs_numbers",
}
HEAVY = "<!-- " + base64.b64encode(random.Random(0).randbytes(300_000)).decode() + " -->"
SMALL = "export async function small("
SCRIPTS = ("livetorch/js/", "attn_lessons/exercises/questions/js/")  # are built into the site


def change(file: Path, old: str, new: str) -> None:
    """Replace the first place of some words; a fault that no longer fits its file is an error."""
    text = file.read_text(encoding="utf-8")
    if old not in text:
        raise SystemExit(f"{file} has no {old!r}: write the fault anew")
    file.unlink()  # it may be a link to the original
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def plant_on_page(site: Path, fault: Fault) -> None:
    """Put a fault below the title of a page, at the end of its head, or in place of some of its words."""
    file, new = site / f"{fault.where}.html", fault.new.replace("{heavy}", HEAVY)
    if fault.old == "head":
        change(file, "</head>", f"{new}</head>")
    elif fault.old:
        change(file, fault.old, new)
    else:
        text = file.read_text(encoding="utf-8")
        title = text.index("</h1>", text.index("<article")) + len("</h1>")
        file.unlink()
        file.write_text(text[:title] + new + text[title:], encoding="utf-8")


def run(command: list[str | Path], tree: Path, site: Path, seed: str = "0") -> str:
    """Run a test of every day, or with the seed "all" of each week; gives what it prints, or nothing if it passes."""
    environment = {
        **os.environ,
        "SITE": str(site),
        "SAMPLE_SEED": seed,
        "PYTHONPATH": str(tree),
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


def pytest(*tests: str, workers: int = 0) -> list[str | Path]:
    """Give the command of some tests."""
    return [sys.executable, "-m", "pytest", "-q", "-n", str(workers), "-p", "no:cacheprovider", *tests]


def on_pages(faults: list[Fault], folder: Path) -> dict[str, bool]:
    """Plant all faults of pages, visit these pages once, and look for each in what the visits tell."""
    site = folder / "site"
    shutil.copytree(SITE, site, copy_function=os.link)
    tests = []
    for fault in faults:
        plant_on_page(site, fault)
        ending = f"[{fault.where}-http]" if fault.test == "slow" else f"[{fault.where}]"
        tests.append(f"tests/browser/test_pages.py::{KINDS.get(fault.test, 'test_on_a_slow_line')}{ending}")
    told = run(pytest(*tests, workers=2), ROOT, site, "all").splitlines()
    return {
        fault.what: any(line.startswith(f"{fault.where}, ") and fault.says in line for line in told)
        for fault in faults
    }


def in_sources(faults: list[Fault], folder: Path) -> dict[str, bool]:
    """Plant one fault of a source after the other in a copy of the tree."""
    tree, site = folder / "tree", folder / "site of the tree"
    ignored = shutil.ignore_patterns(".git", "node_modules", "_build", ".venv*", "__pycache__")
    shutil.copytree(ROOT, tree, ignore=ignored, symlinks=True)
    for linked in (".venv", ".venv-book", "node_modules"):
        (tree / linked).symlink_to(ROOT / linked)
    shutil.copytree(SITE, site, copy_function=os.link)
    change(
        tree / "livetorch/js/build/build.mjs",
        SMALL,
        "export const small = async (text) => text;\nasync function _small(",
    )
    found, stale = {}, True
    for fault in faults:
        of_scripts = fault.where.startswith(SCRIPTS)
        if stale and not of_scripts:  # this fault must not find the one before it, nor be built away
            build(tree, site)
        file = site / fault.where[5:] if fault.where.startswith("site:") else tree / fault.where
        before = file.read_text(encoding="utf-8")
        change(file, fault.old or before, fault.new if fault.old else before + fault.new)
        if of_scripts:
            build(tree, site)
        stale = of_scripts
        if fault.test.endswith(".mjs"):
            command: list[str | Path] = ["node", "--test", fault.test]
        elif fault.test == "types":
            command = ["npx", "tsc", "-p", "livetorch/js/tsconfig.json"]
        elif fault.test == "imports":
            command = [Path(sys.executable).parent / "lint-imports", "--no-logo", "--no-cache"]
        else:
            command = pytest(fault.test)
        told = run(command, tree, site)
        found[fault.what] = bool(told) and fault.says in told
        file.unlink()
        file.write_text(before, encoding="utf-8")
        print(f"{'found' if found[fault.what] else 'NOT FOUND'}: {fault.what}", flush=True)
    return found


def build(tree: Path, site: Path) -> None:
    """Build the scripts of the tree and put them into the site."""
    for script in ("livetorch/js/build/build.mjs", "attn_lessons/exercises/questions/js/build.mjs"):
        subprocess.run(["node", script], cwd=tree, check=True, capture_output=True)
    for file in [
        *tree.glob("livetorch/built/pages/*"),
        *tree.glob("attn_lessons/exercises/questions/built/*"),
    ]:
        if (place := site / "_static" / file.name).exists():
            place.unlink()
            shutil.copy(file, place)


def main() -> int:
    """Plant, look, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="faults whose words hold these")
    parser.add_argument("--sources", action="store_true", help="only those of sources, one after the other")
    parser.add_argument(
        "--pages", action="store_true", help="only those of pages, which take a minute or two"
    )
    options = parser.parse_args()
    wanted = [[one for one in kind if options.only in one.what] for kind in (ON_PAGES, IN_SOURCES)]
    with tempfile.TemporaryDirectory() as folder:
        found = on_pages(wanted[0], Path(folder)) if wanted[0] and not options.sources else {}
        if not options.pages:
            found |= in_sources(wanted[1], Path(folder))
    print("| fault | found |\n| --- | --- |")
    for fault in [*wanted[0], *wanted[1]]:
        if fault.what in found:
            print(f"| {fault.what} | {'yes' if found[fault.what] else 'NO'} |")
    return 0 if all(found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
