"""A live figure in a running JupyterLab: a slider moved there reaches torch, and the other way round."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
import torch
from playwright.sync_api import Browser, Page, expect
from torch.testing import assert_close

FIGURE = """
import json
import torch
from attn_helpers.live import Heatmap, explore
points = torch.tensor([0.0, 1.0, 2.5, 4.0])
def weights(width, kind):
    distances = (points[:, None] - points) / width
    scores = -distances**2 / 2 if kind == "gaussian" else -distances.abs()
    return torch.softmax(scores, dim=-1)
figure = explore(weights, width=(0.1, 4.0), kind=["gaussian", "laplace"], view=Heatmap())
figure
"""
ASK = 'print("kernel says", json.dumps([figure.value, figure.outputs["output"].tolist()]))'
TELL = 'figure.set(width=0.5, kind="laplace")'
QUESTION = """
from attn_helpers import causal_mask
from attn_helpers.exercises import ask_cells
ask_cells("Which keys?", causal_mask(2), explain="No future.", name="q", rows=["a", "b"], cols=["a", "b"])
"""
START_MILLISECONDS = 120_000  # what a busy machine may need; nothing is measured


def torch_weights(width: float, kind: str) -> torch.Tensor:
    points = torch.tensor([0.0, 1.0, 2.5, 4.0])
    distances = (points[:, None] - points) / torch.tensor(width)
    return torch.softmax(-(distances**2) / 2 if kind == "gaussian" else -distances.abs(), dim=-1)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a JupyterLab on a free port with nothing of the user's own settings; gives its address."""
    home = tmp_path_factory.mktemp("lab")
    work = home / "work"
    work.mkdir()
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source.strip()) for source in (FIGURE, ASK, TELL, QUESTION)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )
    nbformat.write(notebook, work / "live.ipynb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    env = {**os.environ, **{name: str(home / name.lower()) for name in places}, "OMP_NUM_THREADS": "1"}
    options = {
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.root_dir": work,
        "ServerApp.allow_root": True,
        "IdentityProvider.token": "",
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        "LabApp.news_url": "",
        "LabApp.extension_manager": "readonly",
    }
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        *(f"--{k}={v}" for k, v in options.items()),
    ]
    with (home / "log").open("w") as log:
        server = subprocess.Popen(command, env=env, stdout=log, stderr=subprocess.STDOUT, cwd=work)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, server, home / "log")
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_for(address: str, server: subprocess.Popen, log: Path) -> None:
    for _ in range(240):
        assert server.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(f"{address}/api/status"):
                return
        except OSError:
            time.sleep(0.5)
    raise AssertionError(log.read_text())


@pytest.fixture(scope="module")
def notebook(lab: str, chromium: Browser) -> Iterator[Page]:
    """Open the notebook and run the cell with the figure."""
    context = chromium.new_context(viewport={"width": 1100, "height": 1400})
    context.set_default_timeout(START_MILLISECONDS)
    page = context.new_page()
    page.goto(f"{lab}/doc/tree/live.ipynb")
    run_cell(page, 0)
    page.locator(".attention-live.al-mounted").wait_for()
    yield page
    context.close()


def run_cell(page: Page, number: int) -> None:
    """Run a cell and wait for its end; a lab that is still starting may miss a key or forget it."""
    cell = page.locator(".jp-CodeCell").nth(number)
    prompt = cell.locator(".jp-InputArea-prompt")
    expect(prompt).to_have_text(re.compile(r"\[.*\]"), timeout=START_MILLISECONDS)
    before = prompt.inner_text()
    for tick in range(START_MILLISECONDS // 250):
        now = prompt.inner_text()
        if now != before and re.search(r"\[\d+\]", now):
            return
        if tick % 12 == 0 and "*" not in now:
            cell.locator(".cm-content").click()
            page.keyboard.press("Control+Enter")
        page.wait_for_timeout(250)
    raise AssertionError(f"cell {number} was not run: {prompt.inner_text()}")


def ask_kernel(page: Page) -> tuple[dict, torch.Tensor]:
    """Run the cell that asks and read its answer."""
    run_cell(page, 1)
    text = page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output").inner_text()
    value, numbers = json.loads(text.partition("kernel says")[2])
    return value, torch.tensor(numbers)


def shown(page: Page) -> torch.Tensor:
    """Return the numbers that the figure in the notebook shows."""
    output = page.evaluate(
        """() => {
          const { output } = document.querySelector(".attention-live").attentionLive.outputs();
          return { shape: output.shape, data: Array.from(output.data) };
        }"""
    )
    return torch.tensor(output["data"]).reshape(output["shape"])


def test_a_slider_moved_in_the_notebook_changes_picture_value_and_outputs(notebook: Page):
    canvas = notebook.locator(".attention-live .al-views")
    before = canvas.screenshot()
    slider = notebook.get_by_label("Width")
    slider.focus()
    for _ in range(40):
        slider.press("ArrowLeft")
    notebook.wait_for_timeout(300)
    value, outputs = ask_kernel(notebook)
    assert value["width"] == float(slider.input_value())
    assert value["width"] < 2.0
    assert_close(outputs, torch_weights(value["width"], "gaussian"), rtol=0, atol=0)
    assert_close(shown(notebook), outputs, rtol=1e-5, atol=1e-6)
    assert canvas.screenshot() != before


def test_an_option_chosen_in_the_notebook_reaches_the_kernel_by_its_name(notebook: Page):
    notebook.get_by_label("Kind").select_option("laplace")
    notebook.wait_for_timeout(300)
    value, outputs = ask_kernel(notebook)
    assert value["kind"] == "laplace"
    assert_close(shown(notebook), outputs, rtol=1e-5, atol=1e-6)
    notebook.get_by_label("Kind").select_option("gaussian")


def test_a_value_set_in_the_kernel_moves_the_slider(notebook: Page):
    run_cell(notebook, 2)
    expect(notebook.get_by_label("Width")).to_have_value("0.5")
    expect(notebook.get_by_label("Kind")).to_have_value("laplace")
    assert_close(shown(notebook), torch_weights(0.5, "laplace"), rtol=1e-5, atol=1e-6)


def test_a_question_is_answered_in_the_notebook_by_keyboard(notebook: Page):
    run_cell(notebook, 3)
    question = notebook.locator(".al-question.al-mounted")
    question.get_by_role("button", name="query a, key a").focus()
    for key in ("Space", "ArrowDown", "Space"):
        notebook.keyboard.press(key)
    question.get_by_role("button", name="Check").click()
    expect(question.locator(".al-reply")).to_contain_text("1 missing (dashed). First: query b, key b.")
    question.get_by_role("button", name="query b, key b, missing").click()
    question.get_by_role("button", name="Check").click()
    expect(question.locator(".al-reply")).to_have_text("Right. No future.")
