"""Every live figure of the built book, driven through its own controls in Chromium and held against torch."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator
from typing import Any

import figure_json
import pytest
import torch
from live_chapters import OUTPUTS, STATE, chapters, figures, random_value, take_settings, tensor
from playwright.sync_api import Locator, Page
from torch.testing import assert_close

STEPS = 5  # of a figure with carry
RANDOM_SETTINGS = int(os.environ.get("LIVE_SETTINGS", 4))  # besides those reached through the controls

FIGURE = 'figure.livetorch[data-name="{}"]'


@pytest.fixture(scope="module", params=chapters(), ids=lambda path: path.stem)
def visit(request, opening):
    """Give a chapter's figures in torch, and its page in the browser, opened once for all tests."""
    with opening(f"notebooks/{request.param.stem}") as opened:
        # a figure that goes deeper is folded away until a reader opens it
        opened.page.evaluate(
            "document.querySelectorAll('details.deeper').forEach((fold) => (fold.open = true))"
        )
        opened.come_alive()
        yield figures(request.param), opened


@pytest.fixture
def chapter(visit):
    """Give the same, with all figures as they open."""
    _, opened = visit
    opened.page.evaluate(
        "() => document.querySelectorAll('figure.livetorch').forEach((figure) => figure.livetorch?.reset())"
    )
    return visit


def agree(torch_says: dict[str, torch.Tensor], page_says: dict[str, Any], where: str) -> None:
    """Compare all outputs: names, shapes, and numbers to 1e-5 (half precision: to its last place)."""
    assert list(page_says) == list(torch_says), where
    for name, wanted in torch_says.items():
        got = tensor(page_says[name])
        half = wanted.dtype in (torch.float16, torch.bfloat16)
        error = torch.finfo(wanted.dtype).eps if half else 1e-5
        assert_close(
            got,
            wanted.detach().to(torch.float64),
            rtol=error,
            atol=error,
            equal_nan=True,
            msg=lambda text, name=name: f"{where}, output {name}: {text}",
        )


def check(page: Page, figure: Any, where: str) -> None:
    element = page.locator(FIGURE.format(figure.spec["name"]))
    state = element.evaluate(STATE)
    agree(take_settings(figure, state), element.evaluate(OUTPUTS), f"{where}, at {str(state)[:300]}")


def drive(element: Locator, control: dict[str, Any]) -> Iterator[str]:
    """Move one control as a reader would, yielding after each move what was done."""
    for other, values in control.get("when", {}).items():  # it is grey until these are chosen
        element.evaluate("(figure, [name, value]) => figure.livetorch.set(name, value)", [other, values[0]])
    by_label = element.get_by_label(control["label"], exact=True)
    match control["kind"]:
        case "slider" if control.get("roll"):
            for turn in ("once", "again"):
                element.get_by_role("button", name=control["label"]).click()
                yield f"{control['name']}: rolled {turn}"
        case "slider" | "dropdown" if by_label.evaluate("each => each.role") == "radiogroup":
            for segment in reversed(by_label.locator("label").all()):
                segment.click()
                yield f"{control['name']}: {segment.inner_text()}"
        case "slider":
            for key in ("ArrowRight", "End", "PageDown", "Home", "ArrowRight"):
                by_label.press(key)
                yield f"{control['name']}: {key}"
        case "dropdown":
            for index in reversed(range(len(control["options"]))):
                by_label.select_option(index=index)
                yield f"{control['name']}: option {index}"
        case "checkbox":
            for turn in ("other", "back"):
                by_label.click()
                yield f"{control['name']}: {turn}"
        case "text":
            for text in (control["value"][:-1], control["value"][::-1], "", control["value"]):
                by_label.fill(text)
                yield f"{control['name']}: {text!r}"
        case "points":
            yield from drive_points(element, control)
        case "matrix":
            field = element.locator(f'.lt-matrix:has-text("{control["label"]}") input').last
            for key in ("ArrowUp", "ArrowUp", "ArrowDown"):
                field.press(key)
                yield f"{control['name']}: {key}"
        case "mask":
            yield from drive_mask(element, control)
        case _:
            assert control["kind"] == "state", f"no way to drive a {control['kind']}"


def drive_points(element: Locator, control: dict[str, Any]) -> Iterator[str]:
    before = element.evaluate(STATE)[control["name"]]
    handles = element.locator(".lt-handle")
    moved = 0
    for i in range(handles.count()):
        handles.nth(i).focus()
        handles.nth(i).press("Shift+ArrowRight")
        state = element.evaluate(STATE)[control["name"]]
        moved += state != before
        before = state
        yield f"{control['name']}: handle {i} to the right"
    if not handles.count():
        element.locator(".lt-points input").first.press("ArrowUp")
        moved = element.evaluate(STATE)[control["name"]] != before
        yield f"{control['name']}: number field"
    assert moved, f"no handle moves {control['name']}"


