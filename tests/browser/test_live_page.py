"""Live figures in a real browser, on a page of their own that is opened from disk, hold torch's numbers."""

import torch
from live_page import Opener, bench, call, embed, learn, tensor, weights
from torch.testing import assert_close
from waiting import wait_until


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
    figure.locator("details tbody tr").first.wait_for()  # tables are made when they are opened
    rows = figure.locator("details tbody tr").all_inner_texts()
    numbers = torch.tensor([[float(cell) for cell in row.split("\t")[1:]] for row in rows])
    expected = weights(torch.tensor(0.5), "gaussian")
    assert_close(numbers[:, :4], expected, rtol=1e-3, atol=5.1e-5)
    assert_close(numbers[:, 4], torch.ones(4), rtol=0, atol=1e-4)
