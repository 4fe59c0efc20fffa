"""What an exercise is made of, and what tries an answer to it."""

from attn_lessons.exercises.checking.answer import Answer
from attn_lessons.exercises.checking.compare import Suspect
from attn_lessons.exercises.checking.exercise import Exercise
from attn_lessons.exercises.checking.inputs import numbers, softmax_rows
from attn_lessons.exercises.checking.mistake import Found, Mistake

__all__ = ["Answer", "Exercise", "Found", "Mistake", "Suspect", "numbers", "softmax_rows"]
