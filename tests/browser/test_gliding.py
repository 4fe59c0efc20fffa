"""A press lets a map fade into what is new; a hand that holds something, and reduced motion, do not."""

import pytest
from stored_figures import notebooks, write_page
from waiting import wait_until

FIGURE = "document.querySelector('figure[data-name=\"who-hears-whom\"]')"
SWITCH = f"""(held) => {{
  const figure = {FIGURE};
  const box = figure.querySelector("input[type=checkbox]");
  box.dispatchEvent(new PointerEvent("pointerdown", {{ bubbles: true }}));
  if (!held) box.dispatchEvent(new PointerEvent("pointerup", {{ bubbles: true }}));
  box.click();
  figure.livetorch.outputs();
  return figure.querySelectorAll("canvas.lt-old").length;
}}"""


@pytest.mark.parametrize(
    ("motion", "held", "fading"),
    [("no-preference", False, 1), ("no-preference", True, 0), ("reduce", False, 0)],
)
def test_a_map_fades_after_a_press_only(chromium, tmp_path, motion, held, fading):
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, reduced_motion=motion)
    page = context.new_page()
    [notebook] = [path for path in notebooks() if path.stem == "03a_masked_softmax"]
    page.goto(write_page(notebook, tmp_path))
    page.evaluate(f"{FIGURE}.livetorch.ready")
    page.evaluate(f"{FIGURE}.livetorch.outputs(); window.drawn = performance.now()")
    wait_until(
        page, "performance.now() - window.drawn > 400"
    )  # pictures that follow each other fast do not fade
    assert page.evaluate(SWITCH, held) == fading
    wait_until(page, "!document.querySelector('canvas.lt-old')")
    context.close()
