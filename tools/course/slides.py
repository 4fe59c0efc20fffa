"""Write a deck of slides for each chapter: python -m tools.course.slides SITE FOLDER

Live figures are the site's own, in frames; formulas are drawn here; reveal.js comes from npm. The folder
works from any server, from disk, and without a network.
"""

import html
import re
import shutil
import sys
from pathlib import Path

from markdown_it import MarkdownIt

from tools.course import plans
from tools.course.lessons import DATA, ROOT, Lesson, chapters, shown, source

sys.path.insert(0, str(ROOT / "book" / "_ext"))
from katex_math import render

MOST = 15  # slides of a chapter
REVEAL = ROOT / "node_modules" / "reveal.js"
STILL = re.compile(r'<img[^>]* src="(data:image/svg\+xml,[^"]*)"[^>]*>')
CAPTION = re.compile(r'<figcaption class="lt-caption">(.*?)</figcaption>', re.DOTALL)
# The room is for what the class looks at: the notes have the caption, the last slide names the authors.
BARE = "<style>.lt-caption, .lt-foot, .lt-credit { display: none !important; }</style></head>"
CREDIT = "Text and figures: The Attention, Live authors, CC BY 4.0. MIT for code."
MATH = re.compile(r"\$\$(.+?)\$\$|(?<!\$)\$([^$]+)\$(?!\$)", re.DOTALL)
markdown = MarkdownIt("commonmark").enable("table")


def written(text: str) -> str:
    """Give Markdown as HTML, with its formulas drawn and its links as plain words."""
    formulas: list[tuple[str, bool]] = []

    def kept(found: re.Match[str]) -> str:
        formulas.append((found[1] or found[2], bool(found[1])))
        return f"\ue000{len(formulas) - 1}\ue001"

    text = MATH.sub(kept, re.sub(r"(?<!!)\[([^\]]+)\]\([^)]*\)", r"\1", text))
    made = markdown.render(text)
    drawn = render(formulas) if formulas else []
    return re.sub("\ue000(\\d+)\ue001", lambda found: drawn[int(found[1])]["html"], made)


def inline(text: str) -> str:
    """Give a line of Markdown as HTML."""
    return str(markdown.renderInline(text))


def slide(body: str, notes: str, kind: str) -> str:
    """Make one slide, with what the speaker reads."""
    return f'<section class="{kind}">\n{body}\n<aside class="notes">{notes}</aside>\n</section>'


def head(lesson: Lesson) -> str:
    """Say on top of a slide which lesson it belongs to."""
    return f'<p class="of"><b>{lesson.number}</b> {inline(lesson.title)}</p>'


def predict(lesson: Lesson) -> str:
    """Ask the class before anything moves."""
    question, _ = lesson.opening
    options = "".join(f"<li>{written(each['text'])}</li>" for each in question.get("options", ()))
    right = (
        question["options"][question["answer"]]
        if options
        else {"text": question["shown"], "why": question["explain"]}
    )
    said = f"<p><b>Right:</b> {html.escape(right['text'])}. {html.escape(right['why'])}</p>"
    said += "".join(
        f"<p><b>{html.escape(wrong)}</b>: {html.escape(say)}</p>" for _, wrong, say in plans.stumbles(lesson)
    )
    took = ", ".join(f"{what} {number}" for what, number in plans.counted(lesson).items())
    notes = f"<p>Let everybody write an answer down. Minutes in the lesson: {took}.</p>{said}"
    return slide(
        f'{head(lesson)}<h2>{written(question["question"])}</h2><ol type="a">{options}</ol>', notes, "predict"
    )


def figure(lesson: Lesson) -> str:
    """Show the figure that answers, live; on paper its still picture."""
    name = lesson.opening[1]
    cell = next(each for each in lesson.cells if f'data-name="{name}"' in shown(each))
    still = STILL.search(shown(cell))
    picture = f'<img class="still" alt="" src="{still[1]}">' if still else ""
    address = f"embed/{lesson.name}-{name}.html#lt:{name}={plans.data('plans')['states'].get(name, '')}"
    frame = f'<iframe data-src="{address}" title="{html.escape(lesson.title)}"></iframe>'
    told = next((source(each) for each in lesson.cells if source(each).startswith("**What to notice")), "")
    below = CAPTION.search(shown(cell))
    notes = f"<p>{below[1] if below else ''}</p>{written(told)}"
    return slide(f'{head(lesson)}<div class="figure">{frame}{picture}</div>', notes, "live")


def steps(latex: str) -> list[str]:
    """Cut a formula into lines that come one after the other: at its line ends, else at each equals sign."""
    inside = (
        re.sub(r"\\(?:begin|end)\{(?:aligned|align\*?|gather(?:ed|\*)?|cases)\}", "", latex)
        if "cases" not in latex
        else latex
    )
    lines = [part.replace("&", "").strip() for part in re.split(r"\\\\(?:\[\w+\])?|,?\s*\\q?quad", inside)]
    uncut = any(line.count("{") != line.count("}") for line in lines)
    if uncut or "cases" in latex or "matrix" in latex:
        return [latex]
    if len(lines) > 1:
        return [line for line in lines if line]
    depth, parts, begin = 0, [], 0
    for at, letter in enumerate(inside):
        depth += (letter in "{(") - (letter in "})")
        if letter == "=" and depth == 0 and inside[:at].strip():
            parts.append(inside[begin:at].strip())
            begin = at
    parts = [part for part in [*parts, inside[begin:].strip()] if part]
    balanced = all(
        part.count("{") == part.count("}") and part.count("\\left") == part.count("\\right") for part in parts
    )
    return parts if balanced else [latex]


