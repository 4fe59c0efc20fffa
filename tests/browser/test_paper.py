"""Paper, and a phone without scripts: nothing is lost or cut off. Every page is in test_pages.py."""

# How far views go beyond their card when the page becomes narrower and no script may place them again.
BEYOND = """(width) => {
  const card = document.querySelector("figure.livetorch .lt-card");
  card.parentElement.style.width = width;
  const end = (e) => e.getBoundingClientRect().right;
  const beyond = Math.max(...[...card.querySelectorAll(".lt-stage svg, .lt-grid")].map(end)) - end(card);
  card.parentElement.style.width = "";
  return beyond;
}"""


def test_on_paper_views_that_were_placed_for_a_window_are_whole_and_say_what_is_chosen(open_page):
    page = open_page("notebooks/06a_self_attention").page
    page.evaluate("document.documentElement.dataset.restored = ''")
    page.evaluate("figure => document.querySelector(figure).livetorch.ready", "figure.livetorch")
    assert page.evaluate(BEYOND, "980px") <= 1
    assert page.evaluate(BEYOND, "640px") > 100  # without a word of paper
    page.emulate_media(media="print")
    assert page.evaluate(BEYOND, "640px") <= 1
    page = open_page("notebooks/04a_additive_attention").page
    page.evaluate("document.documentElement.dataset.restored = ''")
    page.locator(".lt-segments").first.wait_for()
    page.emulate_media(media="print")
    assert page.locator(".lt-segments").first.inner_text().split() == ["additive"]


def test_without_scripts_a_picture_on_a_phone_can_be_read(open_page):
    opened = open_page("notebooks/03a_masked_softmax", width=360, javascript=False)
    picture = opened.page.locator("figure.livetorch > img").first
    assert picture.bounding_box()["width"] >= 600
    assert opened.page.locator(".lt-title, .lt-do").first.bounding_box()["x"] >= 12
    assert opened.page.get_by_text("Answer", exact=True).first.is_visible()
