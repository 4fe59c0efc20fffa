"""PyTorch's surface in the page: no parameter is swallowed, expressions give what they give there."""

import json
import re
import subprocess
import warnings

from both_torches import ROOT, differs, in_page, in_torch
from sampling import weekly

HERE = ROOT / "tests/pagepython"
# parameters that mean nothing where there is one thread, and one that changes an order which is kept anyway
MEANINGLESS = {
    "set_num_threads(int)",
    "use_deterministic_algorithms(mode)",
    "use_deterministic_algorithms(warn_only)",
    "Tensor.unique(sorted)",
    "nn.Parameter(data)",
    "nn.Parameter(requires_grad)",
}
PRELUDE = """import math
import torch
from torch import nn
import torch.nn.functional as F
import numpy as np
torch.manual_seed(0)
torch.set_grad_enabled(True)
def raised(*acts):
    return [builtin_error(act) for act in acts]
def builtin_error(act):
    try:
        act()
    except Exception as error:
        return next(k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins")
"""
# what PyTorch has and the page does not have: it says so
REFUSED = {"NotImplementedError", "AttributeError", "ImportError"}
KNOWN = ("1e8, 1, -1e8",)  # a sum in another order
GRAD = re.compile(r"grad_fn=<\w+>|0x[0-9a-f]+")


def test_every_parameter_of_every_name_is_honoured_or_refused():
    command = ["node", "tools/page_python.mjs", str(HERE / "surface.py")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    report = json.loads(done.stdout.splitlines()[-1])
    assert set(report["swallowed"]) <= MEANINGLESS
    assert [said for said in report["unclear"] if not said.startswith("Tensor.grad")] == []
    assert len(report["honoured"]) > 1800


def last_printed(code: str) -> str:
    """Print the value of the last expression, as a notebook shows it."""
    *before, last = code.split("; ")
    try:
        compile(last, "last", "eval")
    except SyntaxError:
        return f"{PRELUDE}{code}"
    return f"{PRELUDE}{chr(10).join(before)}\n_ = ({last})\nprint(repr(_)) if _ is not None else None"


def test_what_students_type_gives_what_pytorch_gives_or_is_refused(tmp_path):
    lines = (HERE / "expressions.txt").read_text("utf-8").splitlines()
    codes = [last_printed(line) for line in lines]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = in_torch(codes)
    wrong = [
        f"{line}\n-> page\n{page}\n-> torch\n{torch}"
        for line, page, torch in zip(lines, in_page(codes, tmp_path), wanted, strict=True)
        if not any(part in line for part in KNOWN)
        and differs(GRAD.sub("", page), GRAD.sub("", torch), 1e-3)
        and page.strip() not in REFUSED
    ]
    assert wrong == [], f"{len(wrong)} of {len(lines)}\n" + "\n\n".join(wrong[:12])


@weekly
def test_an_import_of_what_the_page_lacks_is_refused_by_name(tmp_path):
    names = (
        "torch.nn.utils.prune import random_unstructured",
        "torch.nn import LPPool2d",
        "torch.nn import Linaer",
    )
    codes = [f"try:\n    from {name}\nexcept ImportError as error:\n    print(error)" for name in names]
    prune, pool, typo = in_page(codes, tmp_path)
    assert prune.startswith("torch.nn.utils.prune.random_unstructured is not in the page's torch")
    assert pool.startswith("torch.nn.LPPool2d is not in the page's torch")
    assert typo.startswith("cannot import name 'Linaer' from 'torch.nn'")


def test_a_loop_with_a_bar_runs_without_the_bar(tmp_path):
    code = (
        "from tqdm import tqdm, trange\nfrom tqdm.auto import tqdm as other\n"
        "with tqdm([1, 2], desc='a') as bar:\n"
        "    print(list(bar), len(bar), list(trange(3)), [*other('ab')], bar.set_postfix(loss=1.0), bar.n)"
    )
    assert in_page([code], tmp_path) == ["[1, 2] 2 [0, 1, 2] ['a', 'b'] None 2\n"]
