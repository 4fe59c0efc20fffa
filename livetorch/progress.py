"""What is being waited for, said once it takes longer than two seconds."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_SLOW = 2.0  # seconds
_open: list[_Line] = []  # of the blocks that run: those inside another one say their words there


@contextmanager
def waiting(words: str) -> Iterator[Callable[[str], None]]:
    """Say what is waited for while this block runs, if it is slow; what it gives says what comes next.

    >>> with waiting("Recording") as now:
    ...     now("Writing")
    """
    outer = _open[0] if _open else None
    line = outer or _Line()
    before, line.words = line.words, words
    _open.append(line)
    try:
        yield line.now
    finally:
        _open.pop()
        line.words = before
        if outer is None:
            line.end()


class _Line:
    """One line: in a notebook it changes and goes when all is done, else each is printed as an error is."""

    def __init__(self) -> None:
        self.words, self._ended = "", threading.Event()
        self._shown: Any = None
        self._watch = threading.Thread(target=self._look, daemon=True)
        if sys.platform != "emscripten":  # a page's Python has no threads, and its cell says that it runs
            self._watch.start()

    def now(self, words: str) -> None:
        self.words = words

    def end(self) -> None:
        self._ended.set()
        if self._watch.is_alive():
            self._watch.join()
        if self._shown is not None:
            self._shown.update({}, raw=True)

    def _look(self) -> None:
        said = ""
        while not self._ended.wait(_SLOW):
            if self.words and self.words != said:
                said = self.words
                self._say(f"{said} …")

    def _say(self, text: str) -> None:
        shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
        if getattr(shell, "kernel", None) is None:
            print(text, file=sys.stderr, flush=True)
        elif self._shown is not None:
            self._shown.update({"text/plain": text}, raw=True)
        else:
            from IPython.display import display

            metadata = {"livetorch": "progress"}
            self._shown = display({"text/plain": text}, raw=True, metadata=metadata, display_id=True)  # type: ignore[no-untyped-call]
