"""Reference pages made from the package's docstrings, read as text: building the book needs no torch.

``{module-reference} attn_helpers.masking`` describes a module's public names, and links to the chapters that
its docstring names; each of those chapters gets a list of links to the names.
"""

import re

from docutils import nodes
from docutils.statemachine import StringList
from public_names import (
    Name,
    chapters,
    documented,
    expand,
    explained_in,
    exported,
    path_of,
    public_names,
    sections,
)
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

CODE = re.compile(r"``(.+?)``|`([^`]+)`")
ITEM = re.compile(r"(\*{0,2}[\w., /*]+?):\s+(.*)")


def text_nodes(text: str) -> list[nodes.Node]:
    """Give a line of docstring as nodes: words between backticks are code."""
    result: list[nodes.Node] = []
    end = 0
    for found in CODE.finditer(text):
        result += [nodes.Text(text[end : found.start()]), nodes.literal("", found[1] or found[2])]
        end = found.end()
    return [*result, nodes.Text(text[end:])]


def paragraphs(text: str) -> list[nodes.Node]:
    """Give text as paragraphs; an indented block stays as it is written."""
    result: list[nodes.Node] = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        if block.startswith(("    ", ">>>")):
            result.append(nodes.literal_block("", block, language="python"))
        elif block.strip():
            result.append(nodes.paragraph("", "", *text_nodes(" ".join(block.split()))))
    return result


def _items(text: str) -> list[tuple[str, str]]:
    """Split an Args or Raises section: an item starts where the indentation does."""
    lines = [line for line in text.splitlines() if line.strip()]
    least = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    items: list[list[str]] = []
    for line in lines:
        if not items or len(line) - len(line.lstrip()) == least:
            items.append([line.strip()])
        else:
            items[-1].append(line.strip())
    joined = [" ".join(item) for item in items]
    return [(found[1], found[2]) if (found := ITEM.fullmatch(item)) else ("", item) for item in joined]


def chapter_link(path: str) -> nodes.Node:
    """Link to a chapter by its file."""
    target = "/" + path.removesuffix(".ipynb")
    inner = nodes.inline("", path)
    return addnodes.pending_xref(
        "", inner, refdomain="std", reftype="doc", reftarget=target, refexplicit=False, refwarn=True
    )


def _field(name: str, *content: nodes.Node) -> nodes.field:
    return nodes.field("", nodes.field_name("", name), nodes.field_body("", *content))


def _bullets(text: str) -> nodes.bullet_list:
    rows = nodes.bullet_list()
    for name, meaning in _items(text):
        start = [nodes.strong("", name), nodes.Text(": ")] if name else []
        rows += nodes.list_item("", nodes.paragraph("", "", *start, *text_nodes(meaning)))
    return rows


def docstring_nodes(entry: Name) -> list[nodes.Node]:
    """Give a docstring in the book's form: sentence, formula, fields, example, source."""
    result: list[nodes.Node] = []
    fields = nodes.field_list()
    for name, text in sections(entry.docstring):
        if name in ("Args", "Raises"):
            fields += _field({"Args": "Arguments", "Raises": "Raises"}[name], _bullets(text))
        elif name in ("Returns", "Yields"):
            fields += _field(name, nodes.paragraph("", "", *text_nodes(" ".join(text.split()))))
        elif name == "Formula":
            formula = nodes.paragraph("", "", nodes.literal("", " ".join(text.split()), classes=["formula"]))
            result.append(formula)
        elif name == "Example":
            code = "\n".join(line.removeprefix("    ") for line in text.strip("\n").splitlines())
            fields += _field("Example", nodes.literal_block("", code, language="pycon3"))
        elif name == "Source":
            fields += _field("Source", nodes.paragraph("", "", *text_nodes(" ".join(text.split()))))
        elif name == "":
            result += paragraphs(text)
    return [*result, fields] if fields.children else result


def home_of(entry: Name) -> str:
    """Give the shortest module that a reader may import the name from."""
    for package in (entry.module.split(".")[0], entry.module.rsplit(".", 1)[0]):
        if entry.name in exported(package):
            return package
    return entry.module


class ModuleReference(SphinxDirective):
    """Describe the public names of one module, or of a whole package (``attn_lessons.studies.*``)."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Build the description."""
        result: list[nodes.Node] = []
        for module in expand(self.arguments[0]):
            self.env.note_dependency(str(path_of(module)))
            result += self._chapters(module)
            for entry in public_names(module):
                self.env.note_dependency(str(path_of(entry.module)))
                result += self._describe(entry, home_of(entry))
        return result

    def _chapters(self, module: str) -> list[nodes.Node]:
        known = [path for path in chapters(module) if path.removesuffix(".ipynb") in self.env.found_docs]
        links = [node for path in known for node in (nodes.Text(", "), chapter_link(path))][1:]
        return [nodes.paragraph("", "Explained in ", *links, nodes.Text("."))] if links else []

    def _describe(self, entry: Name, home: str, owner: str = "") -> list[nodes.Node]:
        full = f"{owner}.{entry.name}" if owner else entry.name
        lines = [f"```{{py:{entry.kind}}} {full}{entry.signature}", f":module: {home}"]
        if home != entry.module:
            lines.append(f":canonical: {entry.module}.{full}")
        box = nodes.container()
        self.state.nested_parse(StringList([*lines, "```"], self.get_source_info()[0]), 0, box)
        content = next(box.findall(addnodes.desc_content))
        content += docstring_nodes(entry)
        for member in entry.members:
            content += self._describe(member, home, full)
        return box.children


def link_chapter(app, doctree) -> None:
    """End a chapter with links to the names whose docstrings name it."""
    page = f"{app.env.docname}.ipynb"
    if not page.startswith("notebooks/"):
        return
    entries = {
        f"{home_of(e)}.{e.name}": e for m in documented() for e in public_names(m) if explained_in(e, page)
    }
    if not entries:
        return
    text = nodes.paragraph("")
    for index, (full, entry) in enumerate(sorted(entries.items(), key=lambda item: item[1].name)):
        inner = nodes.literal("", entry.name, classes=["xref", "py", "py-obj"])
        link = {"refdomain": "py", "reftype": "obj", "reftarget": full, "refexplicit": True, "refwarn": True}
        text += [nodes.Text(", ")] if index else []
        text += addnodes.pending_xref("", inner, **link)
    text += nodes.Text(".")
    last = next(iter(reversed(list(doctree.findall(nodes.section)))), doctree)
    while isinstance(last.parent, nodes.section):
        last = last.parent
    box = nodes.container("", text, classes=["chapter-functions"])
    last += [nodes.raw("", "<details><summary>The functions of this chapter</summary>", format="html"), box]
    last += nodes.raw("", "</details>", format="html")


def setup(app) -> dict[str, bool]:
    """Register the directive and the chapters' links with Sphinx."""
    app.add_directive("module-reference", ModuleReference)
    app.connect("doctree-read", link_chapter)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
