"""The scripts and sheets that are built from `js/`, and where they lie."""

from pathlib import Path

_BUILT = Path(__file__).parent / "built"
PAGES = _BUILT / "pages"  # what a page loads


def built(name: str) -> Path:
    """Give the path of a built file.

    Raises:
        FileNotFoundError: this is a checkout whose scripts were not built yet.

    >>> built("pages/livetorch.js").name
    'livetorch.js'
    """
    path = _BUILT / name
    if not path.exists():
        raise FileNotFoundError(
            f"{path} is missing: the scripts of live figures are not built yet. "
            "`make js` builds them in a checkout, and so does installing it with pip."
        )
    return path
