"""Live figures in a real browser, on a page of their own that is opened from disk: no server, no kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Browser, Page
from torch.testing import assert_close
from waiting import wait_until

from livetorch import Choice, Heatmap, History, LiveFigure, Mask, Matrix, Points, Slider, Table, Text, explore

ROOT = Path(__file__).parents[2]
DIST = ROOT / "livetorch" / "js" / "dist"
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
KEYS = torch.tensor([0.0, 1.0, 2.5, 4.0])
VALUES = torch.tensor([1.0, -1.0, 0.5, 2.0])
EVIL = '"><img src=x onerror="window.harmed = 1"><script>window.harmed = 1</script>'


def weights(width, kind):
    distances = (KEYS[:, None] - KEYS) / width
    return torch.softmax(-(distances**2) / 2 if kind == "gaussian" else -distances.abs(), dim=-1)


def learn(width, rate):
    def loss_of(w):
        scores = -(((KEYS[:, None] - KEYS) * w) ** 2) / 2
        scores = scores.masked_fill(torch.eye(4, dtype=torch.bool), -1e9)
        return ((torch.softmax(scores, dim=-1) @ VALUES - VALUES) ** 2).mean()

    gradient, loss = torch.func.grad_and_value(loss_of)(width)
    return {"new_width": width - rate * gradient, "loss": loss}


def bench(q, k, mask, m):
    scores = q @ m @ k.T
    return {"scores": scores, "weights": torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)}


def embed(words, words_length):
    one_hot = torch.nn.functional.one_hot(words, 4).float()
    seen = torch.arange(5) < words_length
    return torch.softmax((one_hot @ one_hot.T).masked_fill(~seen, -torch.inf), dim=-1)


def never(x):
    return x * torch.ones(2, 2)


@pytest.fixture(scope="module")
def figures() -> dict[str, LiveFigure]:
    """Make one figure for each kind of control."""
    vocabulary = ["<pad>", "a", "b", "我"]
    made = [
        explore(
            weights, width=(0.1, 4.0), kind=["gaussian", "laplace"], title="Kernel weights", view=Heatmap()
        ),
        explore(
            learn,
            carry={"width": "new_width"},
            width=Slider(0.1, 3.0, value=0.5),
            rate=Slider(0.01, 2.0, value=0.2, log=True),
            view=[Table(outputs=["new_width", "loss"]), History(outputs=["loss"])],
        ),
        explore(
            bench,
            q=Points([[1.0, 0.0], [0.0, 1.0]], labels=["我", "你"], domain=(-3, 3)),
            k=Points([[1.0, 0.0], [0.5, 2.0], [1.0, 1.0]], domain=(-3, 3)),
            mask=Mask(torch.ones(2, 3).bool()),
            m=Matrix([[1, 0], [0, 1]], step=0.5),
            view=[Heatmap("scores", scale="diverging"), Heatmap("weights")],
        ),
        explore(embed, words=Text("a b", vocabulary=vocabulary, unit="word", length=5)),
        explore(never, x=Slider(0.0, 1.0, label=EVIL), title=EVIL, caption=EVIL, view=Heatmap(xlabel=EVIL)),
    ]
    return {figure.spec["name"]: figure for figure in made}


@pytest.fixture(scope="module")
def address(figures: dict[str, LiveFigure], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write the page and give its address."""
    page = tmp_path_factory.mktemp("page") / "page.html"
    head = f'<link rel="stylesheet" href="{DIST.as_uri()}/livetorch.css">'
    head += f'<script defer src="{DIST.as_uri()}/livetorch.js"></script>'
    body = "\n".join(figure.to_html() for figure in figures.values())
    page.write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f'<title>Figures</title><meta name="viewport" content="width=device-width">{head}'
        f"<main><h1>Figures</h1>{body}</main></html>",
        encoding="utf-8",
    )
    return page.as_uri()


Opener = Callable[..., Page]


@pytest.fixture
def open_figures(chromium: Browser, address: str) -> Iterator[Opener]:
    """Give a function that opens the page; its errors are checked at the end."""
    contexts, errors = [], []

    def open_one(hash: str = "", **options) -> Page:
        context = chromium.new_context(
            viewport={"width": options.pop("width", 900), "height": 800}, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address + hash)
        if options.get("java_script_enabled", True):
            page.evaluate("Promise.all([...document.querySelectorAll('figure')].map(f => f.livetorch.ready))")
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert errors == []


def tensor(page: Page, name: str, output: str = "output") -> torch.Tensor:
    """Return an output of a figure, as the page has computed it."""
    got = page.evaluate(
        """([name, output]) => {
          const figure = document.querySelector(`figure[data-name=${name}]`);
          const { shape, data } = figure.livetorch.outputs()[output];
          return { shape, data: Array.from(data) };
        }""",
        [name, output],
    )
    return torch.tensor(got["data"]).reshape(got["shape"])


