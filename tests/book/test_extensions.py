"""The book's own Sphinx extensions, piece by piece."""

import re
import struct
from types import SimpleNamespace

import katex_math
import lean_pages
import one_sheet
import public_names
import pytest
import shared_pictures
import svg_figures
from docutils import nodes
from sphinx.errors import ExtensionError

SVG = """<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" class="heatmap" viewBox="0 0 9 9">
<style>.heatmap{color:#222;background:#fff}</style>
<title>Weights</title>
<defs><clipPath id="p1"><rect/></clipPath><path id="g"/></defs>
<g clip-path="url(#p1)"><use xlink:href="#g" fill="currentColor"/></g></svg>"""


def test_a_formula_is_drawn_with_its_mathml():
    (result,) = katex_math.render([("x^2", False)])
    assert "<math" in result["html"]
    assert 'class="katex-html"' in result["html"]


def test_a_formula_that_cannot_be_read_gives_an_error_and_leaves_the_others():
    good, bad = katex_math.render([("x", False), (r"\frac{1}{", True)])
    assert "html" in good
    assert "KaTeX parse error" in bad["error"]


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"a \\ b", r"\begin{aligned}a \\ b\end{aligned}"),
        (r"\begin{align} a \end{align}", r"\begin{align*} a \end{align*}"),
        ("a", "a"),
        (r"a, \quad \{ \frac{1 \quad 2}{3}", r"a, \quad\allowbreak  \{ \frac{1 \quad 2}{3}"),
        ("\\begin{gathered}\na \\\\ b\n\\end{gathered}", r"a \\ b"),
    ],
)
def test_displayed_formulas_are_made_ready_for_katex(latex, expected):
    node = nodes.math_block(latex, latex, nowrap=False)
    assert katex_math.formula_of(node) == (expected, True)


def test_a_line_of_a_formula_ends_at_a_quad_and_its_latex_stays():
    (result,) = katex_math.render([(katex_math.breakable(r"a = 1, \qquad b = 2"), True)])
    assert result["html"].count('<span class="part">') == 2
    assert '</span><span style="word-spacing:1.75em"> </span><span class="part">' in result["html"]
    assert r"a = 1, \qquad b = 2</annotation>" in result["html"]
    assert result["html"].count("<span") == result["html"].count("</span>")


@pytest.mark.parametrize(
    ("before", "after", "tied"),
    [
        ("is ", ". In", ("", ".")),
        ("(", "), so", ("(", "),")),
        ("at ", " is", ("", "")),
        ("", "-th", ("", "-")),
    ],
)
def test_the_signs_that_touch_a_formula_stay_with_it(before, after, tied):
    node = nodes.math("x", "x")
    line = nodes.paragraph("", "", nodes.Text(before), node, nodes.Text(after))
    katex_math.tie(None, line, "")
    assert (node.get("tied_before", ""), node.get("tied_after", "")) == tied
    assert line.astext() == before.removesuffix(tied[0] or "\0") + "x" + after.removeprefix(tied[1])


def test_an_inline_picture_follows_the_page_and_has_a_name():
    result = svg_figures.figure(SVG, "0.5 0.5", "f1-")
    assert 'role="img" aria-label="Weights"' in result
    assert "background:#fff" not in result
    assert '<pre class="figure-numbers" tabindex="0">0.5 0.5</pre>' in result
    assert "<?xml" not in result
    assert "<title>" not in result


@pytest.mark.parametrize("style", ["", ' style="height: auto"'])
@pytest.mark.parametrize(("letters", "least"), [("8", 750), ("10", 600), ("5", 800)])
def test_a_wide_picture_keeps_letters_that_can_be_read(style, letters, least):
    text = f'<text font-size="12">a</text><text font-size="{letters}">b</text>'
    opening = svg_figures.theme_following(f'<svg viewBox="0 0 600 200"{style}>{text}</svg>', "f1-", "Wide")
    assert opening.count("style=") == 1
    assert f'style="--least: {least}px' in opening


def panel(left, right, more=""):
    frame = f"M {left} 90  L {right} 90  L {right} 10  z "
    return f'<g>\n<g>\n<path d="{frame}" style="fill: none"/>\n</g>\n{more}</g>'


Y_NAME = '<g><text font-size="9" text-anchor="middle" x="114" y="50" transform="rotate(-90 1 5)">y</text></g>'


