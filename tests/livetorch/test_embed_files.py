"""The file of one figure: its own scripts and no others, nothing in it that could end one early."""

import base64
import hashlib
import re
from types import SimpleNamespace

import pytest

from livetorch import embed, sphinx

FIGURE = (
    '<figure class="livetorch" data-name="a b">\n<p class="lt-title">Two &amp; three</p>\n'
    '<script type="application/json">{"pool":[1]}</script>\n</figure>'
)


@pytest.fixture
def built(tmp_path):
    """A folder with a script and a part that hold what a page must not, and a part of other views."""
    (tmp_path / "livetorch.js").write_text('say("</script><!-- core");', "utf-8")
    (tmp_path / "livetorch-part.js").write_text("part();", "utf-8")
    (tmp_path / "livetorch-plots.js").write_text("plots();", "utf-8")
    (tmp_path / "parts.json").write_text('{"views": {"bars": "plots"}}', "utf-8")
    (tmp_path / "livetorch.css").write_text(".lt { }", "utf-8")
    return tmp_path


def test_the_policy_names_each_script_of_the_file_by_its_hash(built):
    page = embed.embed_page(FIGURE, "From a book.", folder=built)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert scripts == ['say("<\\/script>\\x3c!-- core");;\npart();']  # in one
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts]
    allowed = re.search(r"script-src ([^;]*);", page)[1]
    assert allowed.split() == ["'wasm-unsafe-eval'", *(f"'sha256-{digest}'" for digest in digests)]
    assert "default-src 'none'" in page
    assert "<title>Two &amp; three</title>" in page
    assert '<link rel="icon" href="data:' in page  # or a browser asks its host for one
    drawn = FIGURE.replace('{"pool"', '{"views":[{"kind":"bars"}],"pool"')
    assert "plots();" in embed.embed_page(drawn, "From a book.", folder=built)


def test_where_a_figure_comes_from_is_text():
    said = embed.credit("a.html?x=1&y", "<b>", "Book & Co", "Me <3")
    assert said == (
        '<a href="a.html?x=1&amp;y" target="_blank" rel="noopener">&lt;b&gt;</a>, '
        "in <cite>Book &amp; Co</cite> by Me &lt;3."
    )


@pytest.mark.parametrize(
    ("base", "home"), [("", ".."), ("https://example.org/book/", "https://example.org/book")]
)
def test_a_page_says_at_each_figure_where_its_file_is(tmp_path, base, home):
    config = SimpleNamespace(
        html_baseurl=base, html_title="Book", project="", author="Us", livetorch_licence="", language="en"
    )
    app = SimpleNamespace(
        outdir=tmp_path,
        config=config,
        env=SimpleNamespace(titles={}),
        builder=SimpleNamespace(get_target_uri=lambda name: f"{name}.html"),
    )
    lent = FIGURE.replace("data-name", 'data-embed="there.html" data-name')
    context = {"body": f"<p>{FIGURE}{lent}</p>", "pathto": lambda name, _: f"../{name}"}
    sphinx.embed_figures(app, "lessons/one", "page.html", context, None)
    assert '<figure class="livetorch" id="lt:a%20b=" data-embed="../embed/one-a-b.html"' in context["body"]
    assert context["body"].count("data-embed=") == 2
    (file,) = (tmp_path / "embed").iterdir()
    assert f'href="{home}/lessons/one.html#lt:a%20b="' in file.read_text("utf-8")
    assert '{"pool":[1]}' in file.read_text("utf-8")
