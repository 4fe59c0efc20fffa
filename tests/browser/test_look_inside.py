"""Saved pages of models, opened from disk: the worker computes a large one, and a click asks for a patch."""

import json

import pytest
import torch
from patched import Patched

from attn_helpers import look_inside
from livetorch import Carry, Heatmap, explore

TALL = 1100  # squared, more numbers than a page computes itself
NOTE_READS = """
    window.reads = []; // of weights: whether the map stood there, and whether a hand had come
    let hand = false;
    const signs = ["pointermove", "pointerdown", "wheel", "keydown"];
    for (const sign of signs) addEventListener(sign, () => (hand = true), true);
    const read = JSON.parse;
    JSON.parse = (text, ...more) => {
      if (text.length > 1e6) reads.push([Boolean(document.querySelector("figure.lt-mounted canvas")), hand]);
      return read(text, ...more);
    };
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A page of a model with more than a million numbers, and what it gives for one and for two."""
    draw = torch.Generator().manual_seed(0)
    table, rows = torch.randn(TALL, TALL, generator=draw) / TALL, torch.randn(6, TALL, generator=draw)

    def attend(width):
        x = (rows * width) @ table
        return torch.softmax(x @ x.T, -1) @ x

    figure = look_inside(attend, width=(0.5, 2.0, 0.5))
    figure.set(width=1.0)
    path = figure.save(tmp_path_factory.mktemp("large") / "page.html")
    figure.set(width=2.0)
    return path, figure.outputs["weights"]


def test_a_large_model_is_computed_in_a_worker_from_disk(chromium, large):
    path, wanted = large
    page = chromium.new_page()
    errors, workers = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text))
    page.on("request", lambda sent: sent.url.startswith("http") and errors.append(sent.url))
    page.on("worker", lambda worker: workers.append(worker.url))
    page.add_init_script(NOTE_READS)
    page.goto(path.as_uri())
    text = path.read_text()
    assert '"first":' in text
    assert text.index("<script>") < text.index('id="lt-0"')  # the map need not wait for the weights
    page.wait_for_function("reads.length")
    assert page.evaluate("reads").count([True, False]) == page.evaluate("reads.length")
    field = page.locator("figure input[type=range]").first
    field.focus()
    page.keyboard.press("End")
    page.locator("figure summary, figure button", has_text="numbers").first.click()
    shown = f"{float(wanted[0, 0]):.3f}"
    page.wait_for_function(
        "text => document.querySelector('figure').textContent.includes(text)", arg=shown[:4]
    )
    assert len(workers) == 1
    assert workers[0].startswith("blob:")
    assert errors == []
    page.close()


def test_steps_of_a_large_model_are_the_workers(chromium, tmp_path):
    draw = torch.Generator().manual_seed(0)
    table, x = torch.randn(TALL, TALL, generator=draw) / TALL**0.5, torch.randn(TALL, generator=draw)

    def step(x):
        return {"new": torch.tanh(x @ table), "few": x[None, :8]}

    figure = explore(step, x=x, carry=Carry({"x": "new"}, steps=6), view=Heatmap(output="few"))
    page = chromium.new_page()
    page.goto(figure.save(tmp_path / "page.html").as_uri())
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("step 6, the last").wait_for()
    assert len(page.workers) == 1
    page.wait_for_function("() => document.querySelector('figure').livetorch.history().length === 7")
    few = page.evaluate("() => Array.from(document.querySelector('figure').livetorch.history()[6].few.data)")
    for _ in range(6):
        x = step(x)["new"]
    torch.testing.assert_close(torch.tensor(few), x[:8], atol=1e-4, rtol=1e-3)
    page.close()


def test_a_click_on_a_patch_of_the_picture_asks_for_it(chromium, tmp_path):
    torch.manual_seed(0)
    figure = look_inside(Patched().eval(), lambda image: image, torch.rand(3, 16, 16))
    page = chromium.new_page(viewport={"width": 1200, "height": 900})
    page.goto(figure.save(tmp_path / "page.html").as_uri())
    page.wait_for_selector("figure.lt-mounted")
    stage = page.locator("figure .lt-stage").first
    assert stage.locator("line.lt-block").count() == 6  # three between four patches, each way
    box = stage.locator("canvas").bounding_box()
    lines = stage.locator("line.lt-block").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().toJSON())"
    )
    right, low = max(each["x"] for each in lines), max(each["y"] for each in lines)
    assert box["x"] < right < box["x"] + box["width"]
    page.mouse.move(right - 6, low - 6)
    page.mouse.click(right - 6, low - 6)  # the patch of the third row and column
    assert (
        json.loads(page.evaluate("JSON.stringify(document.querySelector('figure').livetorch.state())"))[
            "query"
        ]
        == 11
    )
    page.close()
