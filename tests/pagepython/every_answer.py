"""Print the reply to answers to every exercise: run in PyTorch and in the page's Python.

The first argument is the seed of the sample of wrong answers (sampling.py).
"""

import json
import os
import sys
import types
import warnings

sys.path.insert(0, "tests")
sys.path.insert(0, "tests/lessons")
if "pytest" not in sys.modules:  # the page has none, and no test is run here

    class Mark:
        """What marks a test does nothing."""

        def __getattr__(self, _name):
            return lambda *_, **__: lambda function: function

    sys.modules["pytest"] = types.SimpleNamespace(mark=Mark())

os.environ["SAMPLE_SEED"] = sys.argv[1]  # the page has an environment of its own

from exercises.test_closer_look import NAMED
from exercises.test_right_answers import OTHERS
from sampling import sample

from attn_lessons.exercises import check, exercises, solution
from attn_lessons.exercises.checking.check import all_exercises
from attn_lessons.exercises.checking.source import repair

MANY = 3  # wrong answers of each kind
repair._LONGEST = 1e9  # seconds of looking: a reply must not hang on how busy a machine is
warnings.simplefilter("error")  # a diagnosis that raises is told to the reader as a warning


def reply(name, function) -> str:
    """Give the reply to an answer, or what was raised in its place."""
    try:
        return repr(check(name, function))
    except Exception as error:
        return f"raised: {error!r}"


mistakes = [(name, one) for name in exercises() for one in all_exercises()[name].mistakes]
answers = [(f"{name}: solution", name, solution(name)) for name in sample(exercises(), MANY)]
answers += [(f"{name}: {one.label}", name, one.function) for name, one in sample(mistakes, MANY)]
others = sample([*enumerate(OTHERS)], MANY)
answers += [(f"{name}: in other words {n}", name, function) for n, (name, function) in others]
answers += [(f"{name}: a closer look at {one.__name__}", name, one) for name, one, _ in sample(NAMED, MANY)]
print(json.dumps({label: reply(name, function) for label, name, function in answers}))
