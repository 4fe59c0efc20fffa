"""Showing values before a cell ends."""

import builtins

from pagepython.running.output import HTML, SVG, Markdown

__all__ = ["HTML", "SVG", "Markdown", "clear_output", "display"]


def display(*values, **more):
    return builtins.display(*values, **more)


def clear_output(wait: bool = False) -> None:
    builtins.display.__self__.clear()
