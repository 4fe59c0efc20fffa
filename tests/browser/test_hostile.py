"""What strangers send: hostile settings in links, hostile text typed into figures. It must harm nothing.

One figure for each kind of control; what a link may say is held in tests/livetorch/js/link.test.mjs.
"""

from urllib.parse import quote

from live_page import Opener

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
HASHES = {
    "script": SCRIPT,
    "nothing": "",
    "half an escape": "%",
    "wrong escape": "%E0%A4%A",
    "prototype": "__proto__:1,constructor:2,toString:3",
    "numbers": "NaN",
    "huge": "9" * 400,
    "100 kB": "1" * 100_000,
    "negative": "-1",
    "steps": "@:99999999",
}
FIGURES = """() => [...document.querySelectorAll("figure.livetorch")].map(
  (figure) => [figure.dataset.name, figure.livetorch.spec.controls.map(({ name }) => name)])"""
OPEN = """async (hash) => {
  location.hash = hash;
  await new Promise((done) => requestAnimationFrame(done));
}"""
OUTSIDE = """() => [...document.querySelectorAll("figure.livetorch")].filter((figure) =>
  figure.livetorch.spec.controls.some(({ name, kind, min, max }) => kind === "slider" &&
    !(figure.livetorch.state()[name] >= min && figure.livetorch.state()[name] <= max)))
  .map((figure) => figure.dataset.name)"""
TYPE = """async (field, text) => {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
  await new Promise((done) => requestAnimationFrame(done));
}"""
MADE = (
    "img[onerror], svg[onload], script:not([type='application/json']):not([src])"  # what they try to become
)


def is_unharmed(page) -> None:
    assert (
        page.evaluate("[window.taken, window.harmed].filter(Boolean)") == []
    )  # harmed: by the texts of live_page
    assert page.evaluate("({}).polluted") is None
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 1


def test_a_hostile_link_leaves_figures_at_settings_that_they_allow(open_figures: Opener):
    page = open_figures()
    for what, said in HASHES.items():
        for written in (str, quote):
            for name, controls in page.evaluate(FIGURES):
                settings = ",".join(f"{control}:{said}" for control in controls)
                page.evaluate(OPEN, f"lt:{name}={written(settings)}")
        assert page.evaluate(OUTSIDE) == [], f"a slider left its range: {what}"
        assert page.locator("figure.livetorch .lt-error:visible").count() == 0, what
        is_unharmed(page)
    page.evaluate(OPEN, "lt:weights=width:0.3")  # the way that is attacked is open
    assert page.evaluate("document.querySelector('figure[data-name=weights]').livetorch.state().width") == 0.3


def test_hostile_text_is_only_ever_text(open_figures: Opener):
    page = open_figures()
    field = page.get_by_label("Words")
    for what, text in TEXTS.items():
        field.evaluate(TYPE, text)
        assert page.locator("figure.livetorch").locator(MADE).count() == 0, what
    is_unharmed(page)
