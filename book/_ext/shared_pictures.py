"""Give links that are shared a picture: each figure's, in pixels, beside the file that shows it alone.

A message that shows a link takes no SVG, and no server is told what stands behind the `#` of a link:
a page shows its first figure, a figure's own file shows that figure, and pages without one the book's first.
The address has to be whole: `html_baseurl` in `_config.yml`, else the environment's BOOK_URL; without either
the picture is named from the page.
"""

import html
import json
import os
import re
import textwrap
from pathlib import Path

import resvg_py
from landing import figures, spec_of
from redrawn import thumbnail

import livetorch
from livetorch.embed import FOLDER, file_name
from livetorch.pools import put_back

SIZE = 600, 315  # pixels, the least that is shown large
MARGIN = 12
FONT = (
    Path(livetorch.__file__)
    .parents[1]
    .joinpath("node_modules/reveal.js/dist/theme/fonts/source-sans-pro/source-sans-pro-regular.ttf")
)
TAGS = re.compile(r'<meta (?:property="og:|name="twitter:)[^>]*>')
ADDRESS = "BOOK_URL"  # where the site will be, for who builds it and changes no file
WORDS = 240  # letters of a figure's description
FIRST = "notebooks/05b_trained_translator", "date-translator"  # what the book itself shows


def in_pixels(svg: str) -> bytes:
    """Draw a still picture as a PNG of one size, in the middle of a white sheet."""
    width, height = (side - 2 * MARGIN for side in SIZE)
    plain = svg.replace("␣", "_")  # which the font lacks
    placed = plain.replace("<svg ", f'<svg x="{MARGIN}" y="{MARGIN}" ', 1)
    for name, side in (("width", width), ("height", height)):
        placed = re.sub(rf'(<svg [^>]*?) {name}="[^"]*"', rf'\1 {name}="{side}"', placed, count=1)
    sheet = f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE[0]}" height="{SIZE[1]}">{placed}</svg>'
    fonts = {"skip_system_fonts": True, "font_files": [str(FONT)]} if FONT.exists() else {}
    drawn = resvg_py.svg_to_bytes(
        svg_string=sheet, background="white", sans_serif_family="Source Sans Pro", **fonts
    )
    return bytes(drawn)


def picture_of(page: str, figure: str) -> str:
    """Name the file of a figure's picture in a site.

    >>> picture_of("notebooks/01a_weighted_average", "fit")
    'embed/01a_weighted_average-fit.png'
    """
    return f"{FOLDER}/{file_name(page, figure).removesuffix('.html')}.png"


def know_address(app, config) -> None:
    """Take the site's whole address from the environment, where the settings have none."""
    config.html_baseurl = config.html_baseurl or os.environ.get(ADDRESS, "")


def about(spec: dict) -> str:
    """Say what a figure asks for and what it shows, as a message that links to it writes below its title.

    >>> about({"do": "Drag a point.", "caption": None})
    'Drag a point.'
    """
    said = " ".join(part for part in (spec.get("do"), spec.get("caption")) if part)
    return textwrap.shorten(said, WORDS, placeholder=" …")


def tags(image: str, title: str = "", description: str = "") -> str:
    """Write the tags that name a picture, and title and description where the page has none for it."""
    said = {"title": title, "description": description}
    named = "".join(
        f'<meta property="og:{name}" content="{html.escape(text)}"/>\n' for name, text in said.items() if text
    )
    width, height = SIZE
    return (
        f'{named}<meta property="og:image" content="{html.escape(image)}"/>\n'
        f'<meta property="og:image:width" content="{width}"/>\n'
        f'<meta property="og:image:height" content="{height}"/>\n'
        '<meta name="twitter:card" content="summary_large_image"/>'
    )


def say(app, pagename, templatename, context, doctree) -> None:
    """Draw the figures of a notebook, and name the picture of the page and of each figure's own file."""
    page, first = FIRST
    base = app.config.html_baseurl.rstrip("/")
    if pagename.startswith("notebooks/") and doctree is not None:
        path = Path(app.env.doc2path(pagename))
        heads = context["figure_heads"] = {}
        for name, text in figures(json.loads(path.read_text(encoding="utf-8"))).items():
            spec = spec_of(put_back(text, path.parent))
            made = picture_of(pagename, name)
            target = Path(app.outdir, made)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(in_pixels(thumbnail(spec)))
            image = f"{base}/{made}" if base else target.name
            heads[name] = tags(image, spec["title"] or name.replace("-", " "), about(spec))
        page, first = (pagename, next(iter(heads))) if heads else FIRST
    shown = picture_of(page, first)
    context["shared_picture"] = tags(f"{base}/{shown}" if base else context["pathto"](shown, 1))


def say_at_the_doors(app, error: Exception | None) -> None:
    """Give the pages that only lead on, the book's own address among them, the tags of where they lead."""
    if error is not None:
        return
    extra = [Path(app.srcdir, folder) for folder in app.config.html_extra_path]
    moved = [path.relative_to(folder) for folder in extra for path in folder.rglob("*.html")]
    for door in [Path(app.outdir, name) for name in ("index.html", *moved)]:
        text = door.read_text(encoding="utf-8") if door.exists() else ""
        leads = re.search(r"url=([^\"'> ]+)", text)
        page = door.parent / leads[1] if leads else door
        if page == door or not page.exists() or "og:image" in text:
            continue
        found = "\n".join(TAGS.findall(page.read_text(encoding="utf-8")))
        if page.parent != door.parent:
            found = found.replace('"../', '"')
        door.write_text(text.replace("<meta http-equiv", f"{found}\n<meta http-equiv", 1), encoding="utf-8")


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx: before figures are written into files of their own, and behind all."""
    app.connect("config-inited", know_address)
    app.connect("html-page-context", say, priority=500)
    app.connect("build-finished", say_at_the_doors, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
