"""Cards on a phone: the picture leaves room below it, fields and options are whole, nothing fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from finger import PHONE
from open_number import READY
from stored_figures import notebooks, write_page

FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# Where a leading picture stands below the head of a page that is 40 pixels further: whole at 0, or gone by
# at -40; and the part of the screen that it keeps once the page has gone on by its own height.
STANDS = """(head) => [...document.querySelectorAll("figure.livetorch .lt-leading")].map((row) => {
  const high = row.offsetHeight;
  row.closest("figure").style.setProperty("--lt-above", `${head}px`);
  row.style.position = "static";
  const from = row.getBoundingClientRect().top + scrollY;
  row.style.position = "";
  const after = (way) => {
    scrollTo({ top: from - head + way, behavior: "instant" });
    return row.getBoundingClientRect();
  };
  const away = after(40).top - head - (high <= 0.4 * innerHeight ? 0 : -40);
  return [row.closest("figure").dataset.name, away, Math.max(0, after(high).bottom - head) / innerHeight];
})"""
CUT = """() => [...document.querySelectorAll("figure.livetorch")].flatMap((figure) => {
  const all = (what, wrong) => [...figure.querySelectorAll(what)].filter(wrong);
  const cut = all(".lt-cells .lt-scroll, .lt-wide", (e) => e.scrollWidth > e.clientWidth);
  const lines = all(".lt-segment span", (e) => e.scrollHeight > 46);
  return [...cut, ...lines].map((e) => `${figure.dataset.name}: ${e.textContent.trim().slice(0, 40)}`);
})"""
# Maps of which it is said that a tap tells a number, where it switches a cell.
PROMISED = """() => [...document.querySelectorAll(".lt-view:has(.lt-editable) .lt-unwritten")].map((bar) =>
  bar.closest("figure").dataset.name)"""
LARGE = 412  # pixels of a large phone: maps that stand one under the other at 360 are side by side there
# How far below a field stands what is said of its text: the ring around the field takes four pixels.
BELOW = """() => [...document.querySelectorAll(".lt-text + .lt-note")].map((note) =>
  note.getBoundingClientRect().top - note.previousElementSibling.getBoundingClientRect().bottom)"""
SQUEEZE = """async (width) => {
  for (const figure of document.querySelectorAll("figure")) figure.style.width = width;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
WIDER = {"two-tables"}  # figures of which a table may go on sideways: none has room for four columns of words


@pytest.fixture
def phone(chromium):
    context = chromium.new_context(**PHONE)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("notebook", notebooks(), ids=lambda path: path.stem)
def test_a_phone_shows_fields_and_options_whole_and_a_picture_whole_or_not_at_all(
    phone, notebook: Path, tmp_path: Path
):
    phone.goto(write_page(notebook, tmp_path))
    phone.evaluate(READY)
    phone.evaluate(FRAMES)
    assert [line for line in phone.evaluate(CUT) if line.split(":")[0] not in WIDER] == []
    stands = phone.evaluate(STANDS, 56)
    assert {name: away for name, away, _ in stands if abs(away) > 1.5} == {}
    assert {name: round(share, 2) for name, _, share in stands if share > 0.41} == {}
    assert all(space >= 4.5 for space in phone.evaluate(BELOW))
    phone.set_viewport_size({"width": LARGE, "height": 900})
    phone.evaluate(FRAMES)
    assert [line for line in phone.evaluate(CUT) if line.split(":")[0] not in WIDER] == []
    assert phone.evaluate(PROMISED) == []


@pytest.mark.parametrize("stem", ["02a_scores", "05a_look_back"])
def test_a_figure_that_is_for_a_moment_very_narrow_logs_no_error(phone, stem: str, tmp_path: Path):
    errors: list[str] = []
    phone.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    phone.on("pageerror", lambda error: errors.append(str(error)))
    phone.goto(write_page(next(path for path in notebooks() if path.stem == stem), tmp_path))
    phone.evaluate(READY)
    for width in ("30px", "320px", "40px", ""):
        phone.evaluate(SQUEEZE, width)
    assert errors == []


@pytest.mark.parametrize("stem", ["04a_additive_attention", "04b_ten_or_eight", "08a_two_heads"])
def test_names_of_a_flows_columns_are_whole(chromium, stem: str, tmp_path: Path):
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.goto(write_page(next(path for path in notebooks() if path.stem == stem), tmp_path, 1000))
    page.evaluate(READY)
    names = page.locator(".lt-flow-name").all_text_contents()
    page.close()
    assert names
    assert [name for name in names if "…" in name] == []
