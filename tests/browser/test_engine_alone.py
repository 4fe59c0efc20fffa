"""The engine by itself: its wheel, a small book about something else, and a browser; no file of this book."""

import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from built_site import ROOT
from sampling import weekly

# a wheel of the engine and what it holds: each day in tests/book/test_ways_in.py
pytestmark = weekly


def run(*command: str | Path, folder: Path, packages: Path) -> str:
    """Run a program outside the repository, with the wheel's packages before all others."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(packages)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def example(tmp_path_factory) -> Path:
    """Build the wheel, install it alone, and build the example book with it."""
    folder = tmp_path_factory.mktemp("alone")
    packages, book = folder / "packages", folder / "book"
    shutil.copytree(ROOT / "livetorch" / "example", book, ignore=shutil.ignore_patterns("_build", ".*"))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    wheel = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT / "livetorch"]
    run(*wheel, folder=folder, packages=packages)
    (built,) = folder.glob("livetorch-*.whl")
    run(*pip, "install", "--no-deps", "--target", packages, built, folder=folder, packages=packages)
    where = run(
        sys.executable, "-c", "import livetorch; print(livetorch.__file__)", folder=book, packages=packages
    )
    assert Path(where.strip()).is_relative_to(packages)
    program = Path(sys.executable).parent / "jupyter-book"
    run(program, "build", book, "-n", "-W", "--keep-going", folder=book, packages=packages)
    return book / "_build" / "html"


def test_the_wheel_holds_the_engine_and_no_other_package(example):
    packages = example.parents[2] / "packages"
    assert {path.name for path in packages.iterdir() if "dist-info" not in path.name} == {"livetorch"}
    assert not (packages / "livetorch" / "example").exists()
    code = "".join(path.read_text("utf-8") for path in packages.rglob("livetorch/**/*.py"))
    assert re.findall(r"attn_(?:helpers|lessons)", code) == []


@pytest.mark.parametrize("width", [1280, 360])
def test_both_figures_of_the_example_live_from_disk_and_show_what_torch_gives(chromium, example, width):
    page = chromium.new_page(viewport={"width": width, "height": 800})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((example / "pendulum.html").as_uri())
    for name in ("swing", "step"):
        figure = page.locator(f'figure.livetorch[data-name="{name}"]')
        figure.scroll_into_view_if_needed()
        figure.evaluate("(figure) => figure.livetorch.ready")
    honey = page.locator('figure[data-name="swing"]').get_by_label("honey")
    honey.press("End")
    shown = page.evaluate(
        "document.querySelector('figure[data-name=swing]').livetorch.outputs().output.data[40]"
    )
    time, frequency = torch.linspace(0, 20, 200)[40], math.sqrt(9.81 / 2.1 - 0.04)
    assert shown == pytest.approx(float(torch.exp(-0.2 * time) * torch.cos(frequency * time)), rel=1e-4)
    page.locator('figure[data-name="step"]').get_by_role("button", name="Step").click()
    page.wait_for_function("document.querySelector('figure[data-name=step]').livetorch.history().length > 1")
    assert [error for error in errors if "THEBE_JS_URL" not in error] == []  # that is Jupyter Book's own
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=f"{folder}/pendulum_{width}.png", full_page=True)
    page.close()
