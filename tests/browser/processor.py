"""What the browsers of this process have taken of the processor, where the system tells it (Linux)."""

import os
from collections import defaultdict
from pathlib import Path


def seconds() -> float | None:
    """Add up the processor's time of all programs that this process has started and that still run.

    What these have started and seen end is in it: a browser's pages end before their browser.
    """
    if not Path("/proc/self/stat").exists():
        return None
    took, children = {}, defaultdict(list)
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        number = int(path.parent.name)
        took[number] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        children[int(fields[1])].append(number)
    total, left = 0.0, list(children[os.getpid()])
    while left:
        number = left.pop()
        total += took[number]
        left += children[number]
    return total