@pytest.mark.parametrize(
    ("frames", "boxes"),
    [  # in the first the scale of colours stays with its panel
        ([panel(20, 100), panel(130, 210), panel(220, 228)], ["0.00 0 108.00 99", "108.00 0 192.00 99"]),
        ([panel(20, 100), panel(130, 210, Y_NAME)], ["0.00 0 102.50 99", "102.50 0 197.50 99"]),
        ([panel(20, 200), panel(210, 218)], ["0 0 300 99"]),  # a scale of colours is no panel
        ([panel(20, 200), panel(20, 200)], ["0 0 300 99"]),  # nor what lies below
        ([panel(20, 100), "<g><text>of both</text></g>", panel(130, 210)], ["0 0 300 99"]),
    ],
)
def test_panels_side_by_side_become_pictures_that_a_phone_puts_in_rows(frames, boxes):
    svg = f'<svg viewBox="0 0 300 99"><g>\n<g><path d="M 0 0"/></g>{"".join(frames)}</g><defs/></svg>'
    result = svg_figures.figure(svg, "", "f1-")
    assert re.findall('viewBox="([^"]+)"', result) == boxes
    drawn = sum(frame.count("<path") for frame in frames)
    assert result.count("<path") - drawn == (
        len(boxes) == 1
    )  # the ground goes, and no frame of a panel or a scale
    assert result.count("<defs/>") == result.count('role="img"') == 1


def test_an_inline_picture_keeps_its_references_apart_from_other_pictures():
    result = svg_figures.figure(SVG, "", "f7-")
    assert 'id="f7-p1"' in result
    assert "url(#f7-p1)" in result
    assert 'href="#f7-g"' in result


def test_a_picture_without_title_is_named_by_the_beginning_of_its_numbers():
    assert svg_figures.label_of("<svg></svg>", "0.25  0.75\n1 0") == "0.25 0.75 1 0"
    assert len(svg_figures.label_of("<svg></svg>", "0.123 " * 100)) < 130
    maths = r"<svg><title>Head $h$: $\alpha_{hj}$, $5 each</title></svg>"
    assert svg_figures.label_of(maths, "") == "Head h: alpha hj, $5 each"


def test_numbers_are_set_as_text():
    assert "&lt;b&gt;" in svg_figures.figure("<svg></svg>", "<b>", "f1-")


def test_rules_that_draw_icon_fonts_are_taken_out():
    sheet = """.fa-sun:before,.fa-x:before{content:"x"}.fade{d:e}.fas.used{a:b}
    @font-face{font-family:"Font Awesome";src:url(a)}"""
    assert one_sheet.purge(sheet, {"fa-sun", "fa-x", "fas", "used", "fade"}) == ".fade{d:e}"


def test_a_theme_script_of_another_shape_stops_the_build():
    assert lean_pages.without_measuring(f"(()=>{{a,{lean_pages.MEASURING}") == "(()=>{a,0})();"
    with pytest.raises(ExtensionError, match="the theme's script has changed"):
        lean_pages.without_measuring("(()=>{a})();")


def test_a_header_button_of_another_kind_stops_the_build():
    with pytest.raises(ExtensionError, match="does not know the button"):
        lean_pages.refuse_button({"type": "javascript", "javascript": "toggleFullScreen()"})


def test_a_docstring_is_split_into_its_parts():
    text = (
        "A sentence.\n\nFormula: w = x\n\nMore.\n\nArgs:\n    x: a number.\n\nChapter: notebooks/01_a.ipynb"
    )
    names = [name for name, _ in public_names.sections(text)]
    assert names == ["", "Formula", "", "Args", "Chapter"]


def test_signatures_are_shown_without_types():
    names = {entry.name: entry for entry in public_names.public_names("attn_helpers.masking")}
    assert names["masked_softmax"].signature == "(scores, mask=None, *, valid_lens=None)"


def test_a_style_sheet_loses_the_rules_that_nothing_uses():
    css = """/* a comment */ .used, .unused b { color: red } .unused { color: blue }
    @media print { .unused { margin: 0 } #used.used:not(.unused) { margin: 1px } }
    @media screen { .unused { margin: 0 } }
    @font-face { font-family: "Kept" } p > a[href^="#"] { color: green }"""
    kept = one_sheet.purge(css, {"used"})
    assert kept.replace(" ", "") == (
        '.used{color:red}@mediaprint{#used.used:not(.unused){margin:1px}}@font-face{font-family:"Kept"}'
        'p>a[href^="#"]{color:green}'
    )
    assert one_sheet.purge('p { content: "a: b"; color: red }', set()) == 'p{content:"a: b";color:red}'


