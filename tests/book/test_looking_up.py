"""What one looks up: each solution below its problem, and the glossary's row of letters."""

import re

from built_site import ROOT


def test_each_solution_stands_below_its_problem_and_each_letter_leads_to_a_term(site):
    solved = re.findall(r"(?m)^\d+\. ", (ROOT / "book/solutions.md").read_text(encoding="utf-8"))
    page = (site / "book/solutions.html").read_text(encoding="utf-8")
    assert len(re.findall(r"<li>\s*<blockquote>", page)) == len(solved) > 100
    glossary = (site / "book/glossary.html").read_text(encoding="utf-8")
    (row,) = re.findall(r'<p class="letters">(.*?)</p>', glossary)
    targets = re.findall(r'href="#([^"]+)"', row)
    assert len(targets) > 15
    assert [name for name in targets if f'id="{name}"' not in glossary] == []
