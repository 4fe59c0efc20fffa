"""What the first page is made of: figures lent by lessons, and the map of the lessons.

    ```{lent-figure} 05b_trained_translator date-translator
    :views: 1
    :query: 6
    ```

shows a notebook's stored figure, with the first views only, query 6 chosen: nothing is stored twice, and the
weights of a model are loaded from the same file as on the lesson's page. ``:do:`` and ``:caption:`` say what
holds for these views, where the lesson's words speak of others; ``:asked:`` loads a model's weights only when
the reader presses a button, and what to do is said then. ``:wrote:`` is how the model goes on with the text
that it is given, said above the still picture and below the live one; ``:arcs:`` draws a map as two rows of
words with this sentence below. ``{lesson-map}`` draws a card for each numbered lesson, part by part: a
picture from its live figures, its question, topic, how long it takes, a place for what the reader did; its
line ``8b three-tokens 1`` says of which figure the first view is 8b's picture.
``{drawn-sum}`` is the drawing of a weighted average.
"""

import html
import itertools
import json
import re
import urllib.parse
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from drawn_sum import drawn
from redrawn import fewer, marks, redraw
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective
from whereabouts import of_book, short

from livetorch.embed import FOLDER as EMBED
from livetorch.embed import file_name
from livetorch.pools import compact, put_back
from tools.course.lessons import AN_EXERCISE, TRIED
from tools.course.lessons import minutes as counted

NUMBERED = re.compile(r"notebooks/\d\d[a-z]?_\w+")
FIGURE = re.compile(  # what stands behind its name says where large constants lie
    r'<figure class="livetorch" data-name="(?P<name>[^"]+)"[^>]*>.*?</figure>', re.DOTALL
)
SPEC = re.compile(r'(<script type="application/json">)(.*?)(</script>)', re.DOTALL)
STILL = re.compile(r'src="data:image/svg\+xml,([^"]*)"')
CAPTION = re.compile(r'<figcaption class="lt-caption">.*?</figcaption>\n', re.DOTALL)
DO = re.compile(r'<p class="lt-do">.*?</p>', re.DOTALL)
FOLDER = "pictures"
NARROW = 400  # pixels of a picture that is read on a phone, too


def outputs(notebook: dict) -> list[str]:
    """Give the HTML outputs of a notebook, in their order."""
    cells = (cell.get("outputs", ()) for cell in notebook["cells"])
    return ["".join(one.get("data", {}).get("text/html", "")) for each in cells for one in each]


def figures(notebook: dict) -> dict[str, str]:
    """Give a notebook's live figures, name to HTML; large constants may lie beside it."""
    found = (FIGURE.search(text) for text in outputs(notebook))
    return {match["name"]: match[0] for match in found if match}


def lent(
    figure: str, views: int | None, room: int | None = None, query: int | None = None, arcs: str | None = None
) -> str:
    """Give a figure with its first views only; its caption, which speaks of all of them, goes as well."""
    spec = spec_of(figure)
    if views is not None:
        spec = {**fewer(spec, range(views)), "caption": None}
        if arcs is not None:
            spec["views"] = [as_arcs(spec["views"][0], arcs)]
        if query is not None:
            spec["views"] = [view | {"query": query} for view in spec["views"]]
        figure = CAPTION.sub("", with_spec(figure, spec), count=1)
    if views is None and room is None:
        return figure
    picture = urllib.parse.quote(redraw(spec, room), safe=" =:/;,()@!*~[]{}|^`?+$")
    return STILL.sub(lambda _: f'src="data:image/svg+xml,{picture}"', figure, count=1)


def as_arcs(view: dict, sentence: str) -> dict:
    """Give a map as two rows of words, joined: less high, and said in a sentence."""
    names = {"axis": view["cols_axis"], "query_axis": view["rows_axis"]}
    return names | {
        "kind": "arcs",
        "source": view["source"],
        "tokens": view["xticks"],
        "query_tokens": view["yticks"],
        "names": [names["query_axis"], names["axis"]],
        "sentences": [sentence, "{queries} look at {key}."],
        "query": 0,
        "rows": 2,
        "play": False,
        "title": view["title"],
    }


def given(spec: dict) -> str:
    """Give the text that a figure's model is given."""
    return next(control["value"] for control in spec["controls"] if control["kind"] == "text")


def wrote(spec: dict, words: str) -> str:
    """Write the text that a model is given, and how it goes on with it."""
    said = "<span>The text, and in bold how the model went on</span>"
    return f'<p class="lent-wrote">{said}{html.escape(given(spec))}<b>{html.escape(words)}</b></p>'


