"""Wrong answers get in the page the replies that they get in PyTorch, and every right one is taken.

SAMPLE_SEED=all tries every wrong answer, in about two minutes more.
"""

import json
import subprocess
import sys

from both_torches import ROOT, differs
from sampling import seed, weekly

SCRIPT = "tests/pagepython/every_answer.py"
EXERCISES = "tests/lessons/exercises"
ANSWERS = [f"{EXERCISES}/test_closer_look.py", f"{EXERCISES}/test_right_answers.py", "tests/sampling.py"]


# beginning of the answer's name -> the words that must stand in the reply, where its numbers are others
OTHERWISE = {
    # what rounding leaves of the difference of two large numbers is another number in each torch
    "layer-norm: two-large-numbers": "the variance is the mean square minus the squared mean",
}


def replies(*command: str) -> dict[str, str]:
    """Run the script; gives the reply to each answer."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@weekly
def test_answers_get_the_same_reply_in_the_page_and_no_diagnosis_raises():
    wanted = replies(sys.executable, SCRIPT, seed())
    found = replies("node", "tools/page_python.mjs", SCRIPT, seed(), *ANSWERS)
    assert len(wanted) > 9
    assert found.keys() == wanted.keys()
    assert {name: reply for name, reply in found.items() if reply.startswith("raised:")} == {}
    other = {
        name: f"{name}\n-> page\n{found[name]}\n-> torch\n{reply}"
        for name, reply in wanted.items()
        if differs(found[name], reply, 2e-4)
    }
    known = {
        name: words
        for name in other
        for start, words in OTHERWISE.items()
        if name.startswith(start) and words in " ".join(found[name].split())
    }
    assert other.keys() == known.keys(), "\n\n".join(other[name] for name in other if name not in known)
    right = [name for name in wanted if "solution" in name or "in other words" in name]
    assert [name for name in right if not found[name].startswith("Correct:")] == []
    assert [name for name in found if name not in right and not found[name].startswith("Not yet:")] == []
