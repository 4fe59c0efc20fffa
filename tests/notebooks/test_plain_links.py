"""A notebook's link is a citation, an equation's number or a label on the site, and the other way round."""

import json
import re

import nbformat
import normal_form
import plain_links
import pytest
from built_site import ROOT
from notebook_roles import with_roles

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PAIRS = {
    "{cite:t}`vaswani2017`, 3": "[Vaswani et al. (2017)](../book/references.bib#vaswani2017), 3",
    "fill {cite:p}`zhang2023`.": "fill [(Zhang et al., 2023)](../book/references.bib#zhang2023).",
    "{cite:p}`jain2019,wiegreffe2019`": (
        "[(Jain and Wallace, 2019; Wiegreffe and Pinter, 2019)]"
        "(../book/references.bib#jain2019,wiegreffe2019)"
    ),
    "{cite:t}`pytorch2026`": "[PyTorch contributors (2026)](../book/references.bib#pytorch2026)",
    "{cite:t}`elhage2021`": "[Elhage et al. (2021)](../book/references.bib#elhage2021)",
    "$$\na\n$$ (one)\n\n$$\nb\n$$\n": "$$\na\n% (one)\n$$\n\n$$\nb\n$$\n",
}


def markdown(path):
    return "\n\n".join(
        "".join(cell["source"])
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "markdown"
    )


@pytest.mark.parametrize(("role", "link"), PAIRS.items())
def test_roles_become_links_and_links_roles(role, link):
    assert plain_links.plain(role) == link
    assert with_roles(link) == role


def test_a_link_to_an_equation_keeps_its_words_and_gets_its_number():
    assert with_roles("from [the heads](#equation-mh-heads) that") == "from the heads {eq}`mh-heads` that"
    assert plain_links.plain("from {eq}`mh-heads` that") == "from [the equation](#equation-mh-heads) that"


def test_the_normal_form_writes_links():
    cell = nbformat.v4.new_markdown_cell("{cite:t}`vaswani2017`")
    (made,) = normal_form.normal(nbformat.v4.new_notebook(cells=[cell])).cells
    assert made.source.startswith("[Vaswani et al. (2017)]")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_notebook_shows_the_signs_of_a_role(path):
    assert (
        re.findall(r"\{[\w:]+\}`|^\$\$ \([\w-]+\)|^\([\w-]+\)=|^(?:```|:::)\{", markdown(path), re.MULTILINE)
        == []
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_citation_says_who_and_when(path):
    for text, brackets, keys in re.findall(
        r"(\[(\(?)[^\]]+\]\(\.\./book/references\.bib#([\w,]+)\))", markdown(path)
    ):
        assert text == plain_links.citation(keys.split(","), in_brackets=bool(brackets))


def test_every_equation_that_is_linked_has_its_label_in_the_same_notebook():
    for path in NOTEBOOKS:
        text = markdown(path)
        labels = set(re.findall(r"^% \(([\w-]+)\)$", text, re.MULTILINE))
        assert set(re.findall(r"\(#equation-([\w-]+)\)", text)) <= labels, path.stem