def kept(figure: str, words: str) -> str:
    """Have a figure whose still shows what a model wrote say it below its pictures once it is awake."""
    spec = spec_of(figure)
    caption = f"{spec['caption']} After “{given(spec)}” it wrote “{words}”."
    return with_spec(figure, spec | {"caption": caption})


def spec_of(figure: str) -> dict:
    """Give a figure's JSON."""
    return json.loads(SPEC.search(figure)[2])


def with_spec(figure: str, spec: dict) -> str:
    """Give a figure with other JSON."""
    return SPEC.sub(lambda match: match[1] + compact(spec) + match[3], figure, count=1)


def reworded(figure: str, words: dict[str, str]) -> str:
    """Give a figure with other words as its ``do`` or ``caption``, before it wakes and after."""
    figure = with_spec(figure, spec_of(figure) | words)
    if "do" in words:
        said = f'<p class="lt-do">{html.escape(words["do"])}</p>'
        figure, found = DO.subn(lambda _: said, figure)
        if not found:
            raise ExtensionError("this figure says nothing of what to do that :do: could stand for.")
    if "caption" in words:
        said = f'<figcaption class="lt-caption">{html.escape(words["caption"])}</figcaption>\n'
        before, details, after = CAPTION.sub("", figure).partition("<details")
        if not details:
            raise ExtensionError("this figure has no numbers above which :caption: could stand.")
        figure = before + said + details + after
    return figure


def in_view(notebook: dict) -> list[dict]:
    """Give a notebook's cells but for those that its page folds."""
    return [cell for cell in notebook["cells"] if "deeper" not in cell["metadata"].get("tags", ())]


def minutes(notebook: dict, exercises: bool = True) -> int:
    """Estimate how long a lesson takes with its code in view, in steps of five minutes."""
    left_out = 0 if exercises else AN_EXERCISE * tasks(notebook)["exercises"]
    return 5 * max(1, round((sum(counted(in_view(notebook)).values()) - left_out) / 5))


def tasks(notebook: dict) -> dict[str, int]:
    """Count what a lesson asks in view: questions that reply, and exercises in code."""
    cells = in_view(notebook)
    asked = sum("lt-question" in text for text in outputs({"cells": cells}))
    named = {name for cell in cells for name in TRIED.findall("".join(cell["source"]))}
    return {"asked": asked, "exercises": len(named)}


def title(notebook: dict) -> str:
    """Give a notebook's title, marks of the text left out."""
    first = next("".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "markdown")
    return re.sub(r"[*`$]", "", first.splitlines()[0].lstrip("# "))


def as_data(notebook: dict) -> str:
    """Write what a lesson asks as attributes, for the script that says what of it is done."""
    return " ".join(f'data-{name}="{count}"' for name, count in tasks(notebook).items())


class _OfNotebooks(SphinxDirective):
    def notebook(self, docname: str) -> dict:
        path = Path(self.env.doc2path(docname))
        self.env.note_dependency(str(path))
        return json.loads(path.read_text(encoding="utf-8"))

    def whole(self, docname: str) -> dict[str, str]:
        """Give a notebook's live figures with all constants, name to HTML."""
        beside = Path(self.env.doc2path(docname)).parent
        return {name: put_back(text, beside) for name, text in figures(self.notebook(docname)).items()}

    def link(self, docname: str) -> str:
        return self.env.app.builder.get_relative_uri(self.env.docname, docname)

    def above(self) -> str:
        return self.link("index").rpartition("/")[0] or "."


