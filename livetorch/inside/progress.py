"""What is being waited for."""

from __future__ import annotations

import threading
import time
from typing import Any

__all__ = ["Progress"]

_SLOW = 2.0  # seconds after which it is said


class Progress:
    """Says what is being waited for, once it takes longer than two seconds."""

    def __enter__(self) -> Progress:
        self.began, self.words = time.perf_counter(), ""
        self.timer: threading.Timer | None = None
        return self

    def now(self, words: str) -> None:
        """Say what begins."""
        self.words = words
        if self.timer is None:
            self.timer = threading.Timer(_SLOW, self._say)
            self.timer.daemon = True
            self.timer.start()
        elif time.perf_counter() - self.began > _SLOW:
            self._say()

    def _say(self) -> None:
        print(f"{self.words} …", flush=True)

    def __exit__(self, *error: Any) -> None:
        if self.timer is not None:
            self.timer.cancel()
