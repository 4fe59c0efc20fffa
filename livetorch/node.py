"""Ask the page's own code in Node: one request a line, as JSON, and one answer a line."""

import atexit
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from livetorch.scripts import built

_artists: dict[int, subprocess.Popen[str]] = {}  # one for each process, which a fork has none of
_last: dict[int, Callable[[], Any]] = {}  # what reads the last answer of each


def ask(request: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give the answer to a request, with `error` where it could not be met; None where there is no Node."""
    answer = asked(request)
    return answer and answer()


def asked(request: Mapping[str, Any]) -> Callable[[], dict[str, Any]] | None:
    """Give what waits for the answer, on which Node works in the meantime; None where there is no Node."""
    artist = _artists.get(os.getpid()) or _start()
    if artist is None or artist.stdin is None or artist.stdout is None:
        return None
    read = artist.stdout.readline
    _last.get(os.getpid(), dict)()  # nobody may have waited for it
    artist.stdin.write(json.dumps(request) + "\n")
    artist.stdin.flush()

    @cache
    def answer() -> dict[str, Any]:
        if line := read():
            return json.loads(line)
        raise RuntimeError("Node ended while it answered for the figure.")

    _last[os.getpid()] = answer
    return answer


def _start() -> subprocess.Popen[str] | None:
    node = shutil.which("node")
    if node is None:
        return None
    command, pipe = [node, str(built("livetorch-still.mjs"))], subprocess.PIPE
    try:
        artist = subprocess.Popen(command, encoding="utf-8", stdin=pipe, stdout=pipe)
    except OSError:  # a browser's Python can start no programs
        return None
    _artists[os.getpid()] = artist
    atexit.register(artist.kill)
    return artist
