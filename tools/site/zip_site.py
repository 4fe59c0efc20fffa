"""Pack the built site for reading offline: python tools/site/zip_site.py FOLDER FILE.zip

The same pages give the same file: names in order, one date. What other pages show of the book (embed/) is
left out: each of its files holds the whole script again, and a reader from disk has no other page to show it.
"""

import sys
import zipfile
from pathlib import Path

TOP = "attention-live"  # the folder that unpacking makes
DATE = (2026, 1, 1, 0, 0, 0)
LEFT_OUT = (".doctrees", ".buildinfo", "objects.inv", "embed")


def pack(folder: Path, target: Path) -> int:
    """Pack the pages below `folder` and return the file's size in bytes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            inside = path.relative_to(folder)
            if inside.parts[0] not in LEFT_OUT:
                entry = zipfile.ZipInfo(f"{TOP}/{inside.as_posix()}", DATE)
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())
    return target.stat().st_size


if __name__ == "__main__":
    size = pack(Path(sys.argv[1]), Path(sys.argv[2]))
    print(f"{sys.argv[2]}: {size / 1e6:.1f} MB. Unpack it and open {TOP}/index.html.")
