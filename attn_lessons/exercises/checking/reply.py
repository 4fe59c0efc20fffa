"""The reply to a wrong answer: which mistake, the number that shows it, and a nudge."""

from typing import NamedTuple


class Reply(NamedTuple):
    """What is wrong, what shows it (an index, a row, a number), and where to think on."""

    what: str
    seen: str
    nudge: str
    vague: bool = False  # whether a closer look may find words that say more


class Found(Exception):  # noqa: N818  (not an error: it carries a reply out of a check)
    """Raised by the helpers of a check, so that the check need not look at every result itself."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.what)
        self.reply = reply


class NotWritten(Exception):  # noqa: N818
    """The reader has not written the function yet."""
