"""Faults that the tests must find: each is planted in a copy, and the test beside it must tell of it.

A fault of a page is HTML put into a built page; a fault of a file replaces some words of a source, or of a file
of the built site (`site:`). `test` is what must fail (a test of pytest, or a file of Node's), `says` what its
failure must hold.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One fault."""

    what: str
    where: str  # a page of the site, or a file
    old: str  # "" in a page: below its title; "head": at the end of its head
    new: str
    test: str
    says: str


PAGES = "tests/browser/test_pages.py::test_"
FIGURES = "tests/browser/test_figures.py::test_"
SHIFT = "<style>@keyframes push {{ to {{ padding-top: 300px }} }} article {{ animation: push 1ms {} forwards }}</style>"
WIDE = '<div style="width: {}px; height: 3px"></div>'

# One page each, so that all are planted in one copy of the site and looked for in one run.
ON_PAGES = [
    Fault(
        "a picture without words for those who do not see it",
        "book/api/masking",
        "",
        '<img src="../../_static/mark.svg">',
        "desktop",
        "image-alt",
    ),
    Fault(
        "a link to a place of the page that is not there",
        "book/api/kernels",
        "",
        '<a href="#nowhere">here</a>',
        "desktop",
        "leads to #nowhere",
    ),
    Fault(
        "a script that does not come",
        "book/api/scoring",
        "",
        '<script src="../../_static/none.js"></script>',
        "desktop",
        "404",
    ),
    Fault(
        "a page that asks another host",
        "book/api/attention",
        "",
        '<img src="http://elsewhere.invalid/a.png" alt="a">',
        "phone",
        "elsewhere.invalid",
    ),
    Fault(
        "what the content policy refuses",
        "book/api/seq2seq",
        "",
        '<p onclick="alert(1)">press</p><object data="a.svg"></object>',
        "desktop",
        "refused by the policy",
    ),
    Fault(
        "a layout shift",
        "book/api/positions",
        "head",
        SHIFT.format("0s").replace("1ms", "400ms"),
        "desktop",
        "moves by itself",
    ),
    Fault(
        "a page wider than a phone",
        "book/api/multihead",
        "",
        WIDE.format(500),
        "phone",
        "phone, overflow",
    ),
    Fault(
        "a page wider than 320 pixels, not than 360",
        "book/api/efficient",
        "",
        WIDE.format(340),
        "phone",
        "overflow at 320",
    ),
    Fault(
        "a page wider than a wide window",
        "book/api/measuring",
        "head",
        "<style>body { min-width: 1700px }</style>",
        "desktop",
        "wide window",
    ),
    Fault(
        "words too pale to read",
        "book/api/exercises",
        "",
        '<p style="color: #bbb">pale</p>',
        "desktop",
        "color-contrast",
    ),
    Fault(
        "words too dark to read in the dark theme",
        "book/api/plotting",
        "head",
        "<style>html[data-theme=dark] article p { color: #444 !important }</style>",
        "phone",
        "color-contrast",
    ),
    Fault(
        "a page that does not say its language",
        "book/live_format",
        '<html lang="en"',
        "<html",
        "desktop",
        "language",
    ),
    Fault(
        "a page that does not say what it is about",
        "book/bibliography",
        'name="description"',
        'name="nothing"',
        "desktop",
        "described by",
    ),
    Fault(
        "a second search box",
        "book/hosting",
        "",
        '<form class="bd-search"><label>Find <input></label></form>',
        "desktop",
        "2 search boxes",
    ),
    Fault(
        "a picture that does not come",
        "book/measured",
        "",
        '<img src="../_static/gone.svg" alt="gone">',
        "desktop",
        "did not come",
    ),
    Fault(
        "a page without its icon",
        "book/third_party",
        'rel="icon"',
        'rel="nothing"',
        "desktop",
        "no icon",
    ),
    Fault("a page that grows too heavy", "book/architecture", "", "{heavy}", "desktop", "weight"),
    Fault(
        "a ring of the focus that is cut",
        "book/notation",
        "head",
        "<style>article p, article li { overflow: hidden } a:focus-visible { outline: 3px solid !important; "
        "outline-offset: 4px !important }</style>",
        "desktop",
        "focus ring",
    ),
    Fault(
        "what scrolls sideways without a sign",
        "book/how_to_read",
        "",
        '<div style="overflow-x: auto; width: 200px"><div style="width: 600px">wide</div></div>',
        "phone",
        "scrolls unseen",
    ),
    Fault(
        "a list in the page's header that is cut",
        "notebooks/09a_same_answer_less_memory",
        "head",
        "<style>.bd-header-article select { width: 40px !important; padding: 0 !important }</style>",
        "phone",
        "is cut",
    ),
    Fault(
        "a formula that is cut on a phone",
        "book/glossary",
        "",
        '<span class="math" style="display: inline-block; width: 20px; overflow: hidden; white-space: nowrap">'
        "a long formula</span>",
        "phone",
        "formula",
    ),
    Fault(
        "code in view that is longer than its box",
        "notebooks/01b_learn_the_width",
        "",
        '<div class="cell"><div class="cell_input"><pre style="overflow: auto">'
        + "long " * 90
        + "</pre></div></div>",
        "desktop",
        "code in view",
    ),
    Fault(
        "an answer in view before it is asked for",
        "notebooks/02a_scores",
        "head",
        "<style>.figure-told { display: block !important }</style>",
        "desktop",
        "in view before",
    ),
    Fault(
        "a figure far from its question",
        "notebooks/03a_masked_softmax",  # its second figure stands below its question, not beside it
        "head",
        "<style>.figure-block figure.livetorch { margin-top: 80px !important }</style>",
        "desktop",
        "below its question",
    ),
    Fault(
        "buttons on paper",
        "notebooks/04a_additive_attention",
        "head",
        "<style>@media print { .bd-header-article { display: flex !important } }</style>",
        "desktop",
        "is on paper",
    ),
    Fault(
        "an answer that nobody without scripts can read",
        "notebooks/05c_look_back",
        "head",
        "<style>.figure-told { display: none }</style>",
        "javascript",
        "an answer is hidden",
    ),
    Fault(
        "a figure that nobody without scripts can see",
        "notebooks/05a_bottleneck",
        "head",
        "<style>figure.livetorch > img { display: none !important }</style>",
        "javascript",
        "cannot be seen",
    ),
    Fault(
        "an icon that large letters squeeze",
        "notebooks/13a_a_heads_name",
        "head",
        "<style>.bd-header-article [class*='fa-'] { max-width: 12px !important }</style>",
        "desktop",
        "icons in large letters",
    ),
    Fault(
        "a page that moves only on a slow line",
        "book/intro",
        "head",
        SHIFT.format("2500ms"),
        "slow",
        "moves by itself",
    ),
]

