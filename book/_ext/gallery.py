"""Show every live figure of the book on one page: a picture, a sentence, and a link to the figure itself.

    ```{figure-gallery}
    ```

reads the notebooks: a new lesson's figures appear by themselves, part by part. The pictures are drawn
from what the notebooks store (redrawn.py), files that a browser fetches when they come near the
window. Above the list stands a field for words, which `book_static/gallery.js` brings to life; without it the
list is a plain one.
"""

import html
import itertools
import re
from pathlib import Path

from docutils import nodes
from landing import FOLDER, NUMBERED, _OfNotebooks, spec_of, title
from redrawn import size, thumbnail
from sphinx.addnodes import index
from whereabouts import of_book

from livetorch.embed import FOLDER as EMBED
from livetorch.embed import anchor, file_name

MARK = 'class="gallery wide"'
STYLE = "gallery.css"


# What a reader may have in mind, and no figure says: by the beginning of a lesson's name
IDEAS = {
    "01": "average kernel regression smooth",
    "02": "similarity compare score scale root",
    "03": "mask padding hide future length",
    "03a": "mask",
    "04": "additive bahdanau luong",
    "05": "translate translation sequence encoder decoder date",
    "06": "self-attention cost convolution",
    "07": "order position sequence",
    "07a": "positional encoding sine cosine",
    "07b": "rotary rope",
    "07c": "alibi",
    "08": "multi-head heads layer transformer block",
    "08a": "multi-head",
    "09": "memory fast linear sparse window tiles",
    "09a": "flash-attention",
    "09d": "cache generate",
    "10": "write generate text next language gpt temperature",
    "11": "induction copy repeat in-context",
    "12": "image picture patches vision vit digit",
    "13": "explain interpret bert meaning head",
}


def ideas(stem: str) -> str:
    """Give the words under which a lesson's figures are found besides.

    >>> ideas("09d_nothing_twice").endswith("cache generate")
    True
    """
    return " ".join(said for begin, said in IDEAS.items() if stem.startswith(begin))


def words(spec: dict, lesson: str, stem: str) -> str:
    """Collect the words by which a figure is found: its own, and its lesson's title and file name."""
    said = [spec["title"], spec["do"], spec["caption"], lesson, stem.replace("_", " ")]
    said += [spec["name"].replace("-", " "), ideas(stem)]
    controls = [control["label"] for control in spec["controls"]]
    views = [view.get("title") for view in spec["views"]]
    return " ".join(text for text in [*said, *controls, *views, *spec["labels"].values()] if text).lower()


def card(
    spec: dict, lesson: str, found_by: str, link: str, alone: str, image: str, width: int, height: int
) -> str:
    """Write what the page shows of one figure; found_by: its words, alone: its own file."""
    drawn = f'<img src="{html.escape(image)}" width="{width}" height="{height}" alt="" loading="lazy"/>'
    name = html.escape(spec["title"] or spec["name"].replace("-", " "))
    said = html.escape(spec["do"] or spec["caption"] or "")
    told = f'data-words="{html.escape(found_by)}" data-plays="{html.escape(alone)}"'
    return (
        f'<li {told}><span class="gallery-picture">{drawn}</span>'
        f'<small>{html.escape(lesson)}</small><a href="{html.escape(link)}">{name}</a><p>{said}</p></li>'
    )


class FigureGallery(_OfNotebooks):
    """The directive ``figure-gallery``."""

    def run(self) -> list[nodes.Node]:
        """Give the field for words, and a section for each part of the book, lessons first."""
        self.env.note_reread()
        folder = Path(self.env.app.outdir, "_static", FOLDER)
        folder.mkdir(parents=True, exist_ok=True)
        found = {name for name in self.env.found_docs if name.startswith("notebooks/")}
        lessons = sorted(found, key=lambda name: (not NUMBERED.fullmatch(name), name))
        captions, self.topics = of_book(self.env.app)
        cards = {name: self.cards(name, folder) for name in lessons}
        parts = itertools.groupby(filter(cards.get, lessons), lambda name: captions.get(name, ""))
        groups = [self.group(part, [one for name in names for one in cards[name]]) for part, names in parts]
        count = sum(map(len, cards.values()))
        field = (
            '<form class="gallery-find" role="search" hidden>'
            '<label for="gallery-words">Find a figure by a word or an idea</label>'
            '<input id="gallery-words" type="search" name="q" autocomplete="off" spellcheck="false"'
            ' placeholder="why mask, order, drag …"/>'
            f'<output for="gallery-words">{count} figures</output></form>'
        )
        return [nodes.raw("", field, format="html"), *groups]

    def cards(self, docname: str, folder: Path) -> list[str]:
        """Write the pictures of a notebook's figures, and give a card for each."""
        notebook = self.notebook(docname)
        stem, lesson = Path(docname).name, title(notebook)
        number = re.match(r"notebooks/0?(\d+[a-z]?)_", docname)
        heading = f"{number[1]}. {lesson}" if number else lesson
        short = f"{number[1]} {self.topics.get(docname, lesson)}" if number else lesson
        cards = []
        for name, figure in self.whole(docname).items():
            spec = spec_of(figure)
            shown = thumbnail(spec)
            file = re.sub(r"[^\w.-]", "-", f"{stem}-{name}.svg")
            Path(folder, file).write_text(shown, encoding="utf-8")
            image = f"{self.above()}/_static/{FOLDER}/{file}", *size(shown)
            link = f"{self.link(docname)}#{anchor(name)}"
            alone = f"{self.above()}/{EMBED}/{file_name(stem, name)}"
            cards.append(card(spec, short, words(spec, f"{heading} {short}", stem), link, alone, *image))
        return cards

    def group(self, part: str, cards: list[str]) -> nodes.section:
        """Give a part's section with its cards."""
        made = nodes.section(ids=[nodes.make_id(f"figures-{part}")], names=[part])
        made += nodes.title(part, part)
        made += nodes.raw("", f'<ul class="gallery wide">{"".join(cards)}</ul>', format="html")
        return made


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Load script and style sheet on the page with the list."""
    if MARK in (context.get("body") or ""):
        app.add_js_file("gallery.js", loading_method="defer")
        context["sheets_apart"] = [*context.get("sheets_apart", []), STYLE]


def called(topic: str, own: str) -> list[str]:
    """List what a lesson is called by: its topic, the long words of it, and its own ideas, whole and by word.

    >>> called("Adding positions", "sine cosine")
    ['Adding', 'Adding positions', 'cosine', 'positions', 'sine', 'sine cosine']
    """
    return sorted({topic, *re.findall(r"[\w-]{5,}", topic), own, *own.split()} - {""})


def add_ideas(app, doctree: nodes.document, docname: str) -> None:
    """Let the search of the book find a lesson by the same words: "rope" stands in no sentence of 7b.

    What it is called by are entries of the index, which weigh more than a title; genindex.html is made of
    those that were read before.
    """
    stem = docname.removeprefix("notebooks/")
    if stem != docname and (said := ideas(stem)):
        doctree.append(nodes.meta(name="keywords", content=said.replace(" ", ", ")))
        names = called(app._whereabouts[1].get(docname, ""), IDEAS.get(stem[:3], ""))
        doctree.append(index(entries=[("single", name, "", "main", None) for name in names]))


def setup(app) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("figure-gallery", FigureGallery)
    app.connect("doctree-resolved", add_ideas)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
