"""Errors in a reader's words: each of the common ones is told with the shapes and values of its line."""

import json

import pytest

from pagepython.running.cell import Kernel
from pagepython.running.plain import TABLE

BEFORE = """
import torch
q, k, l, d = torch.ones(3, 2), torch.ones(3, 2), [1.0, 2.0], {"a": 1, "b": 2}
scores, mask = q @ k.mT, torch.ones(4, dtype=torch.bool)
"""
SAID = {  # a cell -> what its error is said to be
    "q @ k": "here 2 and 3. With .mT after the right one they fit. In this line, q has shape (3, 2)",
    "q @ torch.ones(4, 1)": "here 2 and 4. In this line, q has shape (3, 2).",
    "q[None] @ torch.ones(1, 3, 4)": "here 2 and 3. Often .mT",
    "torch.nn.Linear(4, 2)(q)": "meets rows of 2 and takes rows of 4",
    "torch.bmm(torch.ones(2, 3, 4), torch.ones(3, 4, 5))": "the same number of matrices: here 2 and 3.",
    "torch.ones(0)[0]": "Axis 0 is empty",
    "class Box:\n    def shape(self):\n        return 1\nb = Box()\nq[b and 5]": "5 is too far",
    'scores.masked_fill(~mask, float("-inf"))': "(..., queries, keys). In this line, scores has shape",
    "q + torch.ones(4)": "axis 1 needs the same size in both, or 1 in one: here 2 and 4. In this line, q has",
    "torch.softmax(q, dim=2)": "has 2 axes, so dim can be -2 to 1, and -1 is the last axis: 2 is too far.",
    "torch.softmax(q[0], dim=1)": "has one axis",
    "q[5]": "Axis 0 has 3 entries, counted from 0, so the last is 2 (or -1): 5 is too far.",
    "q[0, 0, 0]": "more indices than the tensor has axes (2). In this line, q has shape (3, 2).",
    "l[4]": "Entries are counted from 0, and -1 is the last. In this line, l has 2 entries.",
    "torch.cat([q, torch.ones(3)])": "equally many axes: here 2 and 1.",
    "score": "No line that has run so far makes score. Did you mean scores?",
    "unheard_of": "No line that has run so far makes unheard_of. If a cell below makes it",
    "def f():\n    y = y + 1\nf()": "The function reads y before",
    "q.sahpe": "Tensor has no sahpe. Did you mean shape?",
    "torch.sofmax(q, -1)": "Did you mean softmax?",
    "l.shape": "is a list, not a tensor",
    "None.shape": "ends without return",
    "q + l": "One side of + is a tensor, the other a list",
    "l + q": "One side of + is a tensor, the other a list",
    "1 + {}": "+ cannot join a int and a dict",
    "torch.softmax(l, -1)": "takes tensors, not a list",
    "(lambda a, b: a)(1)": "leaves out what the function needs: 'b'",
    "(lambda a: a)(1, 2)": "2 arguments came, and the function takes 1",
    "q(1)": "Round brackets call a function, and this is a Tensor.",
    'd["c"]': "The dictionary has no 'c'. It has 'a', 'b'.",
    "if q > 0:\n    pass": "add .all() or .any()",
    "q.item()": "the tensor holds 6",
    "a, b, c, e = q[:, 0]": "There are 4 names at the left of =, and 3 values",
    "a, b = q[:, 0]": "There are 2 names at the left of =, and more",
    "q.reshape(4, 2)": "The sizes of the new shape, 4, 2, must multiply to 6 numbers.",
    "torch.tensor([[1, 2], [3]])": "here one holds 2, another 1",
    "q.masked_fill(q, 0)": "A mask holds True and False",
    "q[torch.tensor([0.5])]": ".long()",
    "q @ torch.ones(2, 2, dtype=torch.float64)": "write .float() after both",
    "1 / 0": "is 0.",
    "print(extra: 1/0)": "a bracket or a comma is missing before it",
    "print((1, 2": "closes this (",
    "print(1))": "that this ) could close",
    "for i in range(3):\nprint(i)": "After the colon of line 1",
    "x = 1\n  y = 2": "which has no colon",
    "if True:\n    a = 1\n  b = 2": "where no line above it begins",
    "if True\n    a = 1": "ends with a colon",
    "raise ValueError('Number: q must have shape (), got (1,).')": "take one by its index, as in q[0].",
    "raise ValueError('Number: q must have shape (), got (2, 3).')": "as in q[0, 0].",
    "if q = 1: pass": "To compare, write ==.",
    "[1 2]": "A comma",
    '"abc': "A quotation mark",
}


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    made = Kernel(lambda *_: None)
    assert json.loads(made.run(BEFORE, "cell 1"))["ok"]
    return made


@pytest.mark.parametrize("cell", SAID)
def test_a_common_error_is_told_in_a_readers_words(kernel, cell):
    error = json.loads(kernel.run(cell, "cell 2"))["error"]
    assert SAID[cell] in error["plain"]


def test_each_row_of_the_table_is_tried(kernel):
    tried = "\n".join(json.loads(kernel.run(cell, "cell 2"))["error"]["plain"] for cell in SAID)
    plain = [words for _, words in TABLE if isinstance(words, str)]
    assert [words for words in plain if words not in tried] == []


@pytest.mark.parametrize("cell", ["int('a')", "raise ValueError('my own')"])
def test_what_is_not_in_the_table_is_left_to_python(kernel, cell):
    assert "plain" not in json.loads(kernel.run(cell, "cell 2"))["error"]


def test_a_cell_that_asks_for_a_line_says_that_the_page_cannot(kernel):
    said = json.loads(kernel.run("name = input('Who? ')", "cell 2"))
    assert said["absent"]
    assert said["error"]["missing"] == "input"
