"""What a cell shows: printed text in pieces, and values as text, HTML or a live figure."""

import html
import io
import re
import time
from collections.abc import Callable
from typing import Any

MOST = 200_000  # signs that one cell may print; a loop that prints forever does not fill the page
PIECE, PAUSE = 4096, 0.05  # a piece goes out when it is so long, or so many seconds after the last
FENCE = re.compile(r"^```(\w*)\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


class Stream(io.TextIOBase):
    """Takes printed text, and hands it on in pieces."""

    def __init__(self, send: Callable[[str], object]) -> None:
        self._send, self._size = send, 0
        self._parts: list[str] = []
        self._left, self._sent = MOST, 0.0

    def begin(self) -> None:
        """Begin a cell."""
        self._left = MOST

    def writable(self) -> bool:
        """Say that text can be written."""
        return True

    def write(self, text: str) -> int:
        """Take text."""
        if text and self._left > 0:
            kept = text[: self._left]
            self._parts.append(kept)
            self._size += len(kept)
            self._left -= len(text)
            if self._left <= 0:
                self._parts.append(f"\n(more than {MOST:,} signs: the rest is not shown)\n")
            ended = text.endswith(("\n", "\r")) and time.monotonic() - self._sent > PAUSE
            if ended or self._size >= PIECE:
                self.flush()
        return len(text)

    def flush(self) -> None:
        """Hand on what is there."""
        if self._parts:
            text = "".join(self._parts)
            self._parts, self._size, self._sent = [], 0, time.monotonic()
            self._send(text)


class Markup:
    """A text that is shown as HTML, or as Markdown, as IPython's classes of these names do."""

    kind = "text/html"

    def __init__(self, data: str = "") -> None:
        self.data = data

    def __repr__(self) -> str:
        return f"<IPython.core.display.{type(self).__name__} object>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": repr(self), self.kind: self.data}


class HTML(Markup):
    """HTML to show."""


class Markdown(Markup):
    """Markdown to show."""

    kind = "text/markdown"


class SVG(Markup):
    """A drawing to show."""

    kind = "image/svg+xml"


def bundle(value: object) -> tuple[str, str, str]:
    """Give the kind of output that a value is, what it holds, and its text."""
    data = _data(value)
    text = data.get("text/plain")
    text = repr(value) if text is None else text
    if found := data.get("text/html"):
        return ("figure" if '<figure class="livetorch"' in found else "html"), found, text
    if found := data.get("text/markdown"):
        return "html", from_markdown(found), text
    if found := data.get("image/svg+xml"):
        return "html", found, text
    return "text", text, text


def _data(value: Any) -> dict[str, Any]:
    """Ask a value for its forms, as Jupyter does; classes themselves have none."""
    kind = type(value)
    if isinstance(value, type):
        return {}
    if hasattr(kind, "_repr_mimebundle_"):
        made = value._repr_mimebundle_()
        return (made[0] if isinstance(made, tuple) else made) or {}
    if hasattr(kind, "_repr_html_"):
        return {"text/html": value._repr_html_()}
    if hasattr(kind, "_repr_markdown_"):
        return {"text/markdown": value._repr_markdown_()}
    return {}


def from_markdown(text: str) -> str:
    """Write Markdown as HTML: code between fences, `code`, and paragraphs; the rest stays as it is typed.

    >>> from_markdown("A `word`.")
    '<p>A <code>word</code>.</p>'
    """
    parts, at = [], 0
    for fence in FENCE.finditer(text):
        parts += [_paragraphs(text[at : fence.start()]), _code(fence[2], fence[1])]
        at = fence.end()
    return "".join([*parts, _paragraphs(text[at:])])


def _code(code: str, language: str) -> str:
    """Write code as the site has it."""
    inner = f'<div class="highlight"><pre>{html.escape(code)}\n</pre></div>'
    return f'<div class="highlight-{language or "text"} notranslate">{inner}</div>'


def _paragraphs(text: str) -> str:
    blocks = [block.strip() for block in re.split(r"\n\s*\n", text) if block.strip()]
    shown = [re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(block)) for block in blocks]
    return "".join(f"<p>{block}</p>" for block in shown)
