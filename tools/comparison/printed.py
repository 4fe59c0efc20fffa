"""Two texts compared as numbers: the words must be equal, the numbers equal to one unit of their last place.

Another processor adds in another order and rounds another last bit. What it prints then differs by one unit
of the last printed place at most; if it differs by more, or in a word, something else is wrong.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

_CANDIDATE = re.compile(
    r"""
    (?<![A-Za-z0-9_.]) (?<!\d:)                       # not inside d2l, a version, a time
    (?: (?<![)\]]) [-+−] (?=\.?\d) )?+                # after a bracket it is an operator
    (?: \d{1,3} (?: ,\d{3} )++ (?!\d) | \d++ )?+      # 1,814 or 1814
    (?: \.\d++ )?+ (?<=\d)
    (?: [eE] [-+]? \d++ )?+
    """,
    re.VERBOSE,
)


def differences(stored: str, computed: str) -> list[str]:
    """Say where two texts differ by more than printing allows; an empty list if nowhere."""
    if stored == computed:
        return []
    old, new = list(_numbers(stored)), list(_numbers(computed))
    # a number that is one digit longer moves what stands beside it in a table
    moved = [len(part[0]) for part in old] != [len(part[0]) for part in new]
    if _words(stored, old, moved) != _words(computed, new, moved):
        return [_other_words(stored, computed, moved)]
    found = []
    for before, after in zip(old, new, strict=True):
        if fault := _difference(before[0], after[0]):
            found.append(f"line {stored.count(chr(10), 0, before.start()) + 1}: {fault}")
    return found


def is_number(text: str) -> bool:
    """Say whether a text is one printed number and nothing else."""
    return [match.span() for match in _numbers(text)] == [(0, len(text))] if text else False


def by(gap: float, allowed: float) -> str:
    """Say how far apart two numbers are, and how far they may be."""
    return f"they differ by {gap:.3g}, allowed is {allowed:.3g}"


def _numbers(text: str) -> Iterator[re.Match[str]]:
    for match in _CANDIDATE.finditer(text):
        after = text[match.end() : match.end() + 2]
        if re.match(r"[.:]\d", after):  # 2.13.0 or 12:30
            continue
        if re.match(r"\w", after, re.ASCII) and not (
            "." in match[0] and after[0].isalpha()
        ):  # 0x1f, not 2.5x
            continue
        yield match


def _words(text: str, numbers: list[re.Match[str]], moved: bool) -> list[str]:
    ends = [0, *(match.end() for match in numbers)]
    starts = [*(match.start() for match in numbers), len(text)]
    parts = [text[end:start] for end, start in zip(ends, starts, strict=True)]
    return [re.sub(r"\s+", "", part) for part in parts] if moved else parts


def _other_words(stored: str, computed: str, moved: bool) -> str:
    lines = stored.splitlines() or [""], computed.splitlines() or [""]
    for place, (before, after) in enumerate(zip(*lines, strict=False)):
        words = [_words(line, list(_numbers(line)), moved) for line in (before, after)]
        if words[0] != words[1]:
            return f"line {place + 1}: other words: {_shown(before, after)}"
    return f"{len(lines[0])} lines stored, {len(lines[1])} computed"


def _shown(before: str, after: str) -> str:
    """Give two lines around the first letter in which they differ."""
    same = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
    part = slice(max(0, same - 40), same + 60)
    return f"{before[part]!r} stored, {after[part]!r} computed"


def _difference(before: str, after: str) -> str | None:
    """Say what is wrong between two printed numbers."""
    if before == after:
        return None
    said = f"{before} stored, {after} computed"
    old, new = (Decimal(text.replace(",", "").replace("−", "-")) for text in (before, after))
    if _form(before) != _form(after) or _signs_differ(before, after) or _commas_differ(before, after):
        return f"{said}: another form of number"
    gap = abs(old - new)
    if _form(before) == "integer":
        return f"{said}: whole numbers must be equal" if gap else None
    # 9.99 and 10.0, or 9.9e-08 and 1e-07, are neighbours when a number is printed with so many digits; where
    # the places differ, the longer of the two says how fine they were
    allowed = Decimal(1).scaleb(min(old.as_tuple().exponent, new.as_tuple().exponent))
    if _places(before) != _places(after) and not gap:
        return f"{said}: another form of number"
    return f"{said}: {by(float(gap), float(allowed))}" if gap > allowed else None


def _form(number: str) -> str:
    return "exponent" if re.search("[eE]", number) else "fraction" if "." in number else "integer"


def _places(number: str) -> int:
    return len(re.split("[eE]", number)[0].partition(".")[2])


def _signs_differ(before: str, after: str) -> bool:
    """A plus is printed in front of every number that is not negative, or of none."""
    signs = {text[0] for text in (before, after) if text[0] not in "-−"}
    return "+" in signs and len(signs) > 1


def _commas_differ(before: str, after: str) -> bool:
    long = [text for text in (before, after) if len(re.match(r"\D*(\d*)", text.replace(",", ""))[1]) > 3]
    return len({"," in text for text in long}) > 1
