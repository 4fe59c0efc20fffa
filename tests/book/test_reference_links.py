"""Reference pages and lessons lead to each other on the built site."""

import re

import public_names
import pytest


@pytest.fixture(scope="module")
def entries() -> list[public_names.Name]:
    return [entry for module in public_names.modules() for entry in public_names.public_names(module)]


def test_every_public_name_is_on_a_reference_page(site, entries):
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((site / "book/api").glob("*.html")))
    shown = set(re.findall(r'<dt [^>]*id="(?:attn_helpers|attn_lessons|livetorch)[\w.]*\.(\w+)"', text))
    assert {entry.name for entry in entries} - shown == set()


def test_a_chapter_ends_with_links_to_its_functions_and_they_link_back(site, entries):
    reference = "".join(
        path.read_text(encoding="utf-8") for path in sorted((site / "book/api").glob("*.html"))
    )
    missing = set()
    for entry in entries:
        if entry.kind not in ("function", "class"):
            continue
        for path in public_names.chapters(entry.module):
            if not public_names.explained_in(entry, path):
                continue
            page = path.replace(".ipynb", ".html")
            ending = (site / page).read_text(encoding="utf-8").partition('class="chapter-functions')[2]
            if not re.search(rf'href="[^"]*book/api/\w+\.html#[\w.]*\.{entry.name}"|\.{entry.name}"', ending):
                missing.add(f"{path} does not link to {entry.name}")
            if f'href="../../{page}"' not in reference:
                missing.add(f"no reference page links to {path}")
    assert missing == set()
