"""Waiting for what a page makes a moment later, on pages whose policy forbids evaluation as well."""

from __future__ import annotations

import time

from playwright.sync_api import Page


def wait_until(page: Page, expression: str, arg: object = None, seconds: float = 30) -> None:
    """Ask again and again until a JavaScript expression is true.

    Playwright's own `wait_for_function` evaluates its text inside the page, and the book's content
    policy refuses that.
    """
    end = time.monotonic() + seconds
    while not page.evaluate(expression, arg):
        assert time.monotonic() < end, f"still not true after {seconds} s: {expression}"
        page.wait_for_timeout(50)
