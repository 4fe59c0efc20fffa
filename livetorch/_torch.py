"""Say in one line that torch is too old, before something inside of it is missing."""

OLDEST = "2.13"


def need_torch(found: str) -> None:
    """Refuse a torch older than this package was written for; `pip install --no-deps` does not.

    >>> need_torch("2.13.0+cpu")
    """
    if _numbers(found) < _numbers(OLDEST):
        raise ImportError(
            f"this book needs torch {OLDEST} or newer, and torch {found} is installed. "
            "Run %pip install --upgrade torch in a cell, restart the kernel, and try again."
        )


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")[:2]))
