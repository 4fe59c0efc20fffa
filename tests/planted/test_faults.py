"""The list of planted faults still fits the book: what each changes is there, and so is the test that must find it."""

import pytest
from built_site import ROOT
from faults import IN_SOURCES, ON_PAGES
from plant import KINDS
from stored_figures import EACH


def test_there_are_at_least_sixty_and_no_page_has_two():
    assert len(ON_PAGES) + len(IN_SOURCES) >= 60
    assert len({fault.where for fault in ON_PAGES}) == len(ON_PAGES)
    assert {fault.test for fault in ON_PAGES} <= {*KINDS, "slow"}


@pytest.mark.parametrize("fault", ON_PAGES, ids=lambda fault: fault.what)
def test_the_page_is_there(fault):
    assert any((ROOT / f"{fault.where}{end}").is_file() for end in (".md", ".ipynb", ".rst"))


@pytest.mark.parametrize("fault", IN_SOURCES, ids=lambda fault: fault.what)
def test_the_words_to_change_and_the_test_are_there(fault):
    place = fault.where.removeprefix("site:")
    if fault.where.startswith("site:"):
        file = next(iter((ROOT / "book").rglob(f"*_static/{place.rpartition('/')[2]}")), None)
        if file is None:
            return  # a file that Sphinx writes
    else:
        file = ROOT / place
    assert fault.old in file.read_text(encoding="utf-8")
    path, _, name = fault.test.partition("::")
    if name:
        assert f"def {name.partition('[')[0]}(" in (ROOT / path).read_text(encoding="utf-8")
    if "[" in name and name[-1] == "]":
        lesson = name.partition("[")[2].rstrip("]").removeprefix("notebooks/").split("-")[0]
        assert lesson == EACH.stem or (ROOT / "notebooks" / f"{lesson}.ipynb").is_file()
