"""Say by a number what the book is built from, so that `make test` need not build it a second time.

`python tools/site/built_from.py` prints it: of all files that git knows or would know, tests apart.
"""

import hashlib
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def number(root: Path = ROOT) -> str:
    """Give the number, or nothing where there is no git."""
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", ":!tests"]
    listed = subprocess.run(asked, cwd=root, capture_output=True, text=True, check=False)
    found = hashlib.sha256()
    for name in sorted(filter(None, listed.stdout.split("\0"))):
        file = root / name
        if file.is_file():
            found.update(f"{name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest() if listed.stdout else ""


if __name__ == "__main__":
    print(number())
