"""Ways to change one stored output a little, each of which the comparison of notebooks must refuse."""

import base64
import copy
import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

_NUMBER = re.compile(r"(?<![\w.:-])\d+\.\d+(?![\w.:])")
_WHOLE = re.compile(r"(?<![\w.:,/+-])\d+(?![\w.:,])")
_WORD = re.compile(r"[a-z]{3,}")
_JSON = re.compile(r'(?<=<script type="application/json">).*?(?=</script>)', re.DOTALL)
_PICTURE = re.compile(r'(?<=src="data:image/svg\+xml,)[^"]*')
_PLACE = re.compile(r'(?<=[ %])(x|cy|y|width|height)="(\d[\d.]*)"')


def changed(outputs: list[Any], kind: str) -> Iterator[list[Any]]:
    """Give copies of a cell's outputs, each with one change of a kind."""
    for place, output in enumerate(outputs):
        for key, text in _texts(output):
            for new in CHANGES[kind](key, text):
                assert new != text
                other = copy.deepcopy(outputs)
                if output.output_type == "stream":
                    other[place]["text"] = new
                else:
                    other[place]["data"][key] = new
                yield other


def _texts(output: Any) -> list[tuple[str, str]]:
    if output.output_type == "stream":
        return [("text/plain", output.text)]
    return [(key, text) for key, text in output.get("data", {}).items() if not key.startswith("image/png")]


def two_units(text: str) -> Iterator[str]:
    """Change one number by two units of its last place."""
    if found := _middle(_NUMBER, text):
        places = len(found[0].partition(".")[2])
        yield _replaced(text, found, f"{float(found[0]) + 2 * 10.0**-places:.{places}f}")


def _number(key: str, text: str) -> Iterator[str]:
    if key == "text/plain":
        yield from two_units(text)


def _word(key: str, text: str) -> Iterator[str]:
    if key in ("text/plain", "text/markdown") and (found := _middle(_WORD, text)):
        letter = "b" if found[0][1] == "a" else "a"
        yield _replaced(text, found, found[0][0] + letter + found[0][2:])


def _whole_number(key: str, text: str) -> Iterator[str]:
    if key == "text/plain" and (found := _middle(_WHOLE, text)):
        yield _replaced(text, found, str(int(found[0]) + 1))


def _operator(key: str, text: str) -> Iterator[str]:
    for spec in _figures(key, text):
        nodes = spec["programs"][-1]["nodes"]
        if nodes:
            nodes[len(nodes) // 2]["op"] = "aten.erf.default"
            yield _with_json(text, spec)


def _constant(key: str, text: str) -> Iterator[str]:
    """Change the largest number of each stored tensor by a thousandth of its size, float16 by two units."""
    for spec in _figures(key, text):
        for constant in (each for each in spec["pool"] if isinstance(each, dict)):  # the others are lines
            dtype = {"float32": "<f4", "float16": "<f2"}.get(constant.get("stored", constant["dtype"]))
            if dtype is None or not constant["data"]:
                continue
            before = constant["data"]
            numbers = np.frombuffer(base64.b64decode(before), dtype).copy()
            largest = int(np.argmax(np.where(np.isfinite(numbers), np.abs(numbers), 0)))
            if not numbers[largest] or not np.isfinite(numbers[largest]):
                continue
            numbers[largest] *= 1 - (0.001 if dtype == "<f4" else 2**-9)
            constant["data"] = base64.b64encode(numbers.tobytes()).decode()
            yield _with_json(text, spec)
            constant["data"] = before


def _picture(key: str, text: str) -> Iterator[str]:
    if key == "image/svg+xml" and (found := _middle(_PLACE, text)):
        yield _replaced(text, found, f'{found[1]}="{float(found[2]) + 1:g}"')
    if key == "text/html" and (link := _PICTURE.search(text)):
        svg = unquote(link[0])
        if found := _middle(_PLACE, svg):
            yield _replaced(text, link, quote(_replaced(svg, found, f'{found[1]}="{float(found[2]) + 1:g}"')))


CHANGES: dict[str, Callable[[str, str], Iterator[str]]] = {
    "number": _number,
    "word": _word,
    "whole number": _whole_number,
    "operator": _operator,
    "constant": _constant,
    "picture": _picture,
}


def _figures(key: str, text: str) -> Iterator[dict[str, Any]]:
    if key == "text/html" and (found := _JSON.search(text)):
        spec = json.loads(found[0])
        if "programs" in spec:
            yield spec


def _with_json(text: str, spec: dict[str, Any]) -> str:
    return _replaced(text, _JSON.search(text), json.dumps(spec, ensure_ascii=False).replace("<", "\\u003c"))


def _middle(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return found[len(found) // 2] if found else None


def _replaced(text: str, found: re.Match[str], new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]