def test_a_script_that_no_page_names_keeps_no_rule(tmp_path):
    (tmp_path / "page.html").write_text('<p class="one"><script src="named.js"></script>')
    (tmp_path / "named.js").write_text('add("two"); load("./further.js")')
    (tmp_path / "further.js").write_text('add("three")')
    (tmp_path / "unnamed.js").write_text('add("four")')
    assert one_sheet.words(tmp_path) & {"one", "two", "three", "four"} == {"one", "two", "three"}


def test_variables_that_nothing_reads_are_dropped_with_those_that_only_they_read():
    css = ":root{--a:1px;--b:var(--a);--c:2px;--d:3px}p{margin:var(--c)}"
    assert one_sheet._without_unused_variables(css, {"--d"}) == ":root{--c:2px;--d:3px}p{margin:var(--c)}"


def test_the_books_own_rules_stay_even_where_their_classes_are_made_at_run_time(site):
    sheet = (site / "_static" / one_sheet.NAME).read_text(encoding="utf-8")
    assert ".lt-view-heatmap .lt-svg" in sheet
    assert not re.search(r"url\((?!['\"]?data:)[^)]*\.\./", sheet)  # links are relative to the one sheet
    linked = {
        path.split("?")[0].split("#")[0] for path in re.findall(r"url\(['\"]?(?!data:)([^)'\"]+)", sheet)
    }
    assert linked
    assert [path for path in linked if not (site / "_static" / path).is_file()] == []


def test_scripts_come_after_the_page_in_the_order_in_which_they_are_needed(site):
    page = (site / "notebooks" / "03a_masked_softmax.html").read_text(encoding="utf-8")
    kept = re.search("<template data-later>(.*?)</template>", page, re.DOTALL)[1]
    sources = re.findall(r'src="([^"]+)"', kept)
    order = [name for source in sources for name in lean_pages.LATE if name in source]
    assert order == [*lean_pages.LATE]


@pytest.mark.parametrize(
    ("name", "needed"),  # many numbers, operators that are not in the core, and views that are plots
    [("01b_learn_the_width", ["lanes", "plots"]), ("02b_scaling", ["operators", "plots"])],
)
def test_what_the_first_figure_needs_is_asked_for_at_once_and_behind_the_sheet(site, name, needed):
    page = (site / "notebooks" / f"{name}.html").read_text(encoding="utf-8")
    start, _, rest = page.partition('<script async src="../_static/livetorch.js?v=')
    asked = re.findall(r'<link rel="preload" as="script"[^>]*/livetorch-(\w+)\.js', start)
    assert asked == needed
    assert start.index('rel="stylesheet"') < start.index("<figure class=") < start.index('as="script"')
    assert len(start) < len(page) / 2
    assert "livetorch" not in "".join(re.findall(r"<(?:script|link)[^>]*>", rest))


def test_the_choice_of_code_cannot_be_made_before_its_script_hears_of_it(site):
    page = (site / "notebooks" / "03a_masked_softmax.html").read_text(encoding="utf-8")
    assert re.search(r"<select data-code-choice[^>]* disabled>", page)


def test_links_of_a_notebook_are_citations_and_numbers_of_equations_on_the_site(site):
    page = (site / "notebooks" / "03a_masked_softmax.html").read_text(encoding="utf-8")
    assert 'href="#equation-masked-softmax"' in page
    assert re.search(r'href="\.\./book/bibliography\.html#[\w-]+"', page)
    assert "references.bib" not in page


@pytest.mark.parametrize(
    "page", ["index", "book/intro", "notebooks/06a_self_attention", "embed/06a_self_attention-example"]
)
def test_a_shared_link_shows_a_picture_that_is_there(site, page):
    """A PNG of the promised size: it holds more than one colour, and few bytes."""
    head = (site / f"{page}.html").read_text(encoding="utf-8").partition("</head>")[0]
    image = re.search(r'<meta property="og:image" content="([^"]+)"', head)[1]
    data = ((site / f"{page}.html").parent / image).resolve().read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == shared_pictures.SIZE
    assert 4_000 < len(data) < 60_000
    assert re.search(r'<meta property="og:title" content="[^"]{5,}"', head)
    assert re.search(r'<meta property="og:description" content="[^"]{20,}"', head)


@pytest.mark.parametrize(("written", "whole"), [("", "https://there/book"), ("https://own", "https://own")])
def test_the_settings_know_the_sites_address_before_the_environment_does(monkeypatch, written, whole):
    monkeypatch.setenv(shared_pictures.ADDRESS, "https://there/book")
    config = SimpleNamespace(html_baseurl=written)
    shared_pictures.know_address(None, config)
    assert config.html_baseurl == whole