def call(page: Page, name: str, script: str):
    """Do something with a figure's handle `f`."""
    return page.evaluate(f"(f => {script})(document.querySelector('figure[data-name={name}]').livetorch)")


def test_sliders_and_lists_give_torchs_numbers(open_figures: Opener):
    page = open_figures()
    for kind in ("gaussian", "laplace"):
        page.get_by_role("radio", name=kind).first.check()
        for width in (0.1, 1.0, 4.0):
            page.get_by_label("Width").first.fill(str(width))
            assert_close(tensor(page, "weights"), weights(torch.tensor(width), kind), rtol=1e-5, atol=1e-6)


def test_a_slider_moves_by_the_arrow_keys_and_says_its_value(open_figures: Opener):
    page = open_figures()
    slider = page.get_by_label("Width").first
    before = float(slider.input_value())
    slider.press("ArrowRight")
    assert float(slider.input_value()) > before
    assert slider.get_attribute("aria-valuetext") == page.locator("figure output").first.inner_text()


def test_training_in_the_page_takes_torchs_own_steps(open_figures: Opener):
    page = open_figures()
    width, losses = torch.tensor(0.5), []
    for _ in range(20):
        after = learn(width, torch.tensor(0.2))
        losses.append(after["loss"])
        width = after["new_width"]
    call(page, "learn", "f.step(20)")
    assert_close(torch.tensor(call(page, "learn", "f.state().width")), width, rtol=1e-5, atol=1e-6)
    seen = call(page, "learn", "f.history().map(h => h.loss.data[0])")
    assert_close(torch.tensor(seen[:20]), torch.stack(losses), rtol=1e-5, atol=1e-6)


def test_run_stop_step_and_restart_are_buttons(open_figures: Opener):
    page = open_figures()
    figure = page.locator("figure[data-name=learn]")
    figure.get_by_role("button", name="Step").click()
    assert call(page, "learn", "f.history().length") == 2
    figure.get_by_role("button", name="Run").click()
    wait_until(page, "document.querySelector('figure[data-name=learn]').livetorch.history().length > 20")
    figure.get_by_role("button", name="Stop").click()
    stopped = call(page, "learn", "f.history().length")
    page.wait_for_timeout(100)
    assert call(page, "learn", "f.history().length") == stopped
    figure.get_by_role("button", name="Restart").click()
    assert call(page, "learn", "f.state().width") == 0.5


def test_a_long_run_leaves_the_page_free(open_figures: Opener):
    page = open_figures()
    frames = page.evaluate(
        """async () => {
          const f = document.querySelector('figure[data-name=learn]').livetorch;
          let frames = 0, done = false;
          const count = () => { frames += 1; if (!done) requestAnimationFrame(count); };
          requestAnimationFrame(count);
          await f.step(999);
          done = true;
          return [frames, f.history().length];
        }"""
    )
    assert frames[0] > 3
    assert frames[1] == 1000


def test_tables_of_numbers_and_masks_give_torchs_numbers(open_figures: Opener):
    page = open_figures()
    figure = page.locator("figure[data-name=bench]")
    figure.get_by_label("row 1, column 2").fill("0.5")
    figure.get_by_label("你, x").fill("-1.25")
    figure.get_by_label("query 1 may attend to key 3").click()
    q, k = torch.tensor([[1.0, 0.0], [-1.25, 1.0]]), torch.tensor([[1.0, 0.0], [0.5, 2.0], [1.0, 1.0]])
    mask = torch.tensor([[True, True, False], [True, True, True]])
    expected = bench(q, k, mask, torch.tensor([[1.0, 0.5], [0.0, 1.0]]))
    assert_close(tensor(page, "bench", "scores"), expected["scores"], rtol=1e-5, atol=1e-6)
    assert_close(tensor(page, "bench", "weights"), expected["weights"], rtol=1e-5, atol=1e-6)


def test_typed_words_give_torchs_numbers(open_figures: Opener):
    page = open_figures()
    page.get_by_label("Words").fill("我 zebra b b")
    expected = embed(torch.tensor([3, 2, 2, 0, 0]), torch.tensor(3))
    assert_close(tensor(page, "embed"), expected, rtol=1e-5, atol=1e-6)
    assert "left out: zebra" in page.locator("figure[data-name=embed]").inner_text()


def test_the_numbers_shown_are_those_of_the_outputs(open_figures: Opener):
    page = open_figures()
    figure = page.locator("figure[data-name=weights]")
    figure.get_by_text("Numbers", exact=True).click()
    page.get_by_label("Width").first.fill("0.5")
    rows = figure.locator("details tbody tr").all_inner_texts()
    numbers = torch.tensor([[float(cell) for cell in row.split("\t")[1:]] for row in rows])
    expected = weights(torch.tensor(0.5), "gaussian")
    assert_close(numbers[:, :4], expected, rtol=1e-3, atol=5.1e-5)
    assert_close(numbers[:, 4], torch.ones(4), rtol=0, atol=1e-4)


