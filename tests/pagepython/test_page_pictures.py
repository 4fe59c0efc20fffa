"""Pictures in the page's Python: heatmaps and lines become figures, other drawings their numbers."""

import json
import re

from both_torches import differs, in_page, in_torch

START = """import torch
from attn_helpers.plotting import *
torch.manual_seed(0)
w = torch.rand(3, 3).softmax(-1)
"""
PICTURES = [
    "show_heatmaps(w, xticks=list('abc'))",
    "show_heatmaps(torch.stack([w, w, w]), titles=['one', 'two', 'three'], annotate=False)",
    "show_heatmaps([w, w[:2, :2] - 1], titles=['large', 'small'])",
    "show_heatmaps(torch.tensor([True, False])[None])",
    "show_heatmaps(torch.stack([w, w]), mask=torch.ones(3, 3).tril().bool())",
    "show_lines([0.0, 1, 2], {'up': [0.0, 1, 2], 'down': w[0]}, points={'dots': ([0.5], [1.0])})",
]
TEXTS = [
    "show_lines([1.0, 2], {'steep': [1.0, 100]}, logy=True)",
    "axes = new_axes()\naxes.plot([1], [2])\npicture = show_figure(axes, {'x': [1.0]})\npicture",
]
SHOWN = """
import json; from pagepython.running import output
*lines, last = {code!r}.splitlines()
exec("\\n".join(lines))
print(json.dumps(output.bundle(eval(last))))
"""


def test_pictures_are_figures_of_the_page_and_their_numbers_are_those_of_jupyter(tmp_path):
    codes = [START + code for code in [*PICTURES, *TEXTS]]
    shown = [SHOWN.format(code=code) for code in codes]
    # seaborn is imported inside a function, and would only be missed when that is called
    *lines, drew = in_page(
        [
            *shown,
            "import sys; print('attn_helpers.plotting.heatmaps' in sys.modules, 'seaborn' in sys.modules)",
        ],
        tmp_path,
    )
    assert drew == "True False\n"
    found = [json.loads(line) for line in lines]
    assert [kind for kind, _, _ in found] == ["figure"] * len(PICTURES) + ["text"] * len(TEXTS)
    wanted = in_torch([re.sub(r"\n(.*)$", r"\nprint(repr(\1))", code) for code in codes])
    for code, (_, _, text), jupyter in zip(codes, found, wanted, strict=True):
        assert not differs(text, jupyter, 2e-3), f"{code}\n{text}\n{jupyter}"
    specs = [
        json.loads(re.search(r'<script type="application/json">(.*)</script>', html, re.DOTALL)[1])
        for _, html, _ in found[: len(PICTURES)]
    ]
    kinds = [[view["kind"] for view in spec["views"]] for spec in specs]
    assert kinds == [["heatmap"], ["heatmap"], ["heatmap", "heatmap"], ["heatmap"], ["heatmap"], ["lines"]]
    assert specs[0]["views"][0]["xticks"] == {"values": ["a", "b", "c"]}
    assert specs[4]["views"][0]["mask"]["values"][1][0] == [1, 0, 0]
    assert specs[1]["views"][0]["titles"] == ["one", "two", "three"]
    assert [spec["controls"] for spec in specs] == [[]] * len(specs)
