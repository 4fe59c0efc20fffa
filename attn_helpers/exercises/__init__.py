"""Exercises that tell a reader what is wrong: `check` names the mistake and the number that shows it."""

from ._core import Verdict, check, exercises, hint, solution
from .ask import ask_cells, ask_choice, ask_number

__all__ = ["Verdict", "ask_cells", "ask_choice", "ask_number", "check", "exercises", "hint", "solution"]
