"""Exercises that tell a reader what is wrong: `check` names the mistake and the number that shows it."""

from attn_lessons.exercises.checking.check import Verdict as Verdict
from attn_lessons.exercises.checking.check import check as check
from attn_lessons.exercises.checking.check import exercises as exercises
from attn_lessons.exercises.checking.check import hint as hint
from attn_lessons.exercises.checking.check import solution as solution
from attn_lessons.exercises.questions.ask import ask_cells as ask_cells
from attn_lessons.exercises.questions.ask import ask_choice as ask_choice
from attn_lessons.exercises.questions.ask import ask_number as ask_number
from attn_lessons.exercises.questions.widget import Question as Question
