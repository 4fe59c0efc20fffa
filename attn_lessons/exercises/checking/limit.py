"""Stop what does not end."""

import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TooLong(BaseException):
    """Raised inside a function that does not end; no Exception, so that it is not caught there."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop what runs in this thread after some seconds, on every system, between two lines of Python.

    Python in a page has no threads; there the page itself stops what does not end.
    """
    if sys.platform == "emscripten":
        yield
        return
    thread, lock, over = ctypes.c_ulong(threading.get_ident()), threading.Lock(), False

    def stop() -> None:
        with lock:
            if not over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(TooLong))

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            over = True
        timer.cancel()
        ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, None)
