"""A Program runs in torch, checks what it is given, and is written as JSON that others can read."""

import base64
import json
import linecache
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch
from node_runner import find_node

from livetorch.program.errors import InputError, ProgramFormatError
from livetorch.program.operators import operator
from livetorch.program.program import Program
from livetorch.tracing.trace import trace

KEYS = torch.tensor([0.0, 1.0, 2.0])


def weights(query, width):
    return torch.softmax(-((query - KEYS) ** 2) / width, -1)


def program() -> Program:
    return trace(weights, query=torch.zeros(2, 1), width=1.0)


# ---- running


def test_numbers_and_lists_and_tensors_are_taken():
    query = torch.tensor([[0.5], [1.5]])
    expected = weights(query, 2.0)
    for given in (query, query.tolist(), query.numpy(), [[0.5], [1.5]]):
        torch.testing.assert_close(program().run(query=given, width=2)["output"], expected)


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ({"query": torch.zeros(2, 1)}, "missing width"),
        ({"query": torch.zeros(2, 1), "with": 1.0}, "missing width; unknown with"),
        ({"query": torch.zeros(2, 1), "width": 1.0, "a": 1, "b": 2}, "unknown a, b"),
    ],
)
def test_names_of_inputs_are_checked(inputs, says):
    with pytest.raises(InputError) as caught:
        program().run(**inputs)
    assert str(caught.value) == f"the inputs of this Program are query, width; {says}."


def test_shapes_are_checked():
    with pytest.raises(InputError, match=r"query must have shape \(2, 1\), got \(3, 1\)"):
        program().run(query=torch.zeros(3, 1), width=1.0)


def test_dtypes_are_checked():
    with pytest.raises(InputError, match="query must have dtype float32, got float64"):
        program().run(query=torch.zeros(2, 1, dtype=torch.float64), width=1.0)


def test_a_fraction_is_no_whole_number():
    doubled = trace(lambda n: n * 2, n=1)
    assert doubled.run(n=3.0)["output"] == 6
    with pytest.raises(InputError, match="n must have dtype int64, got float32"):
        doubled.run(n=0.5)


def test_something_that_is_no_number_is_refused():
    with pytest.raises(InputError, match="width must be a tensor or numbers, got str"):
        program().run(query=torch.zeros(2, 1), width="wide")


def test_writing_to_an_output_changes_nothing():
    same = trace(lambda x: {"x": x, "keys": KEYS}, x=torch.ones(2))
    given = torch.ones(2)
    for tensor in same.run(x=given).values():
        tensor.zero_()
    assert given.tolist() == [1, 1]
    assert same.run(x=given)["keys"].tolist() == [0, 1, 2]


def test_the_text_form_is_short():
    assert (
        repr(program())
        == f"Program(query float32[2, 1], width float32[]; {len(program().nodes)} operators; output)"
    )


# ---- the JSON form


def test_the_json_form_is_the_documented_one():
    spec = json.loads(trace(lambda x: x * torch.tensor([1.0, -2.0]) + 1.0, x=torch.zeros(2)).to_json())
    data = base64.b64encode(np.array([1, -2], "<f4").tobytes()).decode()
    assert spec == {
        "format": "livetorch/program",
        "version": 2,
        "inputs": [{"name": "x", "shape": [2], "dtype": "float32"}],
        "constants": [{"dtype": "float32", "shape": [2], "data": data}],
        "nodes": [
            {"op": "aten.mul.Tensor", "args": [{"v": 0}, {"v": 1}]},
            {"op": "aten.add.Tensor", "args": [{"v": 2}, {"f": 1.0}]},
        ],
        "outputs": [{"name": "output", "value": 3}],
        "source": {
            "lines": [["lambda x: x * torch.tensor([1.0, -2.0]) + 1.0", "<lambda>", "test_program.py"]],
            "places": [[0, 10, 39], [0, 10, 45]],
            "of": [0, 1],
        },
    }


def test_an_operator_with_two_results_takes_two_numbers():
    spec = trace(lambda x: {"values": x.topk(2)[0], "after": x.topk(2)[1] + 1}, x=KEYS).to_dict()
    assert [node.get("outs", 1) for node in spec["nodes"]] == [2, 1]
    assert [out["value"] for out in spec["outputs"]] == [1, 3]


def test_infinities_and_dtypes_are_written_as_json():
    def f(x):
        return torch.where(x > 0, x, -torch.inf).double()

    text = trace(f, x=KEYS).to_json()
    assert json.loads(text)["nodes"][-1]["kwargs"] == {"dtype": {"dtype": "float64"}}
    assert "Infinity" not in text
    assert torch.equal(Program.from_json(text).run(x=KEYS)["output"], f(KEYS))


