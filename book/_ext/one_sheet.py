"""Give the book one style sheet: those of the theme and its extensions, less the rules that nothing uses.

The theme alone brings 330 kB of rules in a dozen files, each of which holds up the first paint. A rule stays
when every class and id that its selector asks for occurs as a word in some page of the built book, or in some
script that a page or another script names; rules of the icon font go, with the font.
PurgeCSS does the same in Node; building the book would then need packages of npm, which it now does not.
The book's own sheets stay whole: figures put some of their class names together while they run.
"""

import posixpath
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import tinycss2

NAME = "book-styles.css"
BEFORE = ("styles/theme.css", "styles/pydata-sphinx-theme.css")  # the theme's template loads them by itself
KATEX = ("katex/katex.min.css", "katex/usual.css")
ON_SOME_PAGES = (*KATEX, "livetorch.css", "questions.css")  # added by other extensions of ours
APART = ("filtered.css", "gallery.css", "search.css")  # of few pages, which link it themselves
WORD = re.compile(r"[\w-]+")
NAMES = re.compile(r"\b(?:class|id)=\"([^\"]*)\"")
CLASS_OR_ID = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")
NEGATED = re.compile(r":not\((?:[^()]|\([^()]*\))*\)")
SPACE = re.compile(r"""("[^"]*"|'[^']*')|: """)  # after a colon, where it is not quoted
LINK = re.compile(r"url\(\s*(['\"]?)(?!data:|#|[a-z]+:)([^'\")]+)\1\s*\)")
VARIABLE = re.compile(r"(?<=[{;\s])(--[\w-]+)\s*:[^;{}]*(?:;|(?=\}))")
OURS = tuple(f"{name}.css" for name in ("book", "frame", "page_form", "first_screen", "landing", "icons"))
KEPT_WHOLE = ("livetorch.css", "questions.css", *OURS)
ICON = re.compile("fa[bdlrs]?|fa-.+")  # icons.css draws them: without a font
GROUPS = ("media", "supports", "layer", "container")


def sheets(app) -> list[str]:
    """List the book's style sheets in the order in which they used to be linked, relative to ``_static``."""
    names = [str(file.filename) for file in app.builder._css_files]
    inside = [posixpath.relpath(name, "_static") for name in names if name.startswith("_static")]
    ours = [name for name in inside if name in OURS]
    others = [name for name in inside if name not in ours and name not in BEFORE]
    return list(dict.fromkeys((*BEFORE, *others, *ON_SOME_PAGES, *ours)))


def words(folder: Path) -> set[str]:
    """Collect the classes and ids of all pages below a folder, and every word of the scripts in use."""
    found: set[str] = set()
    scripts = {path: path.read_text(encoding="utf-8", errors="ignore") for path in folder.rglob("*.js")}
    unnamed = set(scripts)  # some extensions bring scripts that no page loads
    for text in scripts.values():
        unnamed -= {path for path in unnamed if path.name in text}
    for path in (path for path in folder.rglob("*.html") if path.parent.name != "embed"):
        text = path.read_text(encoding="utf-8")
        for names in NAMES.findall(text):
            found.update(names.split())
        unnamed -= {path for path in unnamed if path.name in text}
    for path in scripts.keys() - unnamed:
        found.update(WORD.findall(scripts[path]))
    return found


def _matches(selector: str, used: set[str]) -> bool:
    named = CLASS_OR_ID.findall(NEGATED.sub("", selector))
    return set(named) <= used and not any(ICON.fullmatch(name) for name in named)


def _selectors(prelude: list) -> Iterator[str]:
    part: list = []
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            yield tinycss2.serialize(part).strip()
            part = []
        else:
            part.append(token)
    yield tinycss2.serialize(part).strip()


def _rules(content: list, used: set[str]) -> Iterator[str]:
    for rule in tinycss2.parse_rule_list(content, skip_comments=True, skip_whitespace=True):
        if rule.type == "qualified-rule":
            kept = [text for text in _selectors(rule.prelude) if _matches(text, used)]
            body = tinycss2.serialize(rule.content).strip()
            if kept and body:
                yield f"{','.join(kept)}{{{body}}}"
        elif rule.type == "at-rule" and rule.lower_at_keyword in GROUPS and rule.content is not None:
            inner = "".join(_rules(rule.content, used))
            if inner:
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}"
        elif rule.type == "at-rule" and rule.lower_at_keyword not in ("import", "charset"):
            text = rule.serialize()
            if "Awesome" not in text:
                yield text
        elif rule.type == "error":
            raise ValueError(f"A style sheet cannot be read: {rule.message}.")


def _compact(css: str) -> str:
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    css = SPACE.sub(lambda found: found[1] or ":", re.sub(r"\s+", " ", css))
    return re.sub(r"\s*([{};])\s*", r"\1", css).replace(";}", "}")


def _read(static: Path, name: str) -> str:
    """Read a sheet with those that it imports, its links made relative to ``_static``."""
    path, folder = static / name, posixpath.dirname(name)
    text = path.read_text(encoding="utf-8")
    imported = re.findall(r"@import\s+(?:url\()?['\"]?([^'\");]+)", text)
    here = LINK.sub(
        lambda found: f"url({posixpath.normpath(posixpath.join(folder, found[2]))})",
        re.sub(r"@import[^;]+;", "", text),
    )
    return (
        "".join(_read(static, posixpath.normpath(posixpath.join(folder, each))) for each in imported) + here
    )


def _if_read(read: set[str], variable: re.Match) -> str:
    return variable[0] if variable[1] in read else ""


def _without_unused_variables(css: str, used: set[str]) -> str:
    """Drop custom properties that nothing reads, and then those that only these read."""
    while True:
        read = set(re.findall(r"var\(\s*(--[\w-]+)", css)) | used
        defined = {found[1] for found in VARIABLE.finditer(css)}
        if defined <= read:
            return css
        css = VARIABLE.sub(partial(_if_read, read), css)


def purge(css: str, used: set[str]) -> str:
    """Drop comments and the rules whose classes or ids are not all among the words in use."""
    content = tinycss2.parse_component_value_list(css, skip_comments=True)
    return _compact("\n".join(_rules(content, used)))


def write(app, exception) -> None:
    """Write the one sheet when all pages are there, and take the others away."""
    static = Path(app.outdir, "_static")
    if exception is not None or app.builder.format != "html" or not static.is_dir():
        return
    names = [name for name in sheets(app) if (static / name).is_file()]
    used = words(Path(app.outdir))
    parts = []
    for name in names:
        text = _read(static, name)
        parts.append(_compact(text) if name in KEPT_WHOLE else purge(text, used))
    (static / NAME).write_text(_without_unused_variables("\n".join(parts), used), encoding="utf-8")
    for path in static.rglob("*.css"):
        if path.name not in (NAME, *APART):
            path.unlink()


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx, after the extensions that change style sheets when the build ends."""
    app.connect("build-finished", write, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
