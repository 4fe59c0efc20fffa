"""What the views check, and the JSON that they give."""

import json

import pytest
import torch
from view_outputs import CONTROLS, OUTPUTS, WEIGHTS

from livetorch.views import (
    Bars,
    Flow,
    Heatmap,
    History,
    Lines,
    Number,
    Plane,
    Strip,
    Table,
    TokenIds,
    Tokens,
)

ALL = [
    Heatmap(),
    Heatmap("heads", titles=["one", "two"], xticks="text", edit="mask"),
    Lines(x="row", y=["output", "row"], points=("places", [1, 2, 3, 4, 5]), drag={"queries": "queries"}),
    Plane({"queries": "queries", "keys": "keys"}, arrows=["queries"], weights="output"),
    Bars("row", labels=TokenIds("ids", ["x", "y"])),
    Table(["output", "loss"], sums=["output"]),
    Tokens("square", tokens=list("abcde"), query=-1),
    History("loss", log=True),
    Bars("row", stacked=True),
    Strip("row", pointer="width"),
    Strip("output", columns="output", scores="output", mask="mask", labels="text"),
    Number("loss", unit="bits"),
    Heatmap("square", marks="square", blocks=(5, 1)),
    Heatmap("square", spans=(2, 1), hatched="off"),
    Flow(
        [["queries", "row"], "output"],
        steps=["a step"],
        axes={"queries": ("queries", "dim")},
        names={"keys": "text"},
        masks={"output": "mask"},
    ),
]


@pytest.mark.parametrize("view", ALL, ids=lambda view: view.kind)
def test_a_spec_is_plain_json_and_does_not_depend_on_the_numbers(view):
    spec = view.to_spec(OUTPUTS, CONTROLS)
    assert spec["kind"] == view.kind
    assert json.loads(json.dumps(spec, allow_nan=False)) == spec or "xlim" in spec  # tuples become lists
    other = {name: tensor * 2 for name, tensor in OUTPUTS.items()}
    assert view.to_spec(other, CONTROLS) == spec


def test_numbers_come_from_an_output_a_control_or_a_list():
    spec = Lines(x="places", y="row", points=([1, 2], [0.1, 0.2])).to_spec(OUTPUTS, CONTROLS)
    assert spec["x"] == {"control": "places"}
    assert spec["y"] == [{"source": {"output": "row"}, "label": "row"}]
    assert spec["points"]["y"] == {"values": [0.1, 0.2]}


def test_only_points_on_stems_say_so():
    points = ([1, 2], [0.1, 0.2])
    assert Lines(y="row", points=points, stems=True).to_spec(OUTPUTS, CONTROLS)["stems"] is True
    assert "stems" not in Lines(y="row", points=points).to_spec(OUTPUTS, CONTROLS)


def test_what_hatching_means_is_stored_only_where_it_is_more_than_a_mask():
    spec = Heatmap("square", mask="square", hatched="masked or off").to_spec(OUTPUTS, CONTROLS)
    assert spec["mask_word"] == "masked or off"
    assert Heatmap("square", mask="square", leaks=True).to_spec(OUTPUTS, CONTROLS)["nonzero"]
    assert "mask_word" not in Heatmap("square", mask="square").to_spec(OUTPUTS, CONTROLS)


def test_an_output_goes_before_a_control_of_the_same_name():
    spec = Heatmap("queries").to_spec({"queries": WEIGHTS}, CONTROLS)
    assert spec["source"] == {"output": "queries"}


def test_labels_are_a_list_the_tokens_of_a_text_or_ids():
    spec = Heatmap(xticks="text", yticks=["i", "ii", "iii"]).to_spec(OUTPUTS, CONTROLS)
    assert spec["xticks"] == {"text": "text", "unit": "character"}
    assert spec["yticks"] == {"values": ["i", "ii", "iii"]}
    assert Bars("row", labels=TokenIds("ids", ["x", "y"])).to_spec(OUTPUTS, CONTROLS)["labels"] == {
        "ids": "ids",
        "vocabulary": ["x", "y"],
    }


def test_the_mask_that_is_edited_is_also_the_mask_that_is_shown():
    assert Heatmap(edit="mask").to_spec(OUTPUTS, CONTROLS)["mask"] == {"control": "mask"}
    assert Heatmap(edit="mask", mask="output").to_spec(OUTPUTS, CONTROLS)["mask"] == {"output": "output"}


def test_a_drawing_has_words_for_its_cells_and_hatches_none():
    spec = Heatmap(edit="mask", edit_words=("ink", "paper")).to_spec(OUTPUTS, CONTROLS)
    assert spec["words"] == ["ink", "paper"]
    assert spec["mask"] is None
    assert "words" not in Heatmap(edit="mask").to_spec(OUTPUTS, CONTROLS)