@pytest.mark.parametrize(
    ("values", "stored"),
    [
        (torch.tensor([0, 255]), "uint8"),
        (torch.tensor([-1, 100]), "int8"),
        (torch.tensor([-1, 200]), "int32"),
        (torch.tensor([0, 2**40]), None),
        (torch.tensor([1, 70000], dtype=torch.int32), None),
    ],
)
def test_whole_numbers_are_stored_as_narrow_as_they_fit(values, stored):
    same = trace(lambda x: {"x": x, "values": values}, x=1.0)
    (constant,) = same.to_dict()["constants"]
    assert constant.get("stored") == stored
    read = Program.from_json(same.to_json()).run(x=1.0)["values"]
    assert torch.equal(read, values)
    assert read.dtype == values.dtype


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16, torch.bool, torch.int64])
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3)])
def test_constants_of_every_dtype_and_shape_survive_json(dtype, shape):
    values = torch.randn(shape).mul(3).to(dtype)
    text = trace(lambda x: {"x": x, "values": values}, x=1.0).to_json()
    assert torch.equal(Program.from_json(text).run(x=1.0)["values"], values)


def test_programs_share_constants_through_a_pool():
    pool = []
    table = torch.randn(30, 30)
    programs = [trace(lambda x, by=by: x * table * by, x=1.0) for by in (1, 2, 3)]
    specs = [program.to_dict(pool) for program in programs]
    assert len(pool) == 2  # the table, and the one line of the function
    assert [spec["constants"] for spec in specs] == [[{"pool": 0}]] * 3
    assert [spec["source"]["lines"] for spec in specs] == [[{"pool": 1}]] * 3
    torch.testing.assert_close(Program.from_json(specs[2], pool).run(x=1.0)["output"], 3 * table)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "this is not a Program"),
        ("[]", "this is not a Program"),
        ("{}", "must have format 'livetorch/program' and version 1 or 2, got format=None"),
        ('{"format": "livetorch/program", "version": 3}', "version=3"),
        ('{"format": "livetorch/program", "version": 1}', "this is not a Program: KeyError"),
    ],
)
def test_other_texts_are_refused(text, says):
    with pytest.raises(ProgramFormatError) as caught:
        Program.from_json(text)
    assert says in str(caught.value)


def test_a_program_with_a_pool_needs_the_pool():
    pool = []
    spec = program().to_dict(pool)
    with pytest.raises(ProgramFormatError, match="IndexError"):
        Program.from_json(spec)


@pytest.mark.parametrize("name", ["mul", "aten.mul", "aten.no_such.default", "os.system.default"])
def test_only_operators_of_torch_are_found(name):
    with pytest.raises(ValueError, match="unknown operator"):
        operator(name)


# ---- the page that describes the format

PAGE = Path(__file__).parents[2] / "book" / "live_format.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_example_on_the_page_is_what_its_code_gives(capsys, monkeypatch):
    code = blocks("python")[0]
    lines = code.splitlines(keepends=True)
    monkeypatch.setitem(linecache.cache, "<page>", (len(code), None, lines, "<page>"))
    exec(compile(code, "<page>", "exec"), {})
    assert json.loads(capsys.readouterr().out) == json.loads(blocks("json")[0])


def test_the_javascript_on_the_page_runs_the_example():
    code = blocks("js")[0].replace("./livetorch", (PAGE.parents[1] / "livetorch").as_posix())
    script = code.replace("load(text)", f"load({blocks('json')[0]})").replace(
        "console.log(output.shape, output.data)",
        "console.log(JSON.stringify([output.shape, [...output.data]]))",
    )
    run = subprocess.run(
        [find_node(), "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    )
    shape, data = json.loads(run.stdout)
    expected = Program.from_json(blocks("json")[0]).run(width=0.5)["output"]
    torch.testing.assert_close(torch.tensor(data).reshape(shape), expected)


def test_the_lines_on_the_page_are_what_opening_says():
    """Each console.log of the page prints what stands behind // after it."""
    code = "\n".join(blocks("js")).replace("./livetorch", (PAGE.parents[1] / "livetorch").as_posix())
    script = f"const text = {blocks('json')[0]};\n{code}"
    run = subprocess.run(
        [find_node(), "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    )
    said = re.findall(r"^.*// (.*)$", blocks("js")[1], re.MULTILINE)
    assert len(said) == 2
    assert run.stdout.splitlines()[-2:] == said