def test_a_copied_link_opens_the_page_in_the_same_state(open_figures: Opener):
    first = open_figures(permissions=["clipboard-read", "clipboard-write"])
    first.get_by_role("radio", name="laplace").first.check()
    first.get_by_label("Width").first.fill("0.3")
    figure = first.locator("figure[data-name=weights]")
    figure.get_by_role("button", name="Copy link to this state").click()
    figure.get_by_text("Link copied", exact=True).first.wait_for()
    link = first.evaluate("navigator.clipboard.readText()")
    assert link.endswith("#lt:weights=width:0.3,kind:1")
    second = open_figures(link[link.index("#") :])
    assert call(second, "weights", "f.state()") == {"width": 0.3, "kind": 1}


def test_a_link_to_a_run_repeats_it(open_figures: Opener):
    page = open_figures("#lt:learn=width:1,@:7")
    assert call(page, "learn", "f.history().length") == 8
    width = torch.tensor(1.0)
    for _ in range(7):
        width = learn(width, torch.tensor(0.2))["new_width"]
    assert_close(torch.tensor(call(page, "learn", "f.state().width")), width, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "hash",
    [
        "#lt:weights=width:NaN,kind:99,zzz:1",
        "#lt:weights=%E0%A4%A&embed=words:%3Cimg%20src%3Dx%20onerror%3D%22window.harmed%3D1%22%3E",
        "#lt:never=x:" + "9" * 5000,
        "#lt:%3Cscript%3E=1",
    ],
)
def test_a_link_with_nonsense_opens_the_default_and_harms_nothing(open_figures: Opener, hash: str):
    page = open_figures(hash)
    assert call(page, "weights", "f.state()") == {"width": 2.04, "kind": 0}
    assert page.evaluate("window.harmed") is None


def test_markup_in_texts_is_only_ever_shown(open_figures: Opener):
    page = open_figures()
    page.get_by_label("Words").fill(EVIL)
    page.wait_for_timeout(100)
    assert page.locator("figure img, figure script").count() == 0
    assert page.evaluate("window.harmed") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1100])
def test_the_page_fits_and_has_no_serious_accessibility_violation(
    open_figures: Opener, scheme: str, width: int
):
    page = open_figures(width=width, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(d => (d.open = true))")
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("async () => (await axe.run('figure', {preload: false})).violations")
    serious = [
        f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found if v["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_every_control_is_large_enough_for_a_finger(open_figures: Opener):
    page = open_figures(has_touch=True, is_mobile=True, width=360)
    small = page.evaluate(
        """() => [...document.querySelectorAll('figure :is(button, select, input, summary)')]
          .map(e => e.type === 'checkbox' ? e.closest('label') : e)
          .filter(e => e.getClientRects().length && e.getBoundingClientRect().height < 44)
          .map(e => e.outerHTML)"""
    )
    assert small == []


def test_without_javascript_there_is_the_picture_with_its_numbers(open_figures: Opener):
    page = open_figures(java_script_enabled=False)
    pictures = page.locator("figure > img")
    assert pictures.count() == 5
    assert pictures.first.bounding_box()["width"] > 100
    assert page.locator("figure details pre").count() == 5


def test_on_paper_a_dark_figure_is_light_and_without_buttons(open_figures: Opener):
    page = open_figures(color_scheme="dark")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("figure").first.get_attribute("data-lt-theme") == "light"
    assert not page.get_by_role("button", name="Reset").first.is_visible()
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("figure").first.get_attribute("data-lt-theme") == "dark"


def test_with_reduced_motion_a_run_ends_at_the_same_numbers(open_figures: Opener):
    still, moving = (open_figures(reduced_motion=mode) for mode in ("reduce", "no-preference"))
    ends = []
    for page in (still, moving):
        call(page, "learn", "f.step(50)")
        ends.append(call(page, "learn", "f.state().width"))
    assert ends[0] == ends[1]


def test_a_figure_follows_the_theme_of_the_page(open_figures: Opener):
    page = open_figures(color_scheme="light")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    wait_until(page, "document.querySelector('figure').dataset.ltTheme === 'dark'")
    assert page.locator("figure[data-lt-theme=dark]").count() == 5


def test_a_choice_may_be_shown_by_markup_and_still_chosen(chromium: Browser):
    figure = explore(
        lambda x, kind: x * kind * torch.ones(2, 2), x=(0.0, 1.0), kind=Choice({EVIL: 2.0, "b": 3.0})
    )
    page = chromium.new_page()
    page.set_content(f"<main>{figure.to_html()}</main>")
    page.add_script_tag(path=str(DIST / "livetorch.js"))
    page.evaluate("LiveTorch.boot()")
    page.get_by_label("Kind").select_option("b")
    assert page.evaluate("document.querySelector('figure').livetorch.outputs().output.data[0]") == 1.5
    assert page.evaluate("window.harmed") is None
    page.close()
