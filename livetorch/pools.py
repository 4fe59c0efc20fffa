"""A live figure's large constants in files of their own, and back again.

A cell's output holds all of a figure, so that it is whole wherever the notebook is opened. Where that would
be heavy, a large pool of constants stands in classic scripts beside it, named by what they hold: on a site,
so that a page loads them when their reader comes near the figure; beside a notebook, so that its file stays
small. The figure names them (``data-pool``). Scripts and not JSON, because a page opened from disk may load
scripts only; several, so that the page can show how much has come.

On a site the Programs go with the constants where the figure's first numbers can stand in the page: it lives,
and plays, before a reader has touched it, and loads the rest for whoever does.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from livetorch.node import ask

LARGE = 60_000  # characters of JSON above which a pool leaves the page
PART = 200_000  # characters of JSON to a file, if no single constant is longer
FIRST = 30_000  # characters of JSON that the first numbers of a figure may take in the page
UNASKED = 300_000  # compressed bytes that a page may load before its reader asks for them
FIGURE = re.compile(
    r'(?P<open><figure class="livetorch"[^>]*)(?P<middle>>(?:(?!</figure>).)*?'
    r'<script type="application/json">)(?P<spec>.*?)(?P<close></script>)',
    flags=re.DOTALL,
)
POOL = re.compile(r' data-pool="(?P<urls>[^"]*)" data-size="[^"]*"(?: data-asked)?')
CALL = re.compile(r'LiveTorch\.provide\("(?P<name>[0-9a-f]+)",(?P<part>.*)\);\n', flags=re.DOTALL)


def compact(value: object) -> str:
    """Write JSON as the notebooks hold it: no "<", so that nothing in it can end a script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def in_parts(pool: list[Any], most: int = PART) -> list[list[Any]]:
    """Cut a pool into runs of constants, each as long as `most` characters allow."""
    parts: list[list[Any]] = []
    room = 0
    for constant in pool:
        length = len(compact(constant))
        if not parts or length > room:
            parts.append([])
            room = most
        parts[-1].append(constant)
        room -= length
    return parts


def first_numbers(spec: dict[str, Any]) -> dict[str, Any] | None:
    """Compute what a figure shows before a hand has moved anything; None if it is too much, or cannot be."""
    answer = ask({"begin": spec}) or {}
    found = answer.get("first")
    return found if found and len(compact(found)) <= FIRST else None


def take_out(
    html: str,
    large: int = LARGE,
    url: Callable[[str], str] = str,
    first: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda _: None,
    part: int = PART,
    lean: bool = False,
) -> tuple[str, dict[str, str]]:
    """Replace large pools in HTML with figures; gives the HTML and the files, name to text.

    The figure then names its files as ``data-pool="NAME.js NAME.js"``, each as `url` of its name says, tells
    how much is loaded, and whether only when it is asked for (``data-asked``). Where `first` gives its first
    numbers, they stand in the page, and the Programs in a file (``data-programs``); with `lean` all that a
    figure needs which comes only when it is asked for stands there: Programs, controls, first numbers. A file
    takes as many constants as `part` characters hold.
    """
    files: dict[str, str] = {}

    def put(content: object) -> tuple[str, int]:
        name, text = file_of(content)
        files[name] = text
        return url(name), len(gzip.compress(text.encode(), mtime=0))

    def shorten(match: re.Match[str]) -> str:
        spec = json.loads(match["spec"])
        pool = compact(spec.get("pool") or [])
        if len(pool) <= large:
            return match[0]
        parts = [put(each) for each in in_parts(spec["pool"], part)]
        size, programs = sum(weight for _, weight in parts), ""
        told = " data-asked" in match["open"]  # a page of several heavy figures says so itself
        asked = " data-asked" if size > UNASKED and not told else ""
        comes = bool(asked or told)
        begins = None if comes and not lean else first(spec)
        spec["pool"] = []
        begun = {"first": begins} if begins else {}
        beside: dict[str, Any] = {}  # what the page need not hold
        if comes and lean and spec.get("programs"):
            beside = {name: spec[name] for name in ("programs", "controls") if name in spec} | begun
            spec |= {name: [] for name in beside if name not in begun}
        elif begins:
            beside = {"programs": spec["programs"]}
            spec |= {"programs": []} | begun
        if beside:
            place, weight = put(beside)
            size, programs = size + weight, f' data-programs="{place}"'
        words = f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"
        places = " ".join(place for place, _ in parts)
        data = f' data-pool="{places}" data-size="{words}"{asked}{programs}'
        return match["open"] + data + match["middle"] + compact(spec) + match["close"]

    return FIGURE.sub(shorten, html), files


def put_back(html: str, folder: Path) -> str:
    """Undo `take_out`: give the HTML with each pool in its figure again.

    Args:
        html: with figures that name their files relative to `folder`.
        folder: of the notebook, say.
    """

    def whole(match: re.Match[str]) -> str:
        named = POOL.search(match["open"])
        if named is None:
            return match[0]
        pool = [constant for url in named["urls"].split() for constant in read_file(folder / url)]
        spec = compact({**json.loads(match["spec"]), "pool": pool})
        return POOL.sub("", match["open"]) + match["middle"] + spec + match["close"]

    return FIGURE.sub(whole, html) if " data-pool=" in html else html


def file_of(value: object) -> tuple[str, str]:
    """Write the file that provides a value, constants say: (its name, its text)."""
    content = compact(value)
    name = _digest(content)
    return f"{name}.js", f'LiveTorch.provide("{name}",{content});\n'


def read_file(file: Any) -> list[Any]:
    """Read the constants of a file, a path or what importlib.resources gives; raise if it holds others."""
    if not file.is_file():
        raise FileNotFoundError(
            f"{file} is missing: it holds constants of a live figure. Run the notebook beside it again."
        )
    call = CALL.fullmatch(file.read_text(encoding="utf-8"))
    if call is None or not file.name.removesuffix(".js") == call["name"] == _digest(call["part"]):
        raise ValueError(f"{file} does not hold the constants that its name stands for.")
    return json.loads(call["part"])


def _digest(part: str) -> str:
    return hashlib.sha256(part.encode()).hexdigest()[:16]
