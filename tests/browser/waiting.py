"""Waiting for what a page makes a moment later, on pages whose policy forbids evaluation as well."""

import time
from collections.abc import Callable

from playwright.sync_api import Page

PATIENCE = 90  # seconds that a busy machine may take for what a quiet one does at once
# Resolves when all live figures of a page that are wanted now are there; one that does not come is named.
READY = """() => {
  const late = (name) => new Promise((_, fail) => {
    setTimeout(() => fail(new Error(`figure ${name} is not there after a minute`)), 60000);
  });
  const figures = [...document.querySelectorAll("figure.livetorch")];
  const there = (figure) => Promise.race([figure.livetorch?.ready, late(figure.dataset.name)]);
  return Promise.all(figures.map(there));
}"""
# Resolves when the page has been drawn twice; a page that is not drawn is an error.
FRAMES = """() => new Promise((done, fail) => {
  requestAnimationFrame(() => requestAnimationFrame(done));
  setTimeout(() => fail(new Error("the page was not drawn in a minute")), 60000);
})"""

# Resolves when the page has neither moved nor grown for ten frames.
STILL = """async () => {
  const place = () => `${scrollY} ${document.documentElement.scrollHeight}`;
  for (let still = 0, before = place(); still < 10; before = place()) {
    await new Promise(requestAnimationFrame);
    still = place() === before ? still + 1 : 0;
  }
}"""


def wait_for(page: Page, found: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Ask again and again until something is found."""
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, f"still not so after {seconds} s: {what}"
        page.wait_for_timeout(50)


def wait_until(page: Page, expression: str, arg: object = None, seconds: float = PATIENCE) -> None:
    """Ask again and again until a JavaScript expression is true.

    Playwright's own `wait_for_function` evaluates its text inside the page, and the book's content
    policy refuses that.
    """
    wait_for(page, lambda: page.evaluate(expression, arg), expression, seconds)