class LentFigure(_OfNotebooks):
    """The directive ``lent-figure``: a notebook's name and the figure's."""

    required_arguments = 2
    option_spec = {  # noqa: RUF012 (docutils reads it)
        "views": directives.positive_int,
        "do": directives.unchanged,
        "caption": directives.unchanged,
        "class": directives.class_option,
        "asked": directives.flag,
        "query": directives.nonnegative_int,
        "arcs": directives.unchanged,
        "wrote": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Give the figure and a link to it."""
        notebook, name = self.arguments
        found = self.whole(f"notebooks/{notebook}")
        if name not in found:
            raise self.error(f"{notebook} has no live figure {name!r}, but {', '.join(found)}.")
        place = f"{self.link(f'notebooks/{notebook}')}#lt:{urllib.parse.quote(name)}="
        classes = " ".join(["lent", "wide", *self.options.get("class", [])])
        own = f"{self.above()}/{EMBED}/{file_name(notebook, name)}"  # whoever embeds it gets the whole figure
        asked = "asked" in self.options
        room = NARROW if asked else None  # a reader looks at it until they press
        parts = (self.options.get(part) for part in ("query", "arcs"))
        text = lent(found[name], self.options.get("views"), room, *parts)
        text = reworded(text, {part: self.options[part] for part in {"do", "caption"} & self.options.keys()})
        if asked:
            text = DO.sub("", text)  # nothing can be done yet
        if "wrote" in self.options:
            text = text.replace("<img", wrote(spec_of(text), self.options["wrote"]) + "<img", 1)
            text = kept(text, self.options["wrote"])
        text = text.replace(" data-veil>", ">", 1)  # nobody asks here
        marks = f'data-embed="{own}"{" data-asked" * asked}'
        text = text.replace('<figure class="livetorch"', f'<figure class="livetorch" {marks}', 1)
        more = f'<p class="lent-from"><a href="{place}">See it in its lesson</a></p>'
        return [nodes.raw("", f'<div class="{classes}">{text}{more}</div>', format="html")]


class DrawnSum(SphinxDirective):
    """The directive ``drawn-sum``."""

    def run(self) -> list[nodes.Node]:
        """Give the drawing of a question, notes, weights and the answer."""
        return [nodes.raw("", drawn(), format="html")]


class LessonMap(_OfNotebooks):
    """The directive ``lesson-map``."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Give a card for each numbered notebook, in the order of their names."""
        self.env.note_reread()
        folder = Path(self.env.app.outdir, "_static", FOLDER)
        folder.mkdir(parents=True, exist_ok=True)
        captions, self.topics = of_book(self.env.app)
        lessons = [name for name in sorted(self.env.found_docs) if NUMBERED.fullmatch(name)]
        parts = itertools.groupby(lessons, lambda name: captions.get(name, ""))
        self.chosen = {number: told for number, *told in map(str.split, self.content)}
        text = "".join(self.part(part, list(names), folder) for part, names in parts)
        if self.chosen:
            raise self.error(f"no lesson has the number {', '.join(self.chosen)}.")
        note = (
            '<p class="done-note" hidden><span class="done-sum"></span> '
            'This is kept in this browser only. <button type="button">Forget it</button></p>'
        )
        bold = '<div class="lesson-about">Bold: a chapter begins.</div>'
        return [nodes.raw("", f'{bold}{note}<div class="wide">{text}</div>', format="html")]

    def part(self, part: str, names: list[str], folder: Path) -> str:
        """Give the cards of a part; on a phone its first ones, and a press for all."""
        cards = "".join(self.card(name, folder) for name in names)
        words = f"<span>All {len(names)} lessons</span><span>Only the first four</span>"
        return (
            f'<div class="lesson-part" id="{short(part)[1]}">'
            f'<h3>{html.escape(part)}</h3><span class="part-done"></span>'
            f'<ol class="lesson-map">{cards}</ol>'
            f'<details class="lessons-all"><summary>{words}</summary></details></div>'
        )

    def pictured(self, number: str, specs: dict[str, dict]) -> list[dict]:
        """Give the figures that a lesson's picture is sought in: all, or the one view that is told."""
        if number not in self.chosen:
            return list(specs.values())
        name, view = self.chosen.pop(number)
        if name not in specs or int(view) > len(specs[name]["views"]):
            raise self.error(f"{number} has no view {view} of a figure {name!r}, but {', '.join(specs)}.")
        return [fewer(specs[name], [int(view) - 1])]

    def card(self, docname: str, folder: Path) -> str:
        """Write a lesson's picture and give its card."""
        notebook = self.notebook(docname)
        picture = ""
        number = re.match(r"notebooks/0?(\d+[a-z]?)_", docname)[1]
        specs = {name: spec_of(figure) for name, figure in self.whole(docname).items()}
        if specs:
            name = f"{Path(docname).name}.svg"
            Path(folder, name).write_text(marks(self.pictured(number, specs)), encoding="utf-8")
            picture = f'<img src="{self.above()}/_static/{FOLDER}/{name}" alt="" loading="lazy"/>'
        begins = ' class="begins"' * number.endswith("a")  # a chapter
        return (
            f'<li{begins}><a href="{self.link(docname)}" {as_data(notebook)}>'
            f'<span class="lesson-picture">{picture}</span>'
            f'<span class="lesson-title">{number}. {html.escape(title(notebook))}</span>'
            f'<span class="lesson-about">{html.escape(self.topics.get(docname, ""))}</span>'
            '<span class="lesson-done"></span></a></li>'
        )


def setup(app) -> dict[str, bool]:
    """Register the directives."""
    app.add_directive("lent-figure", LentFigure)
    app.add_directive("lesson-map", LessonMap)
    app.add_directive("drawn-sum", DrawnSum)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
