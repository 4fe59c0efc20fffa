"""Print the reply to every answer to every exercise: run in PyTorch and in the page's Python."""

import json
import sys
import types

sys.path.insert(0, "tests/lessons")
if "pytest" not in sys.modules:  # the page has none, and no test is run here

    class Mark:
        """What marks a test does nothing."""

        def __getattr__(self, _name):
            return lambda *_, **__: lambda function: function

    sys.modules["pytest"] = types.SimpleNamespace(mark=Mark())

from exercises.test_right_answers import OTHERS
from exercises.wrong_answers import wrong_answers

from attn_lessons.exercises import check, exercises, solution

found = {}
for name in exercises():
    found[f"{name}: solution"] = repr(check(name, solution(name)))
    for wrong in wrong_answers(name):
        found[f"{name}: {wrong.label}"] = repr(check(name, wrong.function))
for number, (name, function) in enumerate(OTHERS):
    found[f"{name}: in other words {number}"] = repr(check(name, function))
print(json.dumps(found))
