"""The large constants of a live figure lie beside its notebook, and nothing of it is lost."""

import json

import comparison
import large_constants
import nbformat
import pytest
from built_site import ROOT

import notebooks as program
from livetorch.pools import compact, put_back

v4 = nbformat.v4
STORED = sorted((ROOT / "notebooks").glob("*.ipynb"))


def html(letters: int, letter: str = "A", name: str = "model") -> str:
    constant = {"dtype": "float16", "shape": [letters * 3 // 8], "data": letter * letters}
    outputs = [{"name": "output", "value": 0}]
    programs = [{"inputs": [], "constants": [{"pool": 0}], "nodes": [], "outputs": outputs}]
    spec = {"name": name, "pool": [constant], "programs": programs, "variants": {"keys": {"": 0}}}
    return (
        f'<figure class="livetorch" data-name="{name}">\n<img alt="a" src="data:,">\n'
        f'<script type="application/json">{compact(spec)}</script>\n</figure>'
    )


def notebook(*outputs: str):
    shown = [v4.new_output("display_data", {"text/html": text, "text/plain": "figure"}) for text in outputs]
    return v4.new_notebook(cells=[v4.new_code_cell("explore(f)", outputs=[output]) for output in shown])


def beside(folder) -> set[str]:
    return {path.name for path in (folder / large_constants.FOLDER).glob("*")}


def test_a_notebook_is_small_and_whole(tmp_path):
    path, large = tmp_path / "a.ipynb", html(1_200_000)
    assert program.write(path, notebook(large, html(50_000)))
    assert path.stat().st_size < 60_000
    assert len(beside(tmp_path)) == 1
    stored = program.read(path)
    assert list(large_constants.complaints(stored, tmp_path)) == []
    outputs = [comparison.whole(cell.outputs, tmp_path)[0]["data"]["text/html"] for cell in stored.cells]
    assert outputs == [large, html(50_000)]
    assert program.write(path, stored) is False


def test_a_run_is_compared_with_what_lies_beside(tmp_path):
    path = tmp_path / "a.ipynb"
    program.write(path, notebook(html(1_200_000)))
    stored = comparison.whole(program.read(path).cells[0].outputs, tmp_path)
    same, other = (notebook(html(1_200_000, letter)).cells[0].outputs for letter in "AB")
    assert comparison.output_differences(stored, same, ()) == []
    assert comparison.output_differences(stored, other, ()) != []


def test_what_no_notebook_names_any_more_is_taken_away(tmp_path):
    one, two = tmp_path / "a.ipynb", tmp_path / "b.ipynb"
    program.write(one, notebook(html(1_200_000)))
    program.write(two, notebook(html(1_200_000), html(1_200_000, "B")))
    before = beside(tmp_path)
    program.write(two, notebook(html(1_200_000, "C")))
    assert len(before) == len(beside(tmp_path)) == 2
    assert len(before & beside(tmp_path)) == 1  # which the first still names


def test_constants_in_the_wrong_place_are_complained_of(tmp_path):
    (said,) = large_constants.complaints(notebook(html(1_200_000)), tmp_path)
    assert "belong beside it" in said
    path = tmp_path / "a.ipynb"
    program.write(path, notebook(html(1_200_000)))
    for file in (tmp_path / large_constants.FOLDER).iterdir():
        file.unlink()
    (said,) = large_constants.complaints(program.read(path), tmp_path)
    assert said.startswith(tmp_path.name)
    assert "is missing" in said


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_every_figure_of_the_book_is_whole_with_what_lies_beside_it(path):
    assert list(large_constants.complaints(program.read(path), path.parent)) == []


def test_beside_the_notebooks_lies_only_what_they_name():
    named = large_constants.named(ROOT / "notebooks")
    assert beside(ROOT / "notebooks") == {path.name for path in named}


def test_minilm_is_whole_in_its_lesson_and_its_weights_lie_in_one_place():
    cells = program.read(ROOT / "notebooks" / "13a_a_heads_name.ipynb").cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    texts = [output.get("data", {}).get("text/html", "") for output in outputs]
    (text,) = [text for text in texts if 'data-name="own-sentence"' in text]
    assert " data-asked" in text  # a reader presses a button for it
    whole = put_back(text, ROOT / "notebooks")
    spec = json.loads(whole.partition('<script type="application/json">')[2].partition("</script>")[0])
    assert sum("letters" in constant for constant in spec["pool"]) == 25
    assert text.count("../attn_lessons/studies/minilm/weights/minilm/") == 25
    assert sum(path.stat().st_size for path in (ROOT / "notebooks/constants").glob("*.js")) < 200_000
