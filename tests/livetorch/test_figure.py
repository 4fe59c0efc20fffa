"""`LiveFigure`: settings and outputs in a kernel, and what a notebook stores."""

import json
import re
from html.parser import HTMLParser

import ipywidgets
import pytest
import torch
from torch.testing import assert_close

from livetorch import Choice, Mask, Matrix, Points, Slider, State, Table, Text, explore
from livetorch.figure.still import picture
from livetorch.figure.stored import numbers_as_text

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KEYS = torch.tensor([0.0, 1.0, 2.5])


def weights(width, kernel):
    distances = KEYS[:, None] - KEYS
    if kernel == "boxcar":
        near = (distances.abs() < width).float()
        return near / near.sum(-1, keepdim=True)
    return torch.softmax(-((distances / width) ** 2) / 2, dim=-1)


@pytest.fixture
def figure():
    return explore(weights, width=(0.1, 2.0), kernel=["gaussian", "boxcar"], title="A <b> title", name="w")


def test_value_holds_the_settings(figure):
    assert figure.value == {"width": 1.05, "kernel": "gaussian"}


def test_outputs_are_torchs_own_for_the_settings(figure):
    figure.value = {"width": 0.5, "kernel": "boxcar"}
    assert torch.equal(figure.outputs["output"], weights(torch.tensor(0.5), "boxcar"))


def test_some_settings_can_be_set_and_the_others_stay(figure):
    figure.value = {"width": 0.5}
    figure.set(kernel="boxcar")
    assert figure.value == {"width": 0.5, "kernel": "boxcar"}


def test_tensors_are_taken_as_settings():
    figure = explore(lambda m: m.T, m=Matrix([[1.0, 2.0]]))
    figure.value = {"m": torch.tensor([[3.0, 0.1]])}
    assert figure.value == {"m": [[3.0, 0.1]]}


@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"width": 3.0}, ValueError, "width must be between 0.1 and 2.0, got width=3.0"),
        ({"width": "a"}, TypeError, "width must be a finite number"),
        ({"kernel": "cosine"}, ValueError, "kernel must be one of gaussian, boxcar"),
        ({"speed": 1}, ValueError, "no control speed; its controls are: width, kernel"),
    ],
)
def test_a_wrong_setting_is_refused_and_changes_nothing(figure, settings, error, text):
    with pytest.raises(error, match=text):
        figure.value = settings
    assert figure.value == {"width": 1.05, "kernel": "gaussian"}


def test_settings_can_be_observed(figure):
    seen = []
    figure.observe(lambda change: seen.append(change["new"]["width"]), "value")
    figure.set(width=0.5)
    assert seen == [0.5]


def test_what_the_browser_sends_arrives_as_python_values(figure):
    figure.set_state({"value": {"width": 0.25, "kernel": 1}})
    assert figure.value == {"width": 0.25, "kernel": "boxcar"}


def test_what_the_browser_is_sent_has_the_form_of_its_json(figure):
    figure.set(kernel="boxcar")
    assert figure.get_state(["value"])["value"] == {"width": 1.05, "kernel": 1}


def test_nonsense_from_the_browser_is_refused(figure):
    with pytest.raises(ValueError, match=r"an option's number must be in 0\.\.1, got 7"):
        figure.set_state({"value": {"kernel": 7}})
    assert figure.value["kernel"] == "gaussian"


def test_a_carried_setting_may_leave_the_sliders_range():
    figure = explore(lambda w: {"next": w * 2}, carry={"w": "next"}, w=Slider(0.0, 1.0, value=0.8))
    figure.step()
    assert figure.value["w"] == pytest.approx(1.6)


def test_a_carried_text_goes_on_as_text():
    text = Text("ab", vocabulary=["<pad>", "a", "b"], length=4)
    figure = explore(lambda ids: {"next": ids.clone().fill_(2)}, carry={"ids": "next"}, ids=text)
    figure.step()
    assert figure.value["ids"] == "bbbb"


def test_a_figure_without_carry_has_no_steps(figure):
    with pytest.raises(ValueError, match="the figure w has no carry"):
        figure.step()


def test_a_figure_sits_in_a_box(figure):
    box = ipywidgets.HBox([figure, ipywidgets.Label("beside it")])
    assert box.children[0] is figure


def test_the_text_form_is_the_numbers_at_the_start_whatever_is_set_later(figure):
    before = repr(figure)
    figure.set(width=0.3)
    assert repr(figure) == before
    assert before.startswith("LiveFigure w, width = 1.05, kernel = gaussian\noutput, shape (3, 3):\n[[0.")
    assert " at 0x" not in before


