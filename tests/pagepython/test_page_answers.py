"""Every wrong answer gets in the page the reply that it gets in PyTorch, and every right one is taken."""

from __future__ import annotations

import json
import subprocess
import sys

from both_torches import ROOT, differs

SCRIPT = "tests/pagepython/every_answer.py"
ANSWERS = sorted(
    str(path.relative_to(ROOT))
    for pattern in ("test_right_answers.py", "wrong_answers.py", "wrong/*.py")
    for path in (ROOT / "tests/lessons/exercises").glob(pattern)
)


# what the page's own torch has not: beginning of the answer's name -> the words that must stand in the reply
OTHERWISE = {
    "linear-attention: with-the-map": "the map of weights was made",  # the page counts numbers, PyTorch bytes
    "add-positions: tokens-forgotten": "the positions are returned without the tokens",  # seen at another of
    "add-positions: half-exponent": "the exponent counts i, not 2i",  # several places that are equally wrong
    "induction-map: soft": "a softmax gives weight to keys that do not fit",  # several rows are equally wrong
    "rotary: ": "torch.view_as_complex is not in the page's torch",  # no complex numbers
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
