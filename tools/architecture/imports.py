"""What imports what, read from the code: rooms (a module or folder each) and the arrows between them."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+)["']""")


@dataclass
class Band:
    """A package: its rooms by name, and for each the names of those that it imports from."""

    name: str
    title: str
    uses: dict[str, set[str]] = field(default_factory=dict)

    def levels(self) -> list[list[str]]:
        """Lay the rooms in rows, each above all that it imports from; those without arrows come last."""
        heights: dict[str, int] = {}

        def height(room: str) -> int:
            if room not in heights:
                heights[room] = 0  # should there be a circle, it ends here
                heights[room] = 1 + max((height(other) for other in sorted(self.uses[room])), default=-1)
            return heights[room]

        rows = [[] for _ in range(1 + max(map(height, self.uses)))]
        for room in self.uses:
            rows[heights[room]].append(room)
        alone = {room for room in self.uses if not self.uses[room]} - set().union(*self.uses.values())
        return [sorted(row, key=alone.__contains__) for row in rows[::-1]]

    def arrows(self) -> list[tuple[str, str]]:
        """Give the imports between rooms, without those that a longer way says already."""
        return [
            (room, other)
            for room, others in self.uses.items()
            for other in sorted(others)
            if not any(other in self._reached(between) for between in others - {other})
        ]

    def circles(self) -> list[str]:
        """List the rooms from which imports lead back to themselves."""
        return [room for room in self.uses if room in self._reached(room)]

    def _reached(self, room: str) -> set[str]:
        found, waiting = set(), [room]
        while waiting:
            new = self.uses[waiting.pop()] - found
            found |= new
            waiting += new
        return found


def python_band(
    package: str, title: str, apart: tuple[str, ...] = (), called: Mapping[str, str] | None = None
) -> Band:
    """Read a Python package; the folders `apart` are rooms by their own folders.

    `called` are folders of it that its files import by another name, such as torch.
    """
    files = {path: _room(path, package, apart) for path in sorted((ROOT / package).rglob("*.py"))}
    band = Band(package, title, {room: set() for room in dict.fromkeys(files.values()) if room})
    for path, room in files.items():
        for module in _imported(path):
            first, *rest = module.split(".")
            target = ROOT.joinpath((called or {}).get(first, first), *rest)
            other = files.get(target.with_suffix(".py")) or files.get(target / "__init__.py")
            if room and other and other != room:
                band.uses[room].add(other)
    return band


def imports(package: str, other: str) -> bool:
    """Tell whether any file of a package imports from another package."""
    names = (name for path in (ROOT / package).rglob("*.py") for name in _imported(path))
    return any(name.split(".")[0] == other for name in names)


def javascript_rooms(folder: str) -> tuple[str, ...]:
    """List the folders of a JavaScript package."""
    return tuple(sorted({path.parent.name for path in (ROOT / folder).glob("*/*.mjs")}))


def javascript_band(folder: str, title: str, rooms: tuple[str, ...]) -> Band:
    """Read folders of a JavaScript package."""
    base = ROOT / folder
    band = Band(folder, title, {room: set() for room in rooms})
    for room in rooms:
        for path in sorted((base / room).rglob("*.mjs")):
            for name in IMPORT.findall(path.read_text(encoding="utf-8")):
                target = (path.parent / name).resolve()
                parts = target.relative_to(base).parts if target.is_relative_to(base) else ()
                if len(parts) > 1 and parts[0] in rooms and parts[0] != room:
                    band.uses[room].add(parts[0])
    return band


def javascript_packages(package: str, *, depth: int = 1) -> set[str]:
    """Name the packages, or their folders `depth` deep, that the scripts of a package import from."""
    found = set()
    for path in sorted((ROOT / package).rglob("*.mjs")):
        if {"node_modules", "dist"} & set(path.parts):
            continue
        for name in IMPORT.findall(path.read_text(encoding="utf-8")):
            parts = (path.parent / name).resolve().relative_to(ROOT).parts
            found.add(parts[0] if parts[0] == package else "/".join(parts[:depth]))
    return found


def _room(path: Path, package: str, apart: tuple[str, ...]) -> str | None:
    parts = path.relative_to(ROOT / package).with_suffix("").parts
    depth = 2 if parts[0] in apart else 1
    room = "/".join(parts[:depth]).removesuffix("/__init__")
    return None if room.rpartition("/")[2].startswith("_") or room in apart else room


def _imported(path: Path) -> list[str]:
    """Name the modules that a file imports from, and what it imports where that may be a module too."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return found
