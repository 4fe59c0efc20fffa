"""What a notebook shows of an error: few lines, the last of them the reader's own, then the text."""

import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

from livetorch import explore, trace
from livetorch.program.errors import OutputError, TraceError

BRANCH = """\
def f(x):
    if x > 0:
        return x
    return -x
"""
HELPER = """\
def g(x):
    return x @ torch.ones(7)
def f(x):
    return g(torch.ones(3) * x)
"""
MANY = "def f0(x): return x[7]\n" + "".join(f"def f{i + 1}(x): return f{i}(x)\n" for i in range(20))
CELLS = {
    "a branch": (BRANCH + "explore(f, x=(-1.0, 1.0))", "line 2 of f: if x > 0:"),
    "a branch, traced": (BRANCH + "trace(f, x=1.0)", "line 2 of f: if x > 0:"),
    "a fault two calls down": (HELPER + "explore(f, x=(-1.0, 1.0))", "line 2 of g: return x @ torch.ones(7)"),
    "many calls": (MANY + "explore(f20, x=(-1.0, 1.0))", "line 1 of f0: def f0(x): return x[7]"),
    "a misspelt control": (
        "explore(lambda x: x, y=(0.0, 1.0))",
        "of the cell: explore(lambda x: x, y=(0.0, 1.0))",
    ),
    "a misspelt output": (
        "explore(lambda x: x, x=(0.0, 1.0), view=Heatmap(output='no'))",
        "of the cell: explore(lambda x: x, x=(0.0, 1.0), view=Heatmap(output='no'))",
    ),
    "an unknown exercise": ("check('masked', len)", "of the cell: check('masked', len)"),
    "a hint too many": ("hint('masked-softmax', 99)", "of the cell: hint('masked-softmax', 99)"),
}


@pytest.fixture(scope="module")
def shell():
    shell = InteractiveShell()
    shell.run_cell("import torch\nfrom livetorch import Heatmap, explore, trace")
    shell.run_cell("from attn_lessons.exercises import check, hint")
    return shell


@pytest.mark.parametrize(("cell", "last"), CELLS.values(), ids=CELLS)
def test_a_notebook_shows_at_most_twelve_lines_that_end_on_the_readers(shell, capsys, cell, last):
    assert shell.run_cell(cell).error_in_exec
    lines = capsys.readouterr().out.strip().splitlines()
    assert 3 <= len(lines) <= 12
    assert lines[-2].strip().endswith(last)
    assert "Error: " in lines[-1]
    assert "livetorch/" not in "".join(lines[:-1])


@pytest.mark.parametrize("call", [lambda f: trace(f, x=1.0), lambda f: explore(f, x=(-1.0, 1.0))])
def test_a_script_sees_its_own_frames_last(call):
    def branches(x):
        return x if x > 0 else -x

    with pytest.raises(TraceError) as caught:
        call(branches)
    assert caught.traceback[-1].name == "branches"


@pytest.mark.parametrize("names", [False, True])
def test_a_spectrum_is_returned_in_real_numbers(names):
    def spectrum(x):
        made = torch.fft.fft(torch.ones(4) * x)
        return {"output": made} if names else made

    with pytest.raises(
        OutputError, match=r"spectrum must return real numbers, got complex64 for 'output'.* \.abs\(\)"
    ):
        trace(spectrum, x=1.0)
