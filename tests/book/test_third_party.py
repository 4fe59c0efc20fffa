"""The page of what others made: as its tool writes it, and nothing left out."""

import re

import pytest
import third_party
from built_site import ROOT


def test_the_page_is_what_its_tool_writes():
    assert third_party.PAGE.read_text(encoding="utf-8") == third_party.page()


@pytest.mark.parametrize(("what", "licence", "note"), third_party.BESIDE)
def test_the_note_beside_a_part_names_its_licence(what, licence, note):
    text = (ROOT / note).read_text(encoding="utf-8").lower()
    known = {licence.lower(), third_party.IN_WORDS.get(licence.lower(), licence).lower()}
    assert any(name in text for name in known)


@pytest.mark.parametrize("note", [note for _, _, note in third_party.BESIDE if "studies" in note])
def test_what_a_note_names_of_this_project_is_there(note):
    named = re.findall(
        r"`((?:livetorch|attn_lessons|tools)/[\w/.]+)`", (ROOT / note).read_text(encoding="utf-8")
    )
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_note_in_the_packages_is_listed():
    folders = (ROOT / "attn_lessons" / "studies", ROOT / "attn_helpers", ROOT / "book" / "_ext")
    notes = {path.relative_to(ROOT).as_posix() for folder in folders for path in folder.rglob("*.md")}
    assert notes == {note for _, _, note in third_party.BESIDE}


def test_every_library_that_a_script_imports_is_listed():
    scripts = list((ROOT / "livetorch/js").rglob("*.mjs"))
    sources = [path.read_text(encoding="utf-8") for path in scripts if "build" not in path.parts]
    imported = {name for text in sources for name in re.findall(r'from "(@?[a-z][\w/-]*)"', text)}
    assert any(name.startswith("d3-") for name in imported)
    assert imported <= {name for name, _, _ in [*third_party.bundled(), *third_party.in_page()]}
