"""`picks`: what is stored for it, and what is refused when the figure is made."""

import pytest
import torch

from livetorch import Choice, Heatmap, Points, Slider, Text, explore


def chosen(layer, head):
    place = (torch.arange(6) == 3 * (layer - 1) + head - 1).float()
    return place.reshape(2, 3)


VIEW = Heatmap(rows_axis="layers", cols_axis="heads", title="Heads")


def make(picks, **controls):
    controls = {"layer": Slider(1, 2, 1, 1), "head": Slider(1, 3, 1, 1)} | controls
    return explore(chosen, view=VIEW, picks=picks, **controls)


def test_the_nth_item_is_the_nth_stop():
    spec = make({"layers": "layer", "heads": "head"}).spec
    assert spec["picks"] == {
        "layers": {"control": "layer", "values": [1, 2]},
        "heads": {"control": "head", "values": [1, 2, 3]},
    }


def test_a_figure_without_picks_is_stored_as_before():
    assert "picks" not in make(None).spec


def test_settings_of_ones_own_are_checked_and_kept_as_the_browser_keeps_them():
    spec = make({"heads": ("layer", [2, 1, 2])}).spec
    assert spec["picks"]["heads"]["values"] == [2, 1, 2]
    named = make({"heads": ("head", ["b", "a"])}, head=Choice({"a": 1, "b": 2})).spec
    assert named["picks"]["heads"]["values"] == [1, 0]
    with pytest.raises(ValueError, match="layer must be between 1 and 2, got layer=3"):
        make({"heads": ("layer", [1, 2, 3])})


def test_a_point_is_moved_to_the_place_of_a_row():
    def line(at):
        return torch.stack([at[0, 0] * torch.ones(2), torch.zeros(2)])

    spec = explore(
        line,
        at=Points([[0.0]], domain=((0, 5),)),
        view=Heatmap(),
        picks={"queries": ("at", [[[0.0]], [[2.5]]])},
    ).spec
    assert spec["picks"]["queries"]["values"] == [[[0.0]], [[2.5]]]


@pytest.mark.parametrize(
    ("picks", "words"),
    [
        (
            {"layer": "layer"},
            r"picks names the axis 'layer', which no view has; they have \['heads', 'layers'\]",
        ),
        ({"heads": "had"}, "must name a control, got 'had'; there are"),
    ],
)
def test_a_wrong_name_is_refused(picks, words):
    with pytest.raises(ValueError, match=words):
        make(picks)


def test_a_control_without_stops_needs_settings():
    def looks(text, layer):
        return torch.ones(2, 3) * layer + 0 * text.sum()

    with pytest.raises(ValueError, match=r"text has no stops.*\('text', \[...\]\)"):
        explore(
            looks,
            text=Text("a", vocabulary=["a"], length=2),
            layer=(1, 2),
            view=VIEW,
            picks={"heads": "text"},
        )
