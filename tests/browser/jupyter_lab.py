"""A running JupyterLab with nothing of the user's own settings, and cells run in it."""

import contextlib
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
import normal_form
from built_site import ROOT
from playwright.sync_api import Page, TimeoutError, expect

START_MILLISECONDS = 120_000  # what a busy machine may need; nothing is measured


@contextlib.contextmanager
def running_lab(home: Path, work: Path) -> Iterator[str]:
    """Start a JupyterLab on a free port that shows the folder `work`; gives its address."""
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
        "ServerApp.disable_check_xsrf": True,
        "config": ROOT / "tools" / "notebooks" / "jupyter_server_config.py",
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
        try:
            server.wait(timeout=30)  # it stops its kernels first
        except subprocess.TimeoutExpired:  # how Lab ends is not what is tested; a kernel ends with its server
            server.kill()
            server.wait()


def write_notebook(path: Path, *sources: str | tuple[str, str]) -> None:
    pairs = [(source, "") if isinstance(source, str) else source for source in sources]
    cells = [
        nbformat.v4.new_code_cell(source.strip(), metadata={"tags": [tag]} if tag else {})
        for source, tag in pairs
    ]
    nbformat.write(normal_form.normal(nbformat.v4.new_notebook(cells=cells)), path)


def _wait_for(address: str, server: subprocess.Popen, log: Path) -> None:
    for _ in range(240):
        assert server.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(f"{address}/api/status", timeout=10):
                return
        except OSError:
            time.sleep(0.5)
    raise AssertionError(log.read_text())


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
            _choose_kernel(page)
            cell.locator(".cm-content").click()
            page.keyboard.press("Control+Enter")
        page.wait_for_timeout(250)
    raise AssertionError(f"cell {number} was not run: {prompt.inner_text()}")


def run_figure(page: Page, number: int) -> None:
    """Run a cell until its figure is there: a lab that starts may lose the message that makes it."""
    cell = page.locator(".jp-CodeCell").nth(number)
    for _ in range(3):
        run_cell(page, number)
        with contextlib.suppress(TimeoutError):
            cell.locator(".livetorch.lt-mounted").wait_for(timeout=START_MILLISECONDS / 3)
            return
    raise AssertionError(f"cell {number} shows no figure: {cell.inner_text()}")


def _choose_kernel(page: Page) -> None:
    """Accept the kernel that a lab proposes which was too busy to start one by itself."""
    dialog = page.locator(".jp-Dialog")
    if dialog.count():
        assert "Select Kernel" in dialog.inner_text(), dialog.inner_text()
        dialog.locator(".jp-mod-accept").click()
