"""The one form in which notebooks are stored: ``normal`` makes it, ``problems`` says what is not in it.

A notebook in this form depends on its text and its results only: one kernelspec, readable cell ids, execution
counts 1..n, no time stamps, no widget state, no text that changes from machine to machine.
"""

import copy
import re

import nbformat
from plain_links import plain

KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE_INFO = {
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "pygments_lexer": "ipython3",
}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KEPT_CELL_METADATA = ("mystnb", "reason", "tags")
FOLDS = {"source_hidden": {"hide-input", "hide-cell"}, "outputs_hidden": {"hide-output", "hide-cell"}}
IGNORE_TAG = "nbval-ignore-output"
MOST_IGNORED = 2  # cells of one notebook that may be left out of the comparison

GOOD_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
RANDOM_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){0,3}(-[0-9a-f]{12})?")
MACHINE_TEXT = (
    (re.compile(r"\bat 0x[0-9a-fA-F]+|\b0x[0-9a-f]{8,16}\b"), "an object's address"),
    (
        re.compile(r"(?<![\w.:/<-])/(?:home|root|Users|tmp|usr|opt|var|mnt|srv|content|private)/[\w.-]+"),
        "a path of one machine",
    ),
    (re.compile(r"\b[A-Z]:\\\\?[A-Za-z]"), "a path of one machine"),
    (re.compile(r"\bsite-packages\b"), "a path of one machine"),
)


def slug(text: str, most: int = 40) -> str:
    """Give the first words of a text as lower-case words joined by hyphens."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"\$[^$]*\$|`{3}.*|https?://\S+", " ", text).lower())
    while words and not words[0][0].isalpha():
        words.pop(0)
    result = ""
    for word in words:
        if len(result) + len(word) + 1 > most:
            break
        result = f"{result}-{word}" if result else word
    return result


def _suggest_id(cell) -> str:
    lines = [line for line in cell.source.splitlines() if line.strip()]
    if cell.cell_type == "code":  # the last line is the value that the cell shows
        lines = [line for line in reversed(lines) if not line.startswith(("#", ")", "]", "}", " "))]
    for line in lines:
        if candidate := slug(line):
            return candidate
    return "code" if cell.cell_type == "code" else "text"


def _is_good_id(name: str) -> bool:
    return len(name) <= 64 and bool(GOOD_ID.fullmatch(name)) and not RANDOM_ID.fullmatch(name)


def _set_ids(cells) -> None:
    taken: set[str] = set()
    for cell in cells:
        wanted = cell.get("id", "")
        if not _is_good_id(wanted) or wanted in taken:
            wanted = _suggest_id(cell)
        name, number = wanted, 2
        while name in taken:
            name, number = f"{wanted}-{number}", number + 1
        taken.add(name)
        cell["id"] = name


def _normal_outputs(outputs) -> list:
    result = []
    for output in outputs:
        if output.output_type == "stream":
            before = result[-1] if result else None
            if before is not None and before.output_type == "stream" and before.name == output.name:
                before["text"] += output.text
                continue
        if output.output_type in ("display_data", "execute_result"):
            output.data.pop(WIDGET_VIEW, None)
            output["metadata"] = nbformat.NotebookNode()
            if not output.data:
                continue
        if output.output_type == "error":  # the frames name files of this machine
            output["traceback"] = [f"{output.ename}: {output.evalue}"]
        result.append(output)
    return result


def _metadata(given) -> dict:
    """Give the metadata of a cell that are stored; what a tag folds on the site is folded everywhere."""
    kept = {key: given[key] for key in KEPT_CELL_METADATA if given.get(key)}
    tags = kept.get("tags", [])
    folded = {name: True for name, hiding in FOLDS.items() if not hiding.isdisjoint(tags)}
    if folded:
        kept["jupyter"] = folded
    if "source_hidden" in folded:
        kept["cellView"] = "form"  # Colab's word for it
    return kept


def normal(notebook):
    """Give a copy of a notebook in normal form (what ``write`` stores and ``check`` compares with)."""
    result = copy.deepcopy(notebook)
    result["nbformat"], result["nbformat_minor"] = 4, 5
    result["metadata"] = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": LANGUAGE_INFO})
    result["cells"] = [cell for cell in result.cells if cell.source.strip()]
    _set_ids(result.cells)
    count = 0
    for cell in result.cells:
        cell["source"] = "\n".join(line.rstrip() for line in cell.source.splitlines()).strip("\n")
        cell["metadata"] = nbformat.from_dict(_metadata(cell.metadata))
        cell.pop("attachments", None)
        if cell.cell_type != "code":
            cell["source"] = plain(cell.source)
            continue
        count += 1
        cell["execution_count"] = count
        cell["outputs"] = _normal_outputs(cell.outputs)
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output["execution_count"] = count
    return result


def text_of(notebook) -> str:
    """Give the file's text: sorted keys, one space of indentation, a newline at the end."""
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def _output_texts(output):
    if output.output_type == "stream":
        yield output.text
    elif output.output_type == "error":
        yield f"{output.ename}: {output.evalue}"
    else:
        for mime, value in output.data.items():
            if (isinstance(value, str) and not mime.startswith("image/")) or mime == "image/svg+xml":
                yield value


def _problems_of_cell(cell):
    tags = cell.metadata.get("tags", [])
    texts = [cell.source, *(text for output in cell.get("outputs", []) for text in _output_texts(output))]
    for pattern, name in MACHINE_TEXT:
        for text in texts:
            if found := pattern.search(text):
                yield f"holds {name}: {found.group()!r}"
    if cell.cell_type != "code":
        return
    if "nbval-skip" in tags or re.search(r"^# *NBVAL_|^# *PYTEST_", cell.source, re.MULTILINE):
        yield f"leaves itself out of the comparison; the only way is the tag {IGNORE_TAG} with a reason"
    if IGNORE_TAG in tags and not str(cell.metadata.get("reason", "")).strip():
        yield f"has the tag {IGNORE_TAG} without a reason (cell metadata 'reason')"
    for output in cell.outputs:
        if output.output_type == "error" and "raises-exception" not in tags:
            yield f"stores an error: {output.ename}: {output.evalue}"
        if output.output_type == "stream" and output.name == "stderr":
            yield f"prints to stderr: {output.text.strip().splitlines()[0]!r}"
        data = output.get("data", {})
        plain = data.get("text/plain", "")
        if {"image/png", "image/jpeg"} & set(data) and (not plain or plain.startswith("<Figure")):
            yield "shows a picture without its numbers as text/plain: the comparison would not see it change"


def problems(notebook, text: str | None = None) -> list[str]:
    """List what keeps a notebook from being in normal form, each line naming its cell."""
    found = []
    for cell in notebook.cells:
        found += [f"cell {cell.get('id', '?')}: {problem}" for problem in _problems_of_cell(cell)]
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    ignored = [cell.id for cell in code if IGNORE_TAG in cell.metadata.get("tags", [])]
    if len(ignored) > MOST_IGNORED:
        found.append(f"{len(ignored)} cells are left out of the comparison, at most {MOST_IGNORED} may be")
    if code and not any(cell.outputs for cell in code):
        found.append("no stored outputs: run `make notebooks`")
    expected = normal(notebook)
    if text is not None and text != text_of(expected):
        names = [
            after.id
            for before, after in zip(notebook.cells, expected.cells, strict=False)
            if before != after or before.get("id") != after.id
        ]
        where = f"cells {', '.join(names[:5])}" if names else "its metadata or layout"
        found.append(f"not in normal form ({where}): run `python tools/notebooks/notebooks.py write`")
    return found
