"""The built site: complete, without warnings, and free of other hosts."""

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from built_site import ROOT, build, log_of, pages
from normal_form import normal, text_of
from sampling import weekly

LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "video": "src"}


class _Loaded(HTMLParser):
    """Collect what a page makes the browser load, and where its links lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        values = dict(attrs)
        if tag in LOADED and values.get(LOADED[tag]):
            self.loaded.append(values[LOADED[tag]])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])


@pytest.fixture(scope="module")
def html(site) -> dict[Path, tuple[str, _Loaded]]:
    """Read every page once; a file of embed/ is one figure for other pages (tests/browser/test_embed.py)."""
    paths = [path for path in sorted(site.rglob("*.html")) if not {"_static", "embed"} & {*path.parts}]
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    return {path: (text, _Loaded(text)) for path, text in texts.items()}


def test_the_book_builds_without_a_warning(site):
    log = re.sub(r"\x1b\[[\d;]*m", "", log_of(site))
    assert [line for line in log.splitlines() if re.search(r"WARNING|ERROR", line)] == []
    assert log.endswith("exit code 0")


def test_every_notebook_and_every_page_is_in_the_table_of_contents():
    found = [*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("book/**/*.md")]
    written = {
        str(path.relative_to(ROOT).with_suffix(""))
        for path in found
        if not {"_ext", "book_static"} & {*path.parts}
    }
    listed = pages()
    assert written - set(listed) == set()
    assert len(listed) == len(set(listed))


def test_every_page_of_the_table_of_contents_is_built(site):
    missing = [name for name in pages() if not (site / f"{name}.html").is_file()]
    assert missing == []


def test_no_page_makes_the_browser_load_anything_from_another_host(html):
    outside = re.compile(r"^(https?:)?//")
    found = {
        f"{path.name}: {url}" for path, (_, read) in html.items() for url in read.loaded if outside.match(url)
    }
    assert found == set()


def test_no_style_sheet_loads_anything_from_another_host(site):
    sheets = sorted(site.rglob("*.css"))
    assert [sheet.name for sheet in sheets] == [
        "book-styles.css",
        "filtered.css",
        "gallery.css",
        "search.css",
    ]  # the others for few pages
    pattern = re.compile(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//")
    assert [sheet.name for sheet in sheets if pattern.search(sheet.read_text(encoding="utf-8"))] == []


def test_links_within_the_book_lead_to_files_that_exist(html):
    broken = set()
    for path, (_, read) in html.items():
        for link in read.links:
            target = link.split("#")[0].split("?")[0]
            if target and not re.match(r"[a-z]+:|//", target) and not (path.parent / target).exists():
                broken.add(f"{path.name}: {link}")
    assert broken == set()


def test_formulas_are_drawn_before_the_page_is_read(html):
    assert sum(text.count('class="katex"') for text, _ in html.values()) > 10
    loaded = {Path(url).name.lower() for _, read in html.values() for url in read.loaded}
    assert [name for name in loaded if "mathjax" in name or name.startswith("tex-")] == []


def test_the_live_runtime_is_loaded_only_where_a_live_figure_is(html):
    for path, (text, read) in html.items():
        has_figure = '<figure class="livetorch' in text
        assert ("livetorch.js" in " ".join(read.loaded)) == has_figure, path.name


@weekly
def test_repository_buttons_appear_only_once_the_address_is_set(site, tmp_path):
    own = _Loaded((site / "notebooks/03a_masked_softmax.html").read_text(encoding="utf-8"))
    assert [link for link in own.links if "mybinder" in link or "colab" in link] == []
    url = "https://github.com/someone/attention"
    config = (ROOT / "_config.yml").read_text(encoding="utf-8")
    assert 'url: ""' in config
    notebook = _small_book(tmp_path, config.replace('url: ""', f'url: "{url}"'))
    result = build(tmp_path / "out", "-W", source=tmp_path)
    assert result.returncode == 0, result.stdout[-2000:]
    page = (tmp_path / "out/_build/html" / f"{notebook}.html").read_text(encoding="utf-8")
    links = _Loaded(page).links
    wanted = [
        "mybinder.org/v2/gh/someone/attention/main",
        "colab.research.google.com/github/someone/attention",
        url,
    ]
    assert [part for part in wanted if not any(part in link for link in links)] == []


def _small_book(folder: Path, config: str) -> str:
    """Lay out a book of two pages with the real settings; gives the notebook's page."""
    for name in ("_ext", "_templates", "book_static"):
        shutil.copytree(ROOT / "book" / name, folder / "book" / name)
    (folder / "book/moved").mkdir()
    for scripts in ("livetorch", "attn_lessons/exercises/questions/built", "pagepython"):
        shutil.copytree(ROOT / scripts, folder / scripts)
    (folder / "book/references.bib").touch()
    (folder / "book/intro.md").write_text("# A small book\n\nWith one chapter.\n", encoding="utf-8")
    (folder / "notebooks").mkdir()
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# One")])
    (folder / "notebooks/one.ipynb").write_text(text_of(normal(notebook)), encoding="utf-8")
    toc = "format: jb-book\nroot: book/intro\nchapters:\n  - file: notebooks/one\n"
    (folder / "_toc.yml").write_text(toc, encoding="utf-8")
    packages = "packages: [attn_helpers, attn_lessons, plain]"
    assert packages in config
    (folder / "_config.yml").write_text(config.replace(packages, "packages: []"), encoding="utf-8")
    return "notebooks/one"
