"""Exercises that tell a reader what is wrong: `check` names the mistake and the number that shows it."""

from attn_lessons.exercises.checking.check import Verdict, check, exercises, hint, solution
from attn_lessons.exercises.questions.ask import ask_cells, ask_choice, ask_number

__all__ = ["Verdict", "ask_cells", "ask_choice", "ask_number", "check", "exercises", "hint", "solution"]
