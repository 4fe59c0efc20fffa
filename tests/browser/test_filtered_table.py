"""Tables of class "filtered": lists of choices by keyboard, in both themes; plain tables without a script."""

import pytest
from sampling import sample, weekly

PAGE = "notebooks/claims_tested"
SHOWN = """table => [...table.tBodies[0].rows].filter((row) => row.getClientRects().length)
  .map((row) => [row.cells[1].textContent.trim(), row.cells[2].dataset.value])"""
PLAIN = """() => {
  const rows = [["ant", "6", "land"], ["bee", "6", "air"], ["cow", "4", "land"], ["dove", "2", "air"],
    ["emu", "2", "land"], ["fly", "6", "air"]];
  const cells = (row, name) => row.map((cell) => `<${name}>${cell}</${name}>`).join("");
  document.querySelector("article").innerHTML = `<table class="filtered"><thead><tr>
    ${cells(["animal", "legs", "lives"], "th")}</tr></thead><tbody>
    ${rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("")}</tbody></table>`;
}"""


@pytest.fixture(scope="module")
def visit(opening):
    """Open the page once for all that leaves it as it was."""
    with opening(PAGE) as opened:
        yield opened.page


@pytest.fixture
def page(visit):
    """Give the page with all rows."""
    yield visit
    if (back := visit.get_by_role("button", name="Show all")).is_visible():
        back.click()


def table_of(page):
    return page.locator("table.filtered").first


def shown(page):
    return table_of(page).evaluate(SHOWN)


def test_two_lists_choose_rows_by_keyboard_and_say_how_many(page):
    every = shown(page)
    assert len(every) == 49
    topic, verdict = page.get_by_label("Topic"), page.get_by_label("Verdict")
    topic.focus()
    page.keyboard.type("Masks")
    masks = shown(page)
    assert masks == [row for row in every if row[0] == "Masks"]
    assert 0 < len(masks) < 49
    page.keyboard.press("Tab")
    assert verdict.evaluate("list => list === document.activeElement")
    page.keyboard.type("false")
    both = shown(page)
    assert both == [row for row in every if row == ["Masks", "false"]]
    assert both
    assert page.get_by_role("status").filter(has_text=f"{len(both)} of 49 rows").count() == 1
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")  # past the lessons
    page.keyboard.press("Enter")  # Show all
    assert shown(page) == every
    assert topic.evaluate("list => list === document.activeElement")


def test_a_list_says_how_many_rows_a_choice_leaves(page):
    every = shown(page)
    page.get_by_label("Verdict").select_option("true")
    left = page.get_by_label("Topic").evaluate("list => [...list.options].map((o) => [o.text, o.disabled])")
    topics = list(dict.fromkeys(row[0] for row in every))
    counts = [every.count([topic, "true"]) for topic in topics]
    assert left == [
        ["all", False],
        *[[f"{topic} ({n})", n == 0] for topic, n in zip(topics, counts, strict=True)],
    ]
    assert 0 in counts


def test_without_a_script_it_is_a_plain_table(open_page):
    page = open_page(PAGE, javascript=False).page
    assert len(shown(page)) == 49
    assert page.locator(".filtered-bar").count() == 0


def test_each_statement_leads_to_its_entry(open_page):
    page = open_page(PAGE).page
    lost = table_of(page).evaluate(
        """table => [...table.querySelectorAll("a")].filter((link) => {
          const place = document.getElementById(link.hash.slice(1));
          return !place?.querySelector(".cell_output table") || place.querySelector("h3")?.innerText.trim()
            .replace(/#$/, "") !== link.innerText.trim();
        }).map((link) => link.hash)"""
    )
    assert lost == []


@weekly
@pytest.mark.parametrize("theme", sample(["light", "dark"], 1))
def test_it_fits_a_phone_and_can_be_read_in_both_themes(open_page, theme):
    opened = open_page(PAGE, theme=theme, width=360)
    table = table_of(opened.page)
    assert opened.overflow() <= 0
    assert table.evaluate("table => table.scrollWidth - table.clientWidth") <= 1
    assert opened.axe(".filtered-bar") == []
    table.evaluate("table => [...table.tBodies[0].rows].slice(30).forEach((row) => row.remove())")
    assert opened.axe("table.filtered") == []


def test_any_table_gets_lists_for_the_columns_that_repeat_themselves(open_page):
    opened = open_page(PAGE)
    opened.page.evaluate(PLAIN)
    address = opened.page.locator('script[src*="filtered.js"]').get_attribute("src")
    opened.page.add_script_tag(url=opened.page.evaluate("src => new URL(src, location).href", address))
    labels = opened.page.locator(".filtered-bar label")
    assert [labels.nth(i).inner_text().split()[0] for i in range(labels.count())] == ["legs", "lives"]
    opened.page.get_by_label("legs").select_option("6")
    opened.page.get_by_label("lives").select_option("air")
    rows = table_of(opened.page).locator("tbody tr:visible td:first-child")
    assert rows.all_inner_texts() == ["bee", "fly"]


def test_entries_go_with_their_rows_and_an_address_may_choose_a_lesson(page):
    seen = (
        """() => [...document.querySelectorAll("section > h3")].filter((h) => h.checkVisibility()).length"""
    )
    every = page.evaluate(seen)
    assert every == 49
    page.get_by_label("Lesson").select_option("9a")
    assert page.evaluate(seen) == len(shown(page)) == 1
    assert page.locator("section#flash-attention-is-exact").is_visible()
    assert not page.locator("section#masks").is_visible()  # a group without entries
    page.get_by_role("button", name="Show all").click()
    assert page.evaluate(seen) == 49
    page.goto(page.url.partition("#")[0].partition("?")[0] + "?lesson=3b#all-verdicts")
    assert page.get_by_label("Lesson").input_value() == "3b"
    assert page.evaluate(seen) == len(shown(page)) > 1
