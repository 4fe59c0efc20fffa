"""Pictures need no font of the reader's machine, and leave matplotlib as it was."""

import re
import warnings

import matplotlib
import torch
from matplotlib import font_manager
from matplotlib import pyplot as plt

from attn_helpers import show_heatmaps, show_lines
from attn_helpers.plotting.fonts import FONT

TOKENS = ["我", "喜欢", "学习", "<PAD>"]


def test_chinese_tokens_are_drawn_on_a_machine_without_a_chinese_font(monkeypatch):
    manager = font_manager.fontManager
    monkeypatch.setattr(manager, "ttflist", [font for font in manager.ttflist if font.name == "DejaVu Sans"])
    monkeypatch.setattr("attn_helpers.plotting.svg.clean", lambda svg, title: svg)  # as matplotlib writes it
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a missing glyph is a warning of matplotlib
        svg = show_heatmaps(torch.rand(1, 4), xticks=TOKENS, titles="注意力 weights，第1句").svg()
    texts = re.findall(r"<text[^>]*>([^<]*)<", svg)
    assert [text for text in texts if not text.isascii()] == []  # they are shapes: a page may lack the font
    assert {"Keys", "Queries", "&lt;PAD&gt;"} <= set(texts)


def test_the_font_holds_the_tokens_of_the_book_and_is_small():
    tokens = "我喜欢学习今天是晴天气很好年月日星期一二三四五六七八九十曜，。：？！《》（）あアー"
    assert set(map(ord, tokens)) <= set(font_manager.get_font(str(FONT)).get_charmap())
    assert FONT.stat().st_size < 1_200_000


def test_drawing_leaves_matplotlib_as_it_was():
    manager = font_manager.fontManager
    show_heatmaps(torch.rand(2, 2)).svg()
    before, fonts = dict(matplotlib.rcParams), list(manager.ttflist)
    show_heatmaps(torch.rand(2, 4), xticks=TOKENS).svg()
    show_lines([0.0, 1.0], {"线": [0.0, 1.0]}).svg()
    assert dict(matplotlib.rcParams) == before
    assert manager.ttflist == fonts
    assert plt.get_fignums() == []


def test_nothing_is_said_about_letters_that_are_measured_bold(caplog):
    show_heatmaps(torch.rand(2, 4), xticks=TOKENS, titles="T").svg()
    assert caplog.messages == []


def test_the_style_of_the_reader_does_not_change_the_picture():
    plain = show_heatmaps(torch.eye(2)).svg()
    with plt.style.context("dark_background"):
        assert show_heatmaps(torch.eye(2)).svg() == plain
