"""What strangers send: hostile settings in links, hostile text typed into figures. It must harm nothing."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from live_chapters import chapters
from waiting import wait_until

SCRIPT = "<img src=x onerror=\"window.taken='yes'\"><script>window.taken='yes'</script>"
TEXTS = {
    "script": SCRIPT,
    "attribute": "\"><svg onload=window.taken='yes'>",
    "one megabyte": "a" * 1_000_000,
    "right to left": "שלום \u202e olleh \u2066 مرحبا \u2069",
    "zero width": "a\u200bb\u200d\ufeffc\u0000\u0007",
    "emoji": "👩\u200d👩\u200d👧\u200d👦 🏳️\u200d🌈 \ud83d",
    "prototype": "__proto__ constructor toString hasOwnProperty",
    "numbers": "NaN Infinity 1e999 -0 0x10 1_000",
}
# It is made in the page: sent there, again and again, it would take most of the time.
MEGABYTE = "a-megabyte-of-ones"
OPEN = """async (parts) => {
  location.hash = parts.join("1".repeat(1_000_000));
  await new Promise((done) => requestAnimationFrame(done));
}"""
HASHES = {
    "script": SCRIPT,
    "nothing": "",
    "half an escape": "%",
    "wrong escape": "%E0%A4%A",
    "prototype": "__proto__:1,constructor:2,toString:3",
    "numbers": "NaN",
    "huge": "9" * 400,
    "one megabyte": MEGABYTE,
    "negative": "-1",
    "steps": "@:99999999",
}
LONGEST = 40000  # as in livetorch/js/figure/link.mjs
STATE = """() => Object.fromEntries([...document.querySelectorAll("figure.livetorch")].map(
  (figure) => [figure.dataset.name, JSON.stringify(figure.livetorch.state())]))"""
TYPE = """(field, text) => {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}"""
MADE = "img[onerror], svg[onload], script:not([type='application/json'])"  # what the texts try to become
CHAPTERS = [path.stem for path in chapters()]


def _is_unharmed(opened) -> None:
    page = opened.page
    assert page.evaluate("window.taken") is None
    assert page.evaluate("({}).polluted") is None
    assert opened.errors == []
    assert opened.foreign == []
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 1, f"the page is {wide} px too wide"


def _names(page) -> list[tuple[str, list[dict]]]:
    found = page.evaluate(
        """() => [...document.querySelectorAll("figure.livetorch")].map(
          (figure) => [figure.dataset.name, figure.livetorch.spec.controls.map(
            ({ name, kind, label, max }) => ({ name, kind, label, max }))])"""
    )
    return [(name, controls) for name, controls in found]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_hostile_link_opens_the_figures_at_settings_that_they_allow(open_page, chapter):
    opened = open_page(f"notebooks/{chapter}")
    page = opened.page
    figures = _names(page)
    assert figures
    at_first = page.evaluate(STATE)
    _takes_a_sensible_link(page, figures)
    for what, value in HASHES.items():
        settings = {
            name: ",".join(f"{control['name']}:{value}" for control in controls) for name, controls in figures
        }
        for written in (str, quote):
            for link in _links([f"{name}={written(text)}" for name, text in settings.items()]):
                page.evaluate(OPEN, link.split(MEGABYTE))
        numbers = page.evaluate(
            """() => [...document.querySelectorAll("figure.livetorch")].filter((figure) =>
              figure.livetorch.spec.controls.some(({ name, kind, min, max }) => kind === "slider" &&
                !(figure.livetorch.state()[name] >= min && figure.livetorch.state()[name] <= max)))
              .map((figure) => figure.dataset.name)"""
        )
        assert numbers == [], f"{what}: a slider left its range"
        assert page.locator("figure.livetorch .lt-error:visible").count() == 0, what
    assert list(page.evaluate(STATE)) == list(at_first)
    _is_unharmed(opened)


def _links(parts: list[str]) -> list[str]:
    """One link for all figures, or one for each where that would be longer than what a page reads."""
    together = f"lt:{'&'.join(parts)}"
    short = len(together) < LONGEST and MEGABYTE not in together
    return [together] if short else [f"lt:{part}" for part in parts]


def _takes_a_sensible_link(page, figures) -> None:
    """The way that is attacked is open: a slider goes where a link sends it."""
    sliders = [
        (name, control) for name, controls in figures for control in controls if control["kind"] == "slider"
    ]
    for name, slider in sliders[:1]:
        page.evaluate("(hash) => { location.hash = hash }", f"lt:{name}={slider['name']}:{slider['max']}")
        wait_until(
            page,
            "([figure, name, wanted]) => document.querySelector(figure).livetorch.state()[name] === wanted",
            arg=[f'figure.livetorch[data-name="{name}"]', slider["name"], slider["max"]],
        )


def _with_text() -> list[str]:
    marked = [path for path in chapters() if '"kind": "text"' in _figures_of(path)]
    return [path.stem for path in marked]


def _figures_of(path) -> str:
    """Give the JSON of a notebook's figures, spaced as `json.dumps` does."""
    found = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            html = "".join(output.get("data", {}).get("text/html", ""))
            mark = '<script type="application/json">'
            if 'class="livetorch"' in html:
                start = html.index(mark) + len(mark)
                spec = json.loads(html[start : html.index("</script>", start)])
                found.append(json.dumps(spec["controls"]))
    return "\n".join(found)


@pytest.mark.parametrize("chapter", _with_text())
def test_hostile_text_is_only_ever_text(open_page, chapter):
    opened = open_page(f"notebooks/{chapter}")
    page = opened.page
    tried = 0
    for name, controls in _names(page):
        figure = page.locator(f'figure.livetorch[data-name="{name}"]')
        for control in (control for control in controls if control["kind"] == "text"):
            field = figure.get_by_label(control["label"], exact=True)
            for what, text in TEXTS.items():
                field.evaluate(TYPE, text)
                page.evaluate("() => new Promise((done) => requestAnimationFrame(done))")
                assert figure.locator(MADE).count() == 0, what
                tried += 1
    assert tried > 0
    _is_unharmed(opened)
