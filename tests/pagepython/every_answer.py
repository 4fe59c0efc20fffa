"""Print the reply to every answer to every exercise: run in PyTorch and in the page's Python."""

import json
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

from exercises.test_closer_look import NAMED
from exercises.test_right_answers import OTHERS

from attn_lessons.exercises import check, exercises, solution
from attn_lessons.exercises.checking.check import all_exercises

warnings.simplefilter("error")  # a diagnosis that fails
found = {}
for name in exercises():
    found[f"{name}: solution"] = repr(check(name, solution(name)))
    for mistake in all_exercises()[name].mistakes:
        found[f"{name}: {mistake.label}"] = repr(check(name, mistake.function))
for number, (name, function) in enumerate(OTHERS):
    found[f"{name}: in other words {number}"] = repr(check(name, function))
for name, function, _ in NAMED:
    found[f"{name}: a closer look at {function.__name__}"] = repr(check(name, function))
print(json.dumps(found))
