"""What is waited for is said once it takes longer than two seconds, and leaves nothing in a notebook."""

import time

import pytest
import torch

from livetorch import explore, progress, trace


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(progress, "_SLOW", 0.02)


def slow(x):
    time.sleep(0.1)
    return x * torch.ones(2)


@pytest.mark.parametrize("make", [lambda: trace(slow, x=1.0), lambda: explore(slow, x=(0.0, 1.0))])
def test_what_takes_long_says_what_it_does(make, capsys):
    make()
    assert "recording of slow" in capsys.readouterr().err


def test_a_block_inside_says_its_words_on_the_line_of_the_outer_one(capsys):
    with progress.waiting("First") as now:
        with progress.waiting("Second"):
            time.sleep(0.1)
        now("Third")
        time.sleep(0.1)
    assert capsys.readouterr().err == "Second …\nThird …\n"


def test_what_is_quick_says_nothing(capsys, monkeypatch):
    monkeypatch.setattr(progress, "_SLOW", 60)
    trace(slow, x=1.0)
    assert capsys.readouterr().err == ""


def test_a_notebook_shows_a_line_that_goes(monkeypatch):
    import IPython.display

    told = []

    class Shown:
        def update(self, data, raw):
            told.append(data)

    def display(data, metadata, **_):
        told.append((data, metadata))
        return Shown()

    monkeypatch.setattr(IPython, "get_ipython", lambda: type("Shell", (), {"kernel": True}))
    monkeypatch.setattr(IPython.display, "display", display)
    with progress.waiting("First"):
        time.sleep(0.1)
    assert told == [({"text/plain": "First …"}, {"livetorch": "progress"}), {}]
