"""What torch says of the live figures that a page has driven."""

import json
import random
import re
from pathlib import Path
from typing import Any

import figure_json
import pytest
import torch
from live_chapters import figures, random_value, take_settings, tensor
from torch.testing import assert_close


def random_settings(path: Path, number: int) -> dict[str, list[list[tuple[str, Any]]]]:
    """Draw settings of all controls of each figure of a chapter."""
    draw = random.Random(0)
    return {name: drawn(figure.spec, number, draw) for name, figure in figures(path).items()}


def drawn(spec: dict[str, Any], number: int, draw: random.Random) -> list[list[tuple[str, Any]]]:
    """Draw settings of all controls of a figure."""
    turns = [[(one["name"], random_value(one, draw)) for one in spec["controls"]] for _ in range(number)]
    return [[(control, value) for control, value in turn if value is not None] for turn in turns]


def disagreements(path: Path, seen: dict[str, dict[str, Any]]) -> dict[str, list[str]]:
    """Say, rule by rule, where a page's figures are not what the chapter's code gives in torch."""
    made = figures(path)
    found: dict[str, list[str]] = {
        "figures": [],
        "program": [],
        "idle": [],
        "number": [],
        "step": [],
        "told": [],
    }
    if list(seen) != list(made) or not made:
        found["figures"].append(f"{list(seen)} on the page, {list(made)} in the chapter")
        return found
    for name, figure in made.items():
        page = seen[name]
        wrong = figure_json.differences(as_in_a_page(page["spec"]), as_in_a_page(figure.spec))
        found["program"] += [f"{name}: {fault}" for fault in wrong]
        found["idle"] += [f"{name}: {control} does nothing" for control in page["idle"]]
        for what, state, outputs in page["tries"]:
            fault = difference(take_settings(figure, state), outputs)
            found["number"] += [f"{name}, {what}, at {str(state)[:200]}: {fault}"] if fault else []
        found["step"] += steps(figure, page["taken"])
        found["told"] += [f"{name}: {fault}" for fault in told(figure, page)]
    return found


def difference(torch_says: dict[str, torch.Tensor], page_says: dict[str, Any]) -> str:
    """Compare all outputs: names, shapes, and numbers to 1e-5 (half precision: to its last place).

    Of an output of large numbers, one near 0 is a sum of large terms: 1e-5 of their median size is allowed.
    """
    if list(page_says) != list(torch_says):
        return f"outputs {list(page_says)}, not {list(torch_says)}"
    for name, wanted in torch_says.items():
        half = wanted.dtype in (torch.float16, torch.bfloat16)
        error = torch.finfo(wanted.dtype).eps if half else 1e-5
        try:
            want = wanted.detach().to(torch.float64)
            size = want[want.isfinite()].abs()
            small = error * max(1.0, float(size.median())) if size.numel() else error
            assert_close(tensor(page_says[name]), want, rtol=error, atol=small, equal_nan=True)
        except AssertionError as wrong:
            return f"output {name}: {' '.join(str(wrong).split())}"
    return ""


def steps(figure: Any, taken: list[dict[str, Any]]) -> list[str]:
    """Hold the steps of a figure with carry against torch's own."""
    figure.value = figure._binding.defaults()
    found = []
    for number, outputs in enumerate(taken, 1):
        figure.step()
        fault = difference(figure.outputs, outputs)
        found += [f"{figure.spec['name']}, step {number}: {fault}"] if fault else []
    if figure.spec["carry"] is not None and not taken:
        found.append(f"{figure.spec['name']}: takes no step")
    return found


def told(figure: Any, page: dict[str, Any]) -> list[str]:
    """Hold the tables of numbers that a reader unfolds against the outputs as the figure opens."""
    figure.value = figure._binding.defaults()
    outputs = figure.outputs
    named = {words: output for output, words in figure.spec["labels"].items()}
    found, seen = [], page["singles"]
    for table in page["tables"]:
        caption, cells = table["caption"], table["cells"]
        title = re.match(r"(.*), shape \(", caption)
        if title is None or "…" in cells or "the first" in caption:
            continue  # a part of a larger output
        wanted = outputs[named.get(title[1], title[1])].double().flatten().tolist()
        texts = [text for text in cells if text.strip()]
        if len(texts) != len(wanted):
            found.append(f"{caption}: {len(texts)} numbers, not {len(wanted)}")
            continue
        found += [
            f"{caption}: {text} for {number}"
            for text, number in zip(texts, wanted, strict=True)
            if not is_rounded(text, number)
        ]
        seen += 1
    return found if seen or found else ["shows no whole table of numbers"]


def is_rounded(text: str, number: float) -> bool:
    """Tell whether a text is a number rounded; a digit after the last one shown may be lost."""
    shown = float({"True": "1", "False": "0"}.get(text, text.replace("−", "-")))
    lost = 0.5 * 10.0 ** -len(text.partition("e")[0].partition(".")[2])
    return shown == pytest.approx(number, abs=lost * 1.01 + 1e-5, rel=1e-4, nan_ok=True)


def as_in_a_page(spec: dict[str, Any]) -> dict[str, Any]:
    """Read a figure's JSON as a page does, which does not tell 1.0 from 1."""
    plain = {name: value for name, value in spec.items() if name != "first"}
    return json.loads(json.dumps(plain), parse_float=lambda text: _number(float(text)))


def _number(value: float) -> float:
    return int(value) if value.is_integer() else value
