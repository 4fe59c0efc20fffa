"""A large number takes no more room than its view has: two of them stand side by side on a phone."""

from __future__ import annotations

import pytest

BEYOND = """async () => {
  await Promise.all([...document.querySelectorAll("figure.livetorch")].map((each) => each.livetorch.ready));
  return [...document.querySelectorAll("text.lt-number")].map((text) => {
    const [view, drawn] = [text.closest(".lt-view"), text.closest("svg")];
    return drawn.getBoundingClientRect().right - view.getBoundingClientRect().right;
  });
}"""


@pytest.mark.parametrize("lesson", ["notebooks/04b_ten_or_eight", "notebooks/09b_another_answer_cheaper"])
def test_no_number_reaches_beyond_its_view_on_a_phone(open_page, lesson):
    beyond = open_page(lesson, width=360).page.evaluate(BEYOND)
    assert len(beyond) >= 2
    assert max(beyond) < 1