def drive_mask(element: Locator, control: dict[str, Any]) -> Iterator[str]:
    before = element.evaluate(STATE)[control["name"]]
    stages = element.locator(".lt-editable")
    if stages.count():
        for keys in (["Home", "Space"], ["ArrowRight", "Space"], ["ArrowDown", "Space"]):
            stages.first.focus()
            for key in keys:
                stages.first.press(key)
            yield f"{control['name']}: {keys}"
    else:
        element.locator(".lt-mask button").last.click()
        yield f"{control['name']}: last cell"
    assert element.evaluate(STATE)[control["name"]] != before, f"nothing toggles {control['name']}"


def as_in_a_page(spec: dict[str, Any]) -> dict[str, Any]:
    """Read a figure's JSON as a page does, which does not tell 1.0 from 1."""
    return json.loads(json.dumps(spec), parse_float=lambda text: number(float(text)))


def number(value: float) -> float:
    return int(value) if value.is_integer() else value


def test_the_page_holds_the_programs_that_the_chapters_code_gives(chapter):
    made, opened = chapter
    found = opened.page.evaluate(
        """async () => {
          const figures = [...document.querySelectorAll('figure.livetorch')].map((f) => f.livetorch);
          await Promise.all(figures.map((figure) => figure.ready));  // until then it may sleep
          return figures.map(({ spec: { first, ...spec } }) => spec);
        }"""
    )
    assert made, "the chapter has no live figure"
    assert [spec["name"] for spec in found] == list(made)
    for spec in found:
        wanted = as_in_a_page(made[spec["name"]].spec)
        assert figure_json.differences(as_in_a_page(spec), wanted) == [], spec["name"]


def test_each_control_moved_by_hand_gives_torchs_numbers(chapter):
    made, opened = chapter
    for name, figure in made.items():
        element = opened.page.locator(FIGURE.format(name))
        check(opened.page, figure, f"{name} as it opens")
        for control in figure.spec["controls"]:
            for done in drive(element, control):
                check(opened.page, figure, f"{name}, {done}")
    assert opened.errors == []


def test_random_settings_give_torchs_numbers(chapter):
    made, opened = chapter
    draw = random.Random(0)
    for name, figure in made.items():
        element = opened.page.locator(FIGURE.format(name))
        for turn in range(RANDOM_SETTINGS):
            for control in figure.spec["controls"]:
                if (value := random_value(control, draw)) is not None:
                    element.evaluate(
                        "(f, [name, value]) => f.livetorch.set(name, value)", [control["name"], value]
                    )
            check(opened.page, figure, f"{name}, random setting {turn}")
    assert opened.errors == []


def test_steps_in_the_page_are_torchs_own_steps(chapter):
    made, opened = chapter
    for name, figure in made.items():
        if figure.spec["carry"] is None:
            continue
        element = opened.page.locator(FIGURE.format(name))
        figure.value = figure._binding.defaults()
        for step in range(min(STEPS, figure.spec["carry"]["steps"])):  # then the button is off
            element.get_by_role("button", name="Step", exact=True).click()
            figure.step()
            agree(figure.outputs, element.evaluate(OUTPUTS), f"{name}, step {step + 1}")


def test_the_numbers_that_a_reader_sees_are_torchs(chapter):
    made, opened = chapter
    for name, figure in made.items():
        element = opened.page.locator(FIGURE.format(name))
        element.locator("details.lt-numbers summary").click()
        element.locator("details.lt-numbers").locator("table, .lt-single").first.wait_for(state="attached")
        outputs = take_settings(figure, element.evaluate(STATE))
        named = {words: output for output, words in figure.spec["labels"].items()}
        seen = 0
        for table in element.locator("details.lt-numbers table").all():
            caption = table.locator("caption").inner_text()
            title = re.match(r"(.*), shape \(", caption)
            cells = table.locator("tbody td:not(.lt-sum)").all_inner_texts()
            if title is None or "…" in cells or "the first" in caption:
                continue  # a part of a larger output
            wanted = outputs[named.get(title[1], title[1])].double().flatten().tolist()
            texts = [text for text in cells if text.strip()]
            assert len(texts) == len(wanted), f"{name}: {caption}"
            for text, number in zip(texts, wanted, strict=True):
                shown = float({"True": "1", "False": "0"}.get(text, text.replace("−", "-")))
                # a digit after the last one shown may be lost
                lost = 0.5 * 10.0 ** -len(text.partition("e")[0].partition(".")[2])
                assert shown == pytest.approx(number, abs=lost * 1.01 + 1e-5, rel=1e-4), f"{name}: {caption}"
            seen += 1
        singles = element.locator("details.lt-numbers .lt-single").count()
        assert seen + singles > 0, f"{name} shows no whole table of numbers"
