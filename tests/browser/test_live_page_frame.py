"""What stands around live figures in a real browser: links, hostile texts, themes, paper, fingers."""

import pytest
import torch
from built_site import ROOT
from live_page import DIST, EVIL, Opener, call, learn
from playwright.sync_api import Browser
from sampling import sample
from torch.testing import assert_close
from waiting import FRAMES, wait_until

from livetorch import Choice, explore

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"


def test_a_copied_link_opens_the_page_in_the_same_state(open_figures: Opener):
    first = open_figures(permissions=["clipboard-read", "clipboard-write"])
    first.get_by_role("radio", name="laplace").first.check()
    first.get_by_label("Width").first.fill("0.3")
    figure = first.locator("figure[data-name=weights]")
    figure.get_by_role("button", name="Copy link").click()
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
    ("scheme", "width"),
    sample(
        [("light", 320), ("light", 1100), ("dark", 320), ("dark", 1100)], 0, [("light", 1100), ("dark", 320)]
    ),
)
def test_the_page_fits_and_has_no_serious_accessibility_violation(
    open_figures: Opener, scheme: str, width: int
):
    page = open_figures(width=width, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(d => (d.open = true))")
    page.evaluate(FRAMES)
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
