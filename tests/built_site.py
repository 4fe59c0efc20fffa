"""Build the book once for all tests of a run, from the outputs stored in the notebooks."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import built_from
import pytest
import yaml
from filelock import FileLock

ROOT = Path(__file__).resolve().parent.parent
BUILT_FROM = ROOT / "_build" / "built_from"
LONGEST = 380  # seconds that a build may take


def build(output: Path, *options: str, source: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run jupyter-book as `make book` does, into another folder; pages are in ``output/_build/html``."""
    program = Path(sys.executable).parent / "jupyter-book"
    command = [program, "build", source, "--path-output", output, *options]
    return subprocess.run(
        command,
        cwd=source,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=LONGEST,
    )


def log_of(site: Path) -> str:
    """Give what was said while a site was built; `make book` keeps none of a build that failed."""
    own = site.parents[1] / "log.txt"
    if own.exists():
        return own.read_text("utf-8")
    return (ROOT / "_build" / "book.log").read_text("utf-8") + "\nexit code 0"


def pages() -> list[str]:
    """List the pages of the table of contents, without their suffix."""

    def files(entry) -> list[str]:
        if isinstance(entry, list):
            return [name for item in entry for name in files(item)]
        if not isinstance(entry, dict):
            return []
        own = [entry[key] for key in ("root", "file") if key in entry]
        return own + [name for key in ("parts", "chapters", "sections") for name in files(entry.get(key))]

    return files(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8")))


@pytest.fixture(scope="session")
def site(tmp_path_factory, worker_id) -> Path:
    """Give the folder of the built pages; with several workers, the first that comes builds.

    Warnings do not stop the other tests: one test of tests/book looks for them. What `make book` has built
    anew from the same sources is taken; `SITE=_build/html` takes it in any case, to try a test again.
    """
    if "SITE" in os.environ:
        return Path(os.environ["SITE"]).resolve()
    said = BUILT_FROM.read_text(encoding="utf-8").strip() if BUILT_FROM.exists() else ""
    if said and said == built_from.number():  # no number where there is no git
        return ROOT / "_build" / "html"
    base = tmp_path_factory.getbasetemp()
    base = base if worker_id == "master" else base.parent
    output = base / "book"
    log = output / "log.txt"
    # a worker that dies lets the lock go, and the next one builds again; one that hangs ends the other's wait
    with FileLock(f"{output}.lock", timeout=LONGEST):
        if not log.exists():
            shutil.rmtree(output, ignore_errors=True)
            result = build(output, "-n", "-W", "--keep-going")
            log.write_text(f"{result.stdout}\nexit code {result.returncode}", "utf-8")
    pages_folder = output / "_build" / "html"
    if not (pages_folder / "index.html").exists():
        pytest.fail("the book was not built:\n" + log.read_text("utf-8")[-4000:])
    return pages_folder
