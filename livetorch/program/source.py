"""Where the values of a Program come from: the lines of the function, and the names of its variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class SourceLine:
    """One statement of the function, or of one that it calls.

    Args:
        text: the statement, on one line.
        file: the name of its file without folders; "" for a notebook's cell.
        function: the function that holds it.
    """

    text: str
    file: str
    function: str


@dataclass(frozen=True)
class Source:
    """What a Program remembers of its function; nothing that it computes depends on it.

    Args:
        lines: the statements.
        places: (statement, from, to): a part of a statement, in letters.
        of: for each operator the number of its place, or -1.
        names: value number -> the name of the variable that held it, or of the tensor outside the function.
        learned: the constants that are parameters.
        modules: for each operator the path of the module of a model in which it ran; not written.
    """

    lines: tuple[SourceLine, ...] = ()
    places: tuple[tuple[int, int, int], ...] = ()
    of: tuple[int, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    learned: tuple[int, ...] = ()
    modules: tuple[str, ...] = ()

    def to_dict(self, pool: list[Any] | None) -> dict[str, Any]:
        """Write as a JSON-ready dict; the lines go into the pool, where there is one."""
        lines: list[Any] = []
        for line in self.lines:
            entry = [line.text, line.function, *([line.file] if line.file else [])]
            if pool is None:
                lines.append(entry)
                continue
            if entry not in pool:
                pool.append(entry)
            lines.append({"pool": pool.index(entry)})
        written = {
            "lines": lines,
            "places": [list(place) for place in self.places],
            "of": list(self.of),
            "names": {str(number): name for number, name in self.names.items()},
            "learned": list(self.learned),
        }
        return {part: held for part, held in written.items() if held}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any], pool: list[Any] | None) -> Source:
        """Read what `to_dict` wrote."""
        entries = [
            (pool or [])[line["pool"]] if isinstance(line, dict) else line for line in spec.get("lines", [])
        ]
        return cls(
            tuple(SourceLine(text, file[0] if file else "", function) for text, function, *file in entries),
            tuple((line, start, end) for line, start, end in spec.get("places", [])),
            tuple(spec.get("of", [])),
            {int(number): name for number, name in spec.get("names", {}).items()},
            tuple(spec.get("learned", [])),
        )