def test_numbers_of_which_there_are_a_few_have_words():
    spec = Heatmap(named={1: "reached", 0.5: "half"}).to_spec(OUTPUTS, CONTROLS)
    assert spec["levels"] == [[1.0, "reached"], [0.5, "half"]]
    assert "levels" not in Heatmap().to_spec(OUTPUTS, CONTROLS)
    yes = {"output": torch.eye(2, dtype=torch.bool)}
    assert Heatmap().to_spec(yes, {})["levels"] == [[1.0, "yes"], [0.0, "no"]]
    assert Heatmap(mask="output").to_spec(yes, {})["levels"] == [[1.0, "kept"]]
    with pytest.raises(ValueError, match="named and edit_words both name the numbers"):
        Heatmap(edit="mask", edit_words=("ink", "paper"), named={1: "ink"}).to_spec(OUTPUTS, CONTROLS)


def test_a_plane_drags_the_points_of_controls_unless_told_otherwise():
    groups = {"queries": "queries", "keys": "keys", "values": "fixed"}
    outputs = {"fixed": torch.ones(2, 2)}
    spec = Plane(groups).to_spec(outputs, CONTROLS)
    assert [group["drag"] for group in spec["groups"]] == [True, True, False]
    assert spec["drag"] == ["queries", "keys"]
    assert Plane(groups, drag="keys").to_spec(outputs, CONTROLS)["drag"] == ["keys"]


WRONG = [
    (Heatmap("weigths"), r"Heatmap: output names 'weigths', but the function returns only 'output', 'heads'"),
    (
        Heatmap("row"),
        r"Heatmap: row must have shape \(queries, keys\) or \(heads, queries, keys\), got \(5,\)",
    ),
    (Heatmap("batch"), r"Heatmap: batch must have shape .* got \(7, 2, 3, 5\)"),
    (Heatmap("empty"), r"Heatmap: empty must have shape .* got \(0, 5\), and no axis may be empty"),
    (Heatmap(xticks=["a", "b"]), r"Heatmap: xticks needs one name for each item, got keys=5, xticks=2"),
    (
        Heatmap(xticks="width"),
        r"Heatmap: xticks='width' must name a text control, got text controls \['text'\]",
    ),
    (
        Heatmap("heads", titles=["one"]),
        r"Heatmap: titles needs one name for each item, got heads=2, titles=1",
    ),
    (
        Heatmap(edit_words=("ink", "paper")),
        "edit_words must be two words, and edit the name of a mask control",
    ),
    (Heatmap(edit="mask", edit_words="ink"), "edit_words must be two words, .* edit_words='ink'"),
    (Heatmap(edit="width"), r"Heatmap: edit='width' must name a mask control, got mask controls \['mask'\]"),
    (Heatmap("square", edit="mask"), r"mask=\(3, 5\), square=\(5, 5\)"),
    (Heatmap(scale="rainbow"), r"Heatmap: scale must be 'sequential' or 'diverging', got scale='rainbow'"),
    (Heatmap(vmin=1, vmax=0), r"Heatmap: vmin must be less than vmax, got vmin=1, vmax=0"),
    (Heatmap(vmax="max"), r"Heatmap: vmin and vmax must be a number, None or 'auto', got 'max'"),
    (Heatmap(xticks=TokenIds("nothing", [])), r"Heatmap: xticks takes ids from 'nothing'"),
    (Lines(x=[1, 2], y="row"), r"Lines: x and row must have the same length, got x=2, row=5"),
    (Lines(y="heads"), r"Lines: heads must have shape \(points\) or \(series, points\), got \(2, 3, 5\)"),
    (Lines(y="row", points="row"), r"Lines: points must be a pair"),
    (Lines(y="row", points=("row", [1])), r"Lines: points need as many x as y, got x=5, y=1"),
    (Lines(y="row", drag="width"), r"Lines: drag='width' must name a points control, got points controls"),
    (Lines(y="row", xlim=(1, 1)), r"Lines: xlim must be \(min, max\) with min < max, got \(1, 1\)"),
    (Lines(y=["row", "output"], labels=["a"]), r"Lines: labels needs one name for each item, got curves=4"),
    (Plane({"keys": "output"}), r"Plane: output must have shape \(keys, 2\), got \(3, 5\)"),
    (Plane({"keys": "keys"}, drag="queries"), r"Plane: drag names 'queries', which is not drawn"),
    (Plane({"keys": "keys", "queries": "queries"}, weights="output"), r"\(keys=5, queries=3\), got \(3, 5\)"),
    (Bars("heads"), r"Bars: heads must have shape \(keys\) or \(queries, keys\), got \(2, 3, 5\)"),
    (Table("heads"), r"Table: heads must have shape"),
    (Table("row", sums=["output"]), r"Table: sums or axes name 'output', which the table does not show"),
    (Table("row", decimals=-1), r"Table: decimals must be in 0..12, got decimals=-1"),
    (Table("row", axes={"heads": ("queries", "dim")}), r"Table: sums or axes name 'heads'"),
    (Tokens(), r"Tokens: query_tokens must be given .* got queries=3, keys=5"),
    (Tokens("square", query=5), r"Tokens: query must be in -5..4, got query=5"),
    (Bars("row", stacked=True, ylim=(0, 1)), r"a stacked bar reaches from 0 to 1 and takes no ylim"),
    (Bars("row", stacked=True, format=".3f"), r"a stacked bar writes its shares as a strip does"),
    (Bars("row", format="3"), r"Bars: format must be 'd' or like '.2f', got format='3'"),
    (Strip("heads"), r"Strip: heads must have shape \(keys\) or \(queries, keys\), got \(2, 3, 5\)"),
    (Strip("row", pointer="row"), r"Strip: row must have shape \(\), got \(5,\)"),
    (Strip("row", columns="output"), r"Strip: output must have the shape of row, \(5,\), got \(3, 5\)"),
    (Strip("row", scores="row"), "scores='row' are written above columns: columns must be given"),
    (Flow(["output"]), "Flow: stages must be two or more, each output in one of them"),
    (Flow(["output", ["row", "output"]]), "Flow: stages must be two or more, each output in one of them"),
    (
        Flow(["output", "heads"]),
        r"Flow: heads must have shape \(queries, keys\) or \(keys\), got \(2, 3, 5\)",
    ),
    (Flow(["output", "row"], steps=["a", "b"]), "one less than there are stages, got stages=2, steps=2"),
    (Flow(["output", "row"], axes={"loss": ("a", "b")}), "Flow: axes names 'loss', which no stage shows"),
    (Flow(["output", "row"], masks={"loss": "mask"}), "Flow: masks names 'loss', which no stage shows"),
    (Flow(["output", "row"], masks={"row": "mask"}), r"Flow: mask must have the shape of row, \(5,\), got"),
    (Flow(["output", "row"], names={"dim": ["a"]}), r"names has the axis 'dim', but the axes are \['keys'"),
    (Flow(["output", "row"], roles={"loss": "key"}), "Flow: roles names 'loss', which no stage shows"),
    (Flow(["output", "row"], roles={"row": "keys"}), r"the role of row must be one of .* got 'keys'"),
    (Lines(x=[0, 1, 2, 3, 4], y="row", xlog=True), "Lines: xlog needs an x of numbers above 0"),
    (Lines(y="row", xlog=True), "Lines: xlog needs an x of numbers above 0"),
    (Number("row"), r"Number: row must have shape \(\), got \(5,\)"),
    (Number("loss", format="x"), r"Number: format must be 'd' or like '.2f', got format='x'"),
    (
        Heatmap(marks="square"),
        r"marks must have the queries and keys .* square=\(5, 5\), output=\(3, 5\)",
    ),
    (
        Heatmap(spans=(2, 0)),
        r"spans must be two whole numbers of rows and columns, got spans=\(2, 0\)",
    ),
    (
        Heatmap(blocks=(2, 5)),
        r"blocks must be two sizes that divide .* blocks=\(2, 5\), queries=3, keys=5",
    ),
    (History("row"), r"History: row must be an output of shape \(\), got \(5,\)"),
    (History("loss", log=True, ylim=(0, 1)), r"History: ylim must be above 0 on a logarithmic axis"),
]


