"""What an exercise is made of, and what tries an answer to it.

`check.py` is the way in: it calls the reader's function (`answer.py`) as the exercise (`exercise.py`) says,
asks `results/` what a wrong result says, and `source/` what the reader's lines say where it says too little.
"""

from attn_lessons.exercises.checking.answer import Answer
from attn_lessons.exercises.checking.exercise import Exercise
from attn_lessons.exercises.checking.inputs import numbers, softmax_rows
from attn_lessons.exercises.checking.reply import Found, Reply
from attn_lessons.exercises.checking.results.compare import compare
from attn_lessons.exercises.checking.watch import numbers_made

__all__ = ["Answer", "Exercise", "Found", "Reply", "compare", "numbers", "numbers_made", "softmax_rows"]
