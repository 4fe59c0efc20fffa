"""Write query, key, value and weight in their hues: letters of formulas, words where they are introduced.

A letter is one of a role where it stands on the line; below or above it is part of another's name. In a few
lessons a letter means something else, and stays black there: ``OTHERWISE``.
"""

import re
from pathlib import PurePosixPath

ROLES = {"q": "query", "Q": "query", "k": "key", "K": "key", "v": "value", "V": "value", "α": "weight"}
OTHERWISE = {
    "01a_weighted_average": "K",  # a kernel
    "05c_look_back": "v",  # what an additive score ends with
    "06c_what_it_costs": "k",  # the width of a convolution
    "10a_what_comes_next": "qkV",  # a share, how many tokens are chosen among, the vocabulary
    "11a_induction_by_hand": "V",  # the vocabulary
    "12c_really_better": "qk",  # a share, a count
}
LETTER = re.compile(r'<span class="mord mathnormal"((?: style="[^"]*")?)>([qQkKvVα])</span>')
WORD = re.compile(r"<strong>((?:quer(?:y|ies)|keys?|values?|weights?))</strong>")
OF_WORD = {"q": "query", "k": "key", "v": "value", "w": "weight"}


def coloured(body: str, otherwise: str = "") -> str:
    """Give a page's text with classes for the hues.

    >>> coloured('<span class="mord mathnormal">q</span> <span class="mord mathnormal mtight">k</span>')
    '<span class="mord mathnormal of-query">q</span> <span class="mord mathnormal mtight">k</span>'
    >>> coloured("a <strong>key</strong>"), coloured('<span class="mord mathnormal">k</span>', "k")
    ('a <strong class="of-key">key</strong>', '<span class="mord mathnormal">k</span>')
    """

    def letter(found: re.Match) -> str:
        style, name = found.groups()
        role = "" if name in otherwise else f" of-{ROLES[name]}"
        return f'<span class="mord mathnormal{role}"{style}>{name}</span>'

    def word(found: re.Match) -> str:
        return f'<strong class="of-{OF_WORD[found[1][0]]}">{found[1]}</strong>'

    return WORD.sub(word, LETTER.sub(letter, body))


def colour(app, pagename, templatename, context, doctree) -> None:
    """Colour the formulas of one page."""
    if context.get("body"):
        context["body"] = coloured(context["body"], OTHERWISE.get(PurePosixPath(pagename).name, ""))


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("html-page-context", colour)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