@pytest.mark.parametrize(("view", "message"), WRONG, ids=lambda part: getattr(part, "kind", None))
def test_a_view_that_cannot_be_drawn_is_an_error_that_names_it(view, message):
    with pytest.raises(ValueError, match=message):
        view.to_spec(OUTPUTS, CONTROLS)


def test_constants_that_are_no_numbers_are_a_type_error():
    with pytest.raises(TypeError, match="Lines: x must be a name or numbers"):
        Lines(x=["a", "b"], y="row").to_spec(OUTPUTS, CONTROLS)


def test_a_flow_names_its_matrices_by_their_words_or_their_controls_labels():
    controls = {"queries": CONTROLS["queries"] | {"label": "Questions"}}
    spec = Flow(["queries", "output"]).to_spec({"output": WEIGHTS}, controls, {"output": "weights"})
    assert [part["label"] for part in spec["parts"]] == ["Questions", "weights"]
    assert spec["stages"] == [[0], [1]]


def test_a_part_of_a_flow_says_its_role_only_where_one_is_given():
    spec = Flow(["queries", "output", "row"], roles={"queries": "value", "row": None}).to_spec(
        OUTPUTS, CONTROLS
    )
    assert [part.get("role", "unsaid") for part in spec["parts"]] == ["value", "unsaid", None]


def test_only_lines_over_a_logarithm_say_so():
    ten = [1, 2, 5, 10, 20]
    assert Lines(x=ten, y="row", xlog=True).to_spec(OUTPUTS, CONTROLS)["xlog"] is True
    assert "xlog" not in Lines(x=ten, y="row").to_spec(OUTPUTS, CONTROLS)


def test_numbers_name_rows_and_columns_as_texts_do():
    """Ticks that count from 0 are written so: `yticks=range(3)`."""
    spec = Heatmap(yticks=range(3), xticks=[0.5] * 5).to_spec(OUTPUTS, CONTROLS)
    assert spec["yticks"] == {"values": ["0", "1", "2"]}
    assert spec["xticks"] == {"values": ["0.5"] * 5}