JS = "livetorch/js/"
CSS = "livetorch/js/css/"
ONE = "[one_of_each_kind]"  # the page of each day

# A copy each. `site` is built again only as far as its scripts go.
IN_SOURCES = [
    Fault(
        "softmax is off by a thousandth",
        JS + "runtime/softmax.mjs",
        "out[start + i] = p[i] / total",
        "out[start + i] = (1.001 * p[i]) / total",
        PAGES + "live_figures_hold_torchs_numbers[notebooks/01a_weighted_average]",
        "number",
    ),
    Fault(
        "a slider does nothing",
        JS + "controls/slider.mjs",
        "oninput: () => touch.refused() || set(read(), { final: false }),\n"
        "    onchange: () => touch.refused() || set(read(), { final: true }),",
        "oninput: () => read(),",
        PAGES + "live_figures_hold_torchs_numbers[notebooks/01a_weighted_average]",
        "does nothing",
    ),
    Fault(
        "buttons of a choice do nothing",
        JS + "controls/segments.mjs",
        "onchange: () => set(i, { final: true })",
        "onchange: () => i",
        PAGES + "live_figures_hold_torchs_numbers[notebooks/07c_lower_with_distance]",
        "does nothing",
    ),
    Fault(
        "a tick does nothing",
        JS + "controls/choice.mjs",
        "onchange: () => set(input.checked, { final: true })",
        "onchange: () => input.checked",
        PAGES + "live_figures_hold_torchs_numbers[notebooks/06a_self_attention]",
        "does nothing",
    ),
    Fault(
        "a step takes the settings of the step before",
        JS + "figure/steps.mjs",
        "if (control) after[name] =",
        "if (control && !control) after[name] =",
        PAGES + "live_figures_hold_torchs_numbers[notebooks/07c_lower_with_distance]",
        "step",
    ),
    Fault(
        "a figure overflows at 320 pixels",
        CSS + "frame.css",
        ".lt-card {",
        ".lt-card {\n  min-width: 345px;",
        FIGURES + "on_a_phone" + ONE,
        "overflow at 320",
    ),
    Fault(
        "a label is cut",
        CSS + "controls.css",
        "",
        ".lt-label { max-width: 30px; overflow: hidden; white-space: nowrap; }",
        FIGURES + "on_a_desktop" + ONE,
        "is cut by",
    ),
    Fault(
        "a title lies over its controls",
        CSS + "frame.css",
        "",
        ".lt-title { margin-bottom: -26px !important; }",
        FIGURES + "on_a_desktop" + ONE,
        "lies over",
    ),
    Fault(
        "a button is too small for a finger",
        CSS + "buttons.css",
        "",
        ".lt-button { min-height: 0 !important; height: 15px !important; padding: 0 !important; }",
        FIGURES + "on_a_phone" + ONE,
        "targets at",
    ),
    Fault(
        "letters are too small to read",
        CSS + "foot.css",
        "",
        ".lt-caption { font-size: 9px !important; }",
        FIGURES + "on_a_phone" + ONE,
        "letters at",
    ),
    Fault(
        "a hole of a third in a card",
        CSS + "rows.css",
        "",
        ".lt-views { min-height: 1200px; }",
        FIGURES + "on_a_desktop" + ONE,
        "hole",
    ),
    Fault(
        "an option makes a figure higher",
        CSS + "segments.css",
        "",
        ".lt-card:has(input:checked[value='1']) { padding-bottom: 80px; } "
        ".lt-card:has(input[type=checkbox]:checked) { padding-bottom: 80px; }",
        FIGURES + "on_a_desktop" + ONE,
        "height",
    ),
    Fault(
        "a view is not drawn",
        CSS + "views.css",
        "",
        ".lt-view:last-child { height: 0; overflow: hidden; }",
        FIGURES + "on_a_desktop" + ONE,
        "parts",
    ),
    Fault(
        "the tools of a figure are gone",
        JS + "figure/card.mjs",
        "lt-tools",
        "lt-no-tools",
        FIGURES + "on_a_desktop" + ONE,
        "",
    ),
    Fault(
        "the live figure is drawn elsewhere than its picture",
        CSS + "views.css",
        "",
        ".lt-stage { transform: translateX(9px); }",
        FIGURES + "in_other_letters[one_of_each_kind-wide]",
        "is not in the picture",
    ),
    Fault(
        "narrow letters lie over each other",
        CSS + "views.css",
        "",
        ".lt-stage text { letter-spacing: 9px; }",
        FIGURES + "in_other_letters[one_of_each_kind-narrow]",
        "layout at",
    ),
    Fault(
        "the picture covers the control that changes it",
        CSS + "rows.css",
        "",
        ".lt-leading { position: sticky !important; top: 0 !important; height: 90vh !important; }",
        FIGURES + "on_a_phone" + ONE,
        "picture",
    ),
    Fault(
        "a field of numbers is cut on a phone",
        CSS + "tables.css",
        "",
        ".lt-cells .lt-scroll { max-width: 60px !important; overflow: hidden; }",
        FIGURES + "on_a_phone" + ONE,
        "is cut",
    ),
    Fault(
        "a swipe that crosses a slider moves it",
        JS + "controls/slider.mjs",
        "if (!touch || touch.held) return false;",
        "if (touch || !touch) return false;",
        FIGURES + "under_a_finger[02a_scores]",
        "slider",
    ),
    Fault(
        "a map cannot be swiped past",
        CSS + "views.css",
        ".lt-view-flow) .lt-stage { touch-action: pan-y pinch-zoom; }",
        ".lt-view-flow) .lt-stage { touch-action: none; }",
        FIGURES + "under_a_finger[03b_minus_infinity]",
        "scrolls by",
    ),
    Fault(
        "an error in the page",
        JS + "figure/card.mjs",
        "export function",
        'setTimeout(() => console.error("fault"), 50);\nexport function',
        FIGURES + "on_a_desktop" + ONE,
        "errors",
    ),
    Fault(
        "a link puts a slider outside its range",
        JS + "controls/slider.mjs",
        "const inside = clamp(value, control.min, control.max);",
        "const inside = value;",
        "tests/livetorch/js/link.test.mjs",
        "outside the range",
    ),
    Fault(
        "a right answer is judged wrong",
        "attn_lessons/exercises/questions/js/choice.mjs",
        "right: value === spec.answer,",
        "right: value === 0,",
        PAGES + "on_a_phone[notebooks/01a_weighted_average]",
        "questions",
    ),
    Fault(
        "an answer is not kept",
        "site:_static/questions.js",
        "localStorage.setItem",
        "String",
        "tests/browser/test_questions.py::test_answers_are_remembered_in_this_browser_until_the_reader_says_forget",
        "",
    ),
    Fault(
        "what was done of a lesson is not counted",
        "site:_static/progress.js",
        "const answered =",
        "const answered = 0 *",
        "tests/browser/test_progress.py::test_the_head_counts_while_the_lesson_is_worked_at_and_forgets_it",
        "",
    ),
    Fault(
        "the gallery leaves out what has the word",
        "site:_static/gallery.js",
        "wanted.filter((word) => card",
        "wanted.filter((word) => !card",
        "tests/browser/test_gallery_page.py::test_words_leave_the_figures_that_have_all_of_them",
        "",
    ),
    Fault(
        "the search finds nothing",
        "site:searchindex.js",
        "Search.setIndex(",
        "(() => {})(",
        "tests/browser/test_reading.py::test_search_finds_a_word",
        "",
    ),
    Fault(
        "a list above a table chooses nothing",
        "site:_static/filtered.js",
        ".hidden =",
        ".unused =",
        "tests/browser/test_filtered_table.py::test_two_lists_choose_rows_by_keyboard_and_say_how_many",
        "",
    ),
    Fault(
        "an embed asks its host for an icon",
        "livetorch/embed.py",
        '<link rel="icon" href="{ICON}">',
        " ",
        "tests/livetorch/test_embed_files.py",
        "icon",
    ),
    Fault(
        "a masked row gives NaN",
        "attn_helpers/masking.py",
        "torch.where(",
        "torch.maximum(",
        "tests/helpers/test_masking.py",
        "",
    ),
    Fault(
        "a link to a setting opens another",
        JS + "figure/link.mjs",
        "${encodeURIComponent(control.name)}:${text}",
        "${encodeURIComponent(control.name)}:${text}0",
        "tests/livetorch/js/link.test.mjs",
        "",
    ),
    Fault(
        "a type that is not there",
        JS + "controls/slider.mjs",
        "const FEW = 5;",
        'const FEW = "5";',
        "types",
        "slider.mjs",
    ),
    Fault(
        "the engine knows a lesson",
        "livetorch/format.py",
        "import math\n",
        "import math\n\nimport attn_lessons\n",
        "imports",
        "livetorch",
    ),
]
