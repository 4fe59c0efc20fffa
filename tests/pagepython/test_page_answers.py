"""Every wrong answer gets in the page the reply that it gets in PyTorch, and every right one is taken."""

from __future__ import annotations

import json
import subprocess
import sys

from both_torches import ROOT, differs

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


def test_every_answer_gets_the_same_reply_in_the_page():
    wanted = replies(sys.executable, SCRIPT)
    found = replies("node", "tools/page_python.mjs", SCRIPT, *ANSWERS)
    assert len(wanted) > 250
    assert found.keys() == wanted.keys()
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
