"""Notebooks are stored in the one form that tools/notebooks/normal_form.py describes."""

import copy

import nbformat
import normal_form
import pytest
from built_site import ROOT

import notebooks as program

STORED = sorted((ROOT / "notebooks").glob("*.ipynb"))
v4 = nbformat.v4


def _notebook(*cells):
    return normal_form.normal(v4.new_notebook(cells=list(cells)))


def _code(source="x", *outputs, **metadata):
    return v4.new_code_cell(source, outputs=list(outputs), metadata=metadata)


def _result(**data):
    return v4.new_output("execute_result", data={name.replace("_", "/"): text for name, text in data.items()})


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_stored_notebook_is_in_normal_form(path):
    assert normal_form.problems(program.read(path), path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_stored_notebook_leaves_at_most_two_cells_out_each_with_a_reason(path):
    cells = program.read(path).cells
    left_out = [cell for cell in cells if normal_form.IGNORE_TAG in cell.metadata.get("tags", [])]
    assert len(left_out) <= 2
    assert all(len(cell.metadata.get("reason", "")) > 10 for cell in left_out)


def test_writing_twice_changes_nothing():
    once = _notebook(v4.new_markdown_cell("# A title"), _code("1 + 1  ", _result(text_plain="2")), _code(" "))
    assert normal_form.text_of(normal_form.normal(once)) == normal_form.text_of(once)
    assert [cell.id for cell in once.cells] == ["a-title", "code"]


def test_what_depends_on_the_run_is_dropped():
    output = v4.new_output("execute_result", data={"text/plain": "2"}, execution_count=40)
    cell = _code("x", output, execution={"iopub.execute_input": "today"}, tags=["hide-input"])
    language = {"name": "python", "version": "3.11.9"}
    notebook = v4.new_notebook(cells=[cell], metadata={"widgets": {"state": 1}, "language_info": language})
    (stored,) = normal_form.normal(notebook).cells
    assert "execution" not in stored.metadata
    assert (stored.execution_count, stored.outputs[0].execution_count) == (1, 1)
    assert normal_form.normal(notebook).metadata.language_info == normal_form.LANGUAGE_INFO
    assert "widgets" not in normal_form.normal(notebook).metadata


@pytest.mark.parametrize(
    ("tag", "folded"),
    [
        ("hide-input", {"source_hidden"}),
        ("hide-output", {"outputs_hidden"}),
        ("hide-cell", {"source_hidden", "outputs_hidden"}),
        ("raises-exception", set()),
    ],
)
def test_what_the_site_folds_is_folded_in_a_notebook_too(tag, folded):
    (stored,) = _notebook(_code("x", tags=[tag])).cells
    assert set(stored.metadata.get("jupyter", {})) == folded
    assert ("cellView" in stored.metadata) == ("source_hidden" in folded)
    (opened,) = _notebook(_code("x", jupyter={"source_hidden": True})).cells
    assert "jupyter" not in opened.metadata  # what a reader folded by hand is not stored


def test_pieces_of_one_stream_are_joined_and_widget_views_dropped():
    stream = [v4.new_output("stream", text=text) for text in ("a\n", "b\n")]
    view = v4.new_output("display_data", data={normal_form.WIDGET_VIEW: {}, "text/plain": "Slider()"})
    outputs = _notebook(_code("x", *stream, view)).cells[0].outputs
    assert [output.get("text") for output in outputs] == ["a\nb\n", None]
    assert outputs[1].data == {"text/plain": "Slider()"}


def test_an_error_keeps_its_message_and_not_the_files_of_this_machine():
    error = v4.new_output("error", ename="ValueError", evalue="no", traceback=["File here, line 3"])
    (stored,) = _notebook(_code("x", error, tags=["raises-exception"])).cells[0].outputs
    assert stored.traceback == ["ValueError: no"]


@pytest.mark.parametrize(
    ("cell", "complaint"),
    [
        (_code("x", _result(text_plain="<A object at 0x7f3b2c001d30>")), "an object's address"),
        (_code("x", _result(text_plain="saved to /" + "home/me/a.txt")), "a path of one machine"),
        (_code("x", _result(text_html="<p>C:\\\\Users</p>")), "a path of one machine"),
        (_code("x", _result(text_plain="1"), tags=[normal_form.IGNORE_TAG]), "without a reason"),
        (_code("# NBVAL_SKIP\nx", _result(text_plain="1")), "leaves itself out"),
        (_code("x", v4.new_output("error", ename="KeyError", evalue="k")), "stores an error: KeyError"),
        (_code("x", v4.new_output("stream", name="stderr", text="careful")), "prints to stderr"),
        (_code("x", _result(image_png="aaaa", text_plain="<Figure size 1x1>")), "without its numbers"),
        (_code("x"), "no stored outputs"),
    ],
)
def test_what_cannot_be_normalised_is_named(cell, complaint):
    found = normal_form.problems(_notebook(cell))
    assert any(complaint in problem for problem in found), found


def test_more_than_two_cells_left_out_are_refused():
    cell = _code("x", _result(text_plain="1"), tags=[normal_form.IGNORE_TAG], reason="timing differs")
    found = normal_form.problems(_notebook(cell, copy.deepcopy(cell), copy.deepcopy(cell)))
    assert any("3 cells are left out" in problem for problem in found)


def test_random_and_double_cell_ids_become_words():
    cells = [v4.new_markdown_cell("# Why *softmax*?"), v4.new_markdown_cell("# Why softmax?")]
    cells[0]["id"], cells[1]["id"] = "9a3f00c1", "9a3f00c2"
    assert [cell.id for cell in _notebook(*cells).cells] == ["why-softmax", "why-softmax-2"]


def test_a_percent_script_comes_back_as_it_was():
    script = '# %% [markdown] the-question\n# # Why?\n\n# %% worked-example tags=["hide-input"]\n1 + 1\n'
    notebook = program.from_script(script)
    assert [cell.id for cell in notebook.cells] == ["the-question", "worked-example"]
    again = program.from_script(program.to_script(notebook))
    assert normal_form.text_of(again) == normal_form.text_of(notebook)


def test_a_cell_that_raises_stores_nothing(tmp_path):
    path = tmp_path / "broken.ipynb"
    program.write(path, v4.new_notebook(cells=[_code("print(1)"), _code("1 / 0")]))
    before = path.read_bytes()
    assert program._run(path) is False
    assert path.read_bytes() == before