def test_the_numbers_in_the_text_form_are_torchs(figure):
    numbers = [float(x) for x in re.findall(r"\d\.\d{4}", repr(figure))]
    assert_close(torch.tensor(numbers), figure.outputs["output"].flatten(), atol=5.1e-5, rtol=0)


def test_a_cell_gets_text_html_and_the_widget(figure):
    data, _ = figure._repr_mimebundle_()
    assert set(data) == {"text/plain", "text/html", WIDGET_VIEW}
    assert data["text/plain"] == repr(figure)


class Parts(HTMLParser):
    """The elements of a piece of HTML and the text in them."""

    def __init__(self, html):
        super().__init__()
        self.open, self.texts, self.attributes = [], {}, {}
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.attributes.setdefault(tag, dict(attrs))
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.texts[self.open[-1]] = self.texts.get(self.open[-1], "") + data


def test_the_stored_html_is_a_picture_its_numbers_and_the_json(figure):
    parts = Parts(figure.to_html())
    assert parts.open == []
    assert parts.attributes["figure"] == {"class": "livetorch", "data-name": "w"}
    assert parts.attributes["img"]["src"].startswith("data:image/svg+xml,")
    assert parts.texts["pre"] == repr(figure)
    assert json.loads(parts.texts["script"]) == figure.spec


def test_title_instruction_and_caption_stand_around_the_picture():
    html = explore(weights, width=(0.1, 2.0), kernel=["gaussian"], title="T", do="D", caption="C").to_html()
    at = [html.index(part) for part in ('lt-title">T<', 'lt-do">D<', "<img", 'lt-caption">C<', "<details")]
    assert at == sorted(at)


def test_the_picture_is_described_in_words(figure):
    alt = Parts(figure.to_html()).attributes["img"]["alt"]
    assert alt == "A <b> title, drawn for width = 1.05, kernel = gaussian. Its numbers follow."


def test_no_text_of_the_reader_can_leave_its_place():
    evil = '</script><script>alert(1)</script>"><img src=x onerror=alert(1)><!--'
    figure = explore(
        lambda x, kind: x * torch.ones(2, 2),
        x=Slider(0.0, 1.0, label=evil),
        kind=Choice({evil: 1}),
        title=evil,
        caption=evil,
    )
    html = figure.to_html()
    parts = Parts(html)
    assert parts.open == []
    assert html.count("<script") == html.count("<img") == 1
    assert json.loads(parts.texts["script"])["title"] == evil


def test_the_picture_in_the_html_is_the_svg_itself():
    import urllib.parse

    figure = explore(weights, width=(0.1, 2.0), kernel=["gaussian"])
    source = Parts(figure.to_html()).attributes["img"]["src"]
    assert urllib.parse.unquote(source.removeprefix("data:image/svg+xml,")) == picture(
        figure.spec["views"], None, figure.spec["controls"], figure.outputs
    )


def test_tables_of_numbers_can_be_set_point_by_point():
    figure = explore(lambda q, m: q @ q.T * m, q=Points([[0.0, 1.0]]), m=Mask([[True]]))
    figure.set(q=[[0.5, 0.5]], m=[[False]])
    assert figure.outputs["output"].item() == 0.0


@pytest.mark.parametrize(
    ("tensor", "text"),
    [
        (torch.tensor(0.5), "x: 0.5000"),
        (torch.tensor(-1e-9), "x: 0.0000"),
        (torch.tensor(float("nan")), "x: nan"),
        (torch.tensor([1, 2]), "x, shape (2,):\n[1, 2]"),
        (torch.tensor([[True], [False]]), "x, shape (2, 1):\n[[True],\n [False]]"),
        (torch.zeros(1, 1, 2), "x, shape (1, 1, 2):\n[[[0.0000, 0.0000]]]"),
        (torch.zeros(2, 0), "x, shape (2, 0): no numbers"),
        (torch.tensor([-torch.inf, 3e7]), "x, shape (2,):\n[-inf, 3.000e+07]"),
    ],
)
def test_numbers_are_written_the_same_everywhere(tensor, text):
    assert numbers_as_text({"x": tensor}) == text


def test_large_tensors_are_written_by_their_edges():
    text = numbers_as_text({"x": torch.zeros(100, 100)})
    assert text.count("0.0000") == 36


def test_a_state_that_no_view_shows_is_written_by_its_edges():
    start = torch.arange(200.0)
    figure = explore(
        lambda many, rate: {"next": many * rate, "largest": many.max()},
        many=State(start),
        rate=(0.5, 1.0),
        carry={"many": "next"},
        view=Table(["largest"]),
    )
    assert "next, shape (200,):\n[0.0000, 0.7500, 1.5000, ..., 147.7500" in repr(figure)
    assert repr(explore(lambda x: {"y": x * start}, x=(0.5, 1.0))).count("...") == 0
