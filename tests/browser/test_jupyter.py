"""A running JupyterLab: figures and torch move each other, secrets are folded, what was saved opens again."""

import json
import urllib.request
from collections.abc import Iterator

import pytest
import torch
from jupyter_lab import START_MILLISECONDS, run_cell, run_figure, running_lab, write_notebook
from playwright.sync_api import Browser, Page, expect
from sampling import weekly
from torch.testing import assert_close
from waiting import wait_for

# widget.test.mjs holds each day that a widget follows its kernel, and tells it
pytestmark = weekly

FIGURE = """
import json
import torch
from livetorch import Heatmap, explore
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
from attn_lessons.exercises import ask_cells
ask_cells("Which keys?", causal_mask(2), explain="No future.", name="q", rows=["a", "b"], cols=["a", "b"])
"""
EXERCISE = """
from attn_lessons.exercises import check
def my_split(inputs, num_heads): ...
check("split-heads", my_split)
"""
SOLUTION = """
from attn_helpers.chapter import show_source
from attn_lessons.exercises import solution
show_source(solution("split-heads"))
"""


def torch_weights(width: float, kind: str) -> torch.Tensor:
    points = torch.tensor([0.0, 1.0, 2.5, 4.0])
    distances = (points[:, None] - points) / torch.tensor(width)
    return torch.softmax(-(distances**2) / 2 if kind == "gaussian" else -distances.abs(), dim=-1)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a JupyterLab with two notebooks; gives its address."""
    home = tmp_path_factory.mktemp("lab")
    work = home / "work"
    work.mkdir()
    write_notebook(work / "live.ipynb", FIGURE, ASK, TELL, QUESTION)
    folded = (SOLUTION, "hide-cell"), (QUESTION, "hide-input")
    write_notebook(work / "lesson.ipynb", FIGURE, EXERCISE, *folded, SOLUTION, QUESTION)
    with running_lab(home, work) as address:
        yield address


@pytest.fixture(scope="module")
def notebook(lab: str, chromium: Browser) -> Iterator[Page]:
    """Open the notebook and run the cell with the figure."""
    context = chromium.new_context(viewport={"width": 1100, "height": 1400})
    context.set_default_timeout(START_MILLISECONDS)
    page = context.new_page()
    page.goto(f"{lab}/doc/tree/live.ipynb")
    run_figure(page, 0)
    yield page
    context.close()


def ask_kernel(page: Page, name: str, wanted: object) -> tuple[dict, torch.Tensor]:
    """Run the cell that asks until the kernel has heard of a value, and read its answer."""
    asked = []

    def heard() -> bool:
        run_cell(page, 1)
        text = page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output").inner_text()
        asked.append(json.loads(text.partition("kernel says")[2]))
        return asked[-1][0][name] == wanted

    wait_for(page, heard, f"the kernel's {name} is {wanted}")
    value, numbers = asked[-1]
    return value, torch.tensor(numbers)


def shown(page: Page) -> torch.Tensor:
    """Return the numbers that the figure in the notebook shows."""
    output = page.evaluate(
        """() => {
          const { output } = document.querySelector(".livetorch").livetorch.outputs();
          return { shape: output.shape, data: Array.from(output.data) };
        }"""
    )
    return torch.tensor(output["data"]).reshape(output["shape"])


def test_a_slider_moved_in_the_notebook_changes_picture_value_and_outputs(notebook: Page):
    canvas = notebook.locator(".livetorch .lt-views")
    before = canvas.screenshot()
    slider = notebook.get_by_label("Width")
    slider.focus()
    for _ in range(40):
        slider.press("ArrowLeft")
    value, outputs = ask_kernel(notebook, "width", float(slider.input_value()))
    assert value["width"] < 2.0
    assert_close(outputs, torch_weights(value["width"], "gaussian"), rtol=0, atol=0)
    assert_close(shown(notebook), outputs, rtol=1e-5, atol=1e-6)
    assert canvas.screenshot() != before


def test_an_option_chosen_in_the_notebook_reaches_the_kernel_by_its_name(notebook: Page):
    notebook.get_by_role("radio", name="laplace").first.check()
    _, outputs = ask_kernel(notebook, "kind", "laplace")
    assert_close(shown(notebook), outputs, rtol=1e-5, atol=1e-6)
    notebook.get_by_role("radio", name="gaussian").first.check()


def test_a_value_set_in_the_kernel_moves_the_slider(notebook: Page):
    run_cell(notebook, 2)
    expect(notebook.get_by_label("Width")).to_have_value("0.5")
    expect(notebook.get_by_role("radio", name="laplace")).to_be_checked()
    assert_close(shown(notebook), torch_weights(0.5, "laplace"), rtol=1e-5, atol=1e-6)


def test_a_question_is_answered_in_the_notebook_by_keyboard(notebook: Page):
    run_cell(notebook, 3)
    question = notebook.locator(".lt-question.lt-mounted")
    question.get_by_role("button", name="query a, key a").focus()
    for key in ("Space", "ArrowDown", "Space"):
        notebook.keyboard.press(key)
    question.get_by_role("button", name="Check").click()
    expect(question.locator(".lt-reply")).to_contain_text("1 missing. Think again")
    question.get_by_role("button", name="Check").click()
    expect(question.locator(".lt-reply")).to_contain_text("1 missing (dashed).")
    expect(question.locator(".lt-reply")).to_contain_text("The first wrong cell: query b, key b.")
    question.get_by_role("button", name="query b, key b, missing").click()
    question.get_by_role("button", name="Check").click()
    expect(question.locator(".lt-reply")).to_have_text("Right. No future.")


def test_a_lesson_is_opened_run_solved_saved_closed_and_opened_again(lab: str, chromium: Browser):
    context = chromium.new_context(viewport={"width": 1100, "height": 1400})
    context.set_default_timeout(START_MILLISECONDS)
    page = context.new_page()
    page.goto(f"{lab}/doc/tree/lesson.ipynb")
    cells = page.locator(".jp-CodeCell")
    run_figure(page, 0)
    expect(cells.nth(2).locator(".jp-InputPlaceholder")).to_be_visible()
    run_cell(page, 1)
    expect(cells.nth(1)).to_contain_text("Your function is still empty.")
    cells.nth(1).locator(".cm-content").click()
    page.keyboard.press("Control+a")
    body = "return inputs.unflatten(-1, (num_heads, -1)).transpose(1, 2)"
    page.keyboard.insert_text(EXERCISE.strip().replace("...", body))
    run_cell(page, 1)
    expect(cells.nth(1)).to_contain_text("Correct:")
    run_cell(page, 4)
    secret = cells.nth(4).locator("details")
    expect(secret.locator("pre")).to_be_hidden()
    secret.locator("summary").click()
    expect(secret.locator("pre")).to_contain_text("def cut_into_heads")
    slider = page.get_by_label("Width")
    slider.focus()
    for _ in range(10):
        slider.press("ArrowLeft")
    width = slider.input_value()
    page.get_by_role("radio", name="laplace").first.check()
    run_cell(page, 5)
    question = page.locator(".lt-question.lt-mounted")
    question.get_by_role("button", name="query a, key b").click()
    question.get_by_role("button", name="Check").click()
    expect(question.locator(".lt-reply")).to_contain_text("Think again")
    page.keyboard.press("Control+s")
    # sooner than Lab saves by itself: the key reaches it from within a question
    expect(page.locator(".jp-mod-dirty")).to_have_count(0, timeout=START_MILLISECONDS / 4)
    page.close()
    sessions = json.load(urllib.request.urlopen(f"{lab}/api/sessions", timeout=60))
    for session in sessions:  # the next day no kernel runs
        path = f"{lab}/api/sessions/{session['id']}"
        urllib.request.urlopen(urllib.request.Request(path, method="DELETE"), timeout=60)

    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(f"{lab}/doc/tree/lesson.ipynb")
    figure = page.locator("figure.livetorch")
    expect(figure.locator("img")).to_be_visible(timeout=START_MILLISECONDS)
    expect(figure).to_contain_text("Run this cell, and the figure comes alive.")
    expect(page.locator(".jp-CodeCell").nth(1)).to_contain_text("Correct:")
    secret = page.locator(".jp-CodeCell").nth(4).locator("details")
    expect(secret).to_have_count(1)
    expect(secret.locator("pre")).to_be_hidden()
    assert errors == []
    run_figure(page, 0)
    expect(page.get_by_label("Width")).to_have_value(width)
    expect(page.get_by_role("radio", name="laplace").first).to_be_checked()
    assert_close(shown(page), torch_weights(float(width), "laplace"), rtol=1e-5, atol=1e-6)
    run_cell(page, 5)
    question = page.locator(".lt-question.lt-mounted")
    expect(question.locator(".lt-reply")).to_contain_text("Think again")
    context.close()
