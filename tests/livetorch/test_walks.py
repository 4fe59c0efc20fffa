"""How many files one passes through; a change that sends a reader of the code through more says so here."""

import walks
from sampling import weekly

# files entered; wished for are 30, 25 and 40
MOST = {"explore": 42, "a slider moved": 27, "a number opened": 48}


@weekly
def test_no_walk_has_grown():
    found = walks.walks()
    assert set(found) == set(MOST)
    assert {"figure/explore.py", "tracing/recorder.py"} <= set(found["explore"])
    assert {"controls/slider.mjs", "runtime/program.mjs", "views/heatmap.mjs"} <= set(found["a slider moved"])
    assert {"panel/panel.mjs", "open/open.mjs"} <= set(found["a number opened"])
    longer = {walk: files for walk, files in found.items() if len(files) > MOST[walk]}
    assert longer == {}, "python tests/walks.py lists them"