def formula(lesson: Lesson) -> str:
    """Show the lesson's first formula in steps, then what its letters mean."""
    parts = [part["html"] for part in render([(part, True) for part in steps(lesson.formula)])]
    lines = "".join(
        f'<div class="step{" fragment" if i else ""}">{part}</div>' for i, part in enumerate(parts)
    )
    cell = next(source(each) for each in lesson.cells if lesson.formula[:20] in source(each))
    words = re.split(r"\$\$[^\n]*(?:\n|$)", cell)[-1].strip().split("\n\n")[0]
    # what leads to code stays in the lesson
    sentences = [each for each in re.split(r"(?<=\.)\s+", words) if not each.endswith(":")]
    words = " ".join(each for each in sentences if not each.startswith("In code"))
    fits = words and len(words) < 420 and not words.startswith("|")
    said = f'<div class="fragment words">{written(words)}</div>' if fits else ""
    return slide(f'{head(lesson)}<div class="steps">{lines}</div>{said}', written(cell), "formula")


def mistakes(lesson: Lesson) -> str:
    """Show the lesson's table of mistakes."""
    notes = "".join(
        f"<p>{html.escape(wrong)}: {html.escape(say)}</p>" for _, wrong, say in plans.stumbles(lesson)
    )
    return slide(f"{head(lesson)}<h2>Mistakes to know</h2>{written(lesson.mistakes)}", notes, "mistakes")


def short_title(lesson: Lesson) -> str:
    """Give a lesson's name on the map of the lessons."""
    text = (ROOT / "book" / "how_to_read.md").read_text(encoding="utf-8")
    return re.search(rf"^{lesson.name} \| ([^|]+?) \|", text, re.MULTILINE)[1]  # type: ignore[index]


def deck(chapter: str) -> list[str]:
    """Make a chapter's slides: as many of each lesson as fit, the prediction and its figure first."""
    found = chapters()[chapter]
    each = (MOST - 2) // len(found)
    titles = "".join(
        f'<li><img src="pictures/{lesson.name}.svg" alt="">'
        f"<span><b>{lesson.number}</b> {inline(lesson.title)}</span></li>"
        for lesson in found
    )
    minutes = sum(sum(plans.counted(lesson).values()) for lesson in found)
    notes = f"<p>The lessons of this chapter take {minutes} minutes to read and work through.</p>"
    name = html.escape(short_title(found[0]))
    opens = f'<p class="of">Chapter {int(chapter)}</p><h1>{name}</h1><ul>{titles}</ul>'
    slides = [slide(opens, notes, "first")]
    for lesson in found:
        wanted = [
            predict,
            figure,
            *([mistakes] if lesson.mistakes else []),
            *([formula] if lesson.formula else []),
        ]
        chosen = wanted[:each]
        slides += [make(lesson) for make in (predict, figure, formula, mistakes) if make in chosen]
    aims = "".join(f"<li><b>{lesson.number}</b> {html.escape(plans.aim(lesson))}</li>" for lesson in found)
    ends = f'<h2>Now you can</h2><ul>{aims}</ul><p class="credit">{CREDIT}</p>'
    return [*slides, slide(ends, "<p>Hand out the homework.</p>", "last")]


def write(site: Path, folder: Path, first: int | None = None) -> list[Path]:
    """Write the decks, or only the first of them, and beside them what they need."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("dist/reveal.js", "dist/reveal.css", "dist/reset.css", "plugin/notes/notes.js", "LICENSE"):
        (folder / "reveal" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REVEAL / name, folder / "reveal" / name)
    shutil.copytree(ROOT / "book" / "book_static" / "katex", folder / "katex")
    shutil.copytree(site / "_static" / "pictures", folder / "pictures")
    for name in ("slides.css", "slides.js"):
        shutil.copy(DATA / name, folder)
    page = (DATA / "slides.html").read_text(encoding="utf-8")
    made = []
    (folder / "embed").mkdir()
    for chapter, found in list(chapters().items())[:first]:
        for lesson in found:
            name = f"{lesson.name}-{lesson.opening[1]}.html"
            shown_alone = (site / "embed" / name).read_text(encoding="utf-8")
            (folder / "embed" / name).write_text(shown_alone.replace("</head>", BARE, 1), encoding="utf-8")
        path = folder / f"chapter_{chapter}.html"
        title = f"Chapter {int(chapter)}: {found[0].title}"
        text = page.replace("{title}", html.escape(title)).replace("{slides}", "\n".join(deck(chapter)))
        path.write_text(text, encoding="utf-8")
        made.append(path)
    return made


if __name__ == "__main__":
    decks = write(Path(sys.argv[1]), Path(sys.argv[2]))
    print(f"{len(decks)} decks in {sys.argv[2]}; open one in a browser, S shows the notes.")
