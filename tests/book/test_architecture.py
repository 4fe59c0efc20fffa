"""What book/architecture.md says: its picture, the number that it follows, where things are added."""

import importlib
import inspect
import re
import tomllib

import draw
import imports
import pytest
import torch
from built_site import ROOT

import livetorch
from attn_lessons.exercises.checking.check import all_exercises
from livetorch import trace
from livetorch.controls.base import Control
from livetorch.views.base import View

PAGE = (ROOT / "book" / "architecture.md").read_text(encoding="utf-8")
PUBLIC = [getattr(livetorch, name) for name in livetorch.__all__]
KINDS = {
    part: [item for item in PUBLIC if inspect.isclass(item) and issubclass(item, base)]
    for part, base in {"views": View, "controls": Control}.items()
}
PARTS = [(part, item) for part, items in KINDS.items() for item in items]


def test_the_picture_is_as_the_code_is():
    assert draw.PICTURE.read_text(encoding="utf-8") == draw.draw(), "python tools/architecture/draw.py"


def test_the_picture_shows_every_package_and_the_arrows_of_a_small_one():
    drawn = draw.PICTURE.read_text(encoding="utf-8")
    assert all(
        f">{name}/<" in drawn
        for name in ("attn_lessons", "attn_helpers", "pagepython", "livetorch", "livetorch/js")
    )
    band = imports.Band("b", "", {"top": {"middle", "low"}, "middle": {"low"}, "low": set(), "alone": set()})
    assert band.levels() == [["top"], ["middle"], ["low", "alone"]]
    assert band.arrows() == [("top", "middle"), ("middle", "low")]
    assert band.circles() == []
    band.uses["low"].add("top")
    assert band.circles() == ["top", "middle", "low"]


def test_no_package_goes_round_in_a_circle():
    known = {"exercises/checking", "exercises/tasks"}  # `check` finds the tasks by listing their folder
    assert [room for band in draw.bands() for room in band.circles() if room not in known] == []


SCRIPT = imports.javascript_band("livetorch/js", "", imports.javascript_rooms("livetorch/js"))


def test_scripts_of_a_package_import_only_from_packages_below():
    below = {
        "livetorch": {"livetorch"},
        "pagepython": {"pagepython", "livetorch"},
        "attn_lessons": {"attn_lessons", "livetorch"},
    }
    for package, allowed in below.items():
        assert imports.javascript_packages(package) <= allowed, package
    assert imports.javascript_packages("pagepython") == {"pagepython", "livetorch"}, (
        "else it looks at nothing"
    )


def test_python_in_the_page_takes_of_the_engine_its_runtime_and_how_it_makes_elements():
    assert imports.javascript_packages("pagepython", depth=3) - {"pagepython"} == {
        "livetorch/js/runtime",
        "livetorch/js/shared",
    }


def test_no_folder_of_the_script_imports_round_in_a_circle():
    assert {"figure", "open", "runtime", "parts"} <= set(SCRIPT.uses)
    assert SCRIPT.uses["open"] >= {"runtime"}
    assert SCRIPT.circles() == []


def test_the_script_imports_in_the_order_of_the_python():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (layers,) = [each["layers"] for each in settings["contracts"] if each.get("containers") == ["livetorch"]]
    depth = {room: number for number, layer in enumerate(layers) for room in re.findall(r"\w+", layer)}
    depth["runtime"] = depth["program"]  # a Program is written there and run here
    known = {room: others & set(depth) for room, others in SCRIPT.uses.items() if room in depth}
    assert set(known) == {"figure", "views", "controls", "runtime"}
    assert [(room, other) for room in known for other in known[room] if depth[other] <= depth[room]] == []


def test_the_number_goes_where_the_page_says():
    queries = keys = torch.tensor([0.0, 1.0, 2.0])
    program = trace(
        lambda width: torch.softmax(-(((queries[:, None] - keys) / width) ** 2), dim=-1), width=1.0
    )
    first, then = (float(program.run(width=width)["output"][0, 1]) for width in (1.0, 0.5))
    assert f"goes from {first:.2f} to {then:.2f}" in PAGE
    assert len(program.nodes) == 4
    assert PAGE.count("four operators") == 2


def test_every_file_that_the_page_names_is_there():
    named = re.findall(r"`([\w/.]+\.(?:py|mjs|json|md|yml))`|`([\w/]+/)`", PAGE)
    places = [file or folder for file, folder in named]
    assert len(places) > 20
    missing = [
        p
        for p in places
        if not any((ROOT / base / p).exists() for base in ("", "livetorch", "attn_lessons/studies/text"))
    ]
    assert missing == []


@pytest.mark.parametrize(("part", "item"), PARTS, ids=[item.__name__ for _, item in PARTS])
def test_every_view_and_control_is_in_the_places_that_the_recipe_names(part, item):
    module = importlib.import_module(item.__module__)
    assert item.__module__.startswith(f"livetorch.{part}.")
    file = inspect.getsourcefile(module).rpartition("/")[2].removesuffix(".py")
    folder = ROOT / "livetorch" / "js" / part
    assert (folder / f"{file}.mjs").is_file()
    assert re.search(rf"\b{item.kind}\b", (folder / "all.mjs").read_text(encoding="utf-8"))


def test_every_study_is_a_folder_and_every_exercise_a_file_of_its_own():
    studies = [path for path in (ROOT / "attn_lessons/studies").iterdir() if path.is_dir()]
    named = [path for path in studies if not path.name.startswith("_")]
    assert len(named) >= 5
    assert all((path / "__init__.py").is_file() for path in named)
    files = {path.stem for path in (ROOT / "attn_lessons/exercises/tasks").glob("*.py")} - {"__init__"}
    assert len(all_exercises()) == len(files)
    assert files == {name.replace("-", "_") for name in all_exercises()}


def test_every_folder_of_weights_has_a_recipe_that_can_make_them_again():
    recipes = [path for path in (ROOT / "tools").rglob("*.py") if path.parent.name in ("recipes", "minilm")]
    text = "".join(path.read_text(encoding="utf-8") for path in recipes)
    folders = {path.parent.name for path in (ROOT / "attn_lessons/studies").glob("*/weights")}
    assert len(folders) >= 5
    assert {name for name in folders if f'"{name}" / "weights"' not in text} == set()
