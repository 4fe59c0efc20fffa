"""Exercises that tell a reader what is wrong: `check` names the mistake and the number that shows it."""

from attn_lessons.exercises.checking.check import Verdict, check, exercises, hint, solution
from attn_lessons.exercises.questions.ask import ask_cells, ask_choice, ask_number
from attn_lessons.exercises.questions.widget import Question

__all__ = [
    "Question",
    "Verdict",
    "ask_cells",
    "ask_choice",
    "ask_number",
    "check",
    "exercises",
    "hint",
    "solution",
]
