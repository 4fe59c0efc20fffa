"""Two stored HTML outputs compared: equal tags and words; JSON and picture inside for what they are."""

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import unquote

import figure_json
import pictures
import printed

_PICTURE = "data:image/svg+xml,"


class _Parts(HTMLParser):
    """Lists tags, attributes and words in the order in which they come."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.parts: list[tuple[str, str]] = []
        self._json = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.parts += [("tag", tag), *((f"attribute {name}", value or "") for name, value in attrs)]
        self._json = tag == "script" and ("type", "application/json") in attrs

    def handle_endtag(self, tag: str) -> None:
        self.parts.append(("tag", "/" + tag))
        self._json = False

    def handle_data(self, data: str) -> None:
        self.parts.append(("JSON" if self._json else "words", data))

    def handle_comment(self, data: str) -> None:
        self.parts.append(("comment", data))


def differences(stored: str, computed: str) -> list[str]:
    """Say where two HTML texts differ by more than processors do; an empty list if nowhere."""
    if stored == computed:
        return []
    old, new = _Parts(stored).parts, _Parts(computed).parts
    if [kind for kind, _ in old] != [kind for kind, _ in new]:
        return ["HTML: " + (printed.differences(stored, computed) or ["other tags"])[0]]
    return [fault for (kind, a), (_, b) in zip(old, new, strict=True) for fault in _part(kind, a, b)]


def _part(kind: str, old: str, new: str) -> Iterator[str]:
    if old == new:
        return
    if kind == "JSON":
        yield from figure_json.differences(json.loads(old), json.loads(new))
    elif kind == "attribute src" and old.startswith(_PICTURE) and new.startswith(_PICTURE):
        yield from pictures.differences(*(unquote(link.removeprefix(_PICTURE)) for link in (old, new)))
    elif kind == "tag":
        yield f"HTML: <{old}> stored, <{new}> computed"
    else:
        yield from (f"HTML {kind}: {fault}" for fault in printed.differences(old, new))
