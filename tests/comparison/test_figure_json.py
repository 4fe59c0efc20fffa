"""Which live figures count as the same: structure, operators and whole numbers equal, floats nearly so."""

import copy

import pytest
import torch
from figure_json import differences

from livetorch import trace


def _spec(first, second, **more):
    """A figure's JSON with one Program that uses two constants."""

    def fn(x):
        return {"output": torch.softmax((x * first).sin() + (x * second).cos(), -1)}

    pool = []
    program = trace(fn, x=torch.linspace(-1, 1, 40)).to_dict(pool)
    return {"programs": [program], "pool": pool, "variants": {"controls": [], "keys": {"": 0}}, **more}


@pytest.fixture
def numbers():
    return torch.linspace(1, 2, 40)


def test_an_equal_figure_is_the_same(numbers):
    assert differences(_spec(numbers, numbers), _spec(numbers, numbers)) == []


def test_constants_may_differ_in_their_last_bits(numbers):
    assert differences(_spec(numbers, numbers + 1), _spec(numbers * (1 + 2e-7), numbers + 1)) == []


def test_two_constants_that_are_equal_on_one_machine_only_are_still_the_same(numbers):
    shared, apart = _spec(numbers, numbers), _spec(numbers, numbers * (1 + 2e-7))
    assert [len(shared["programs"][0]["constants"]), len(apart["programs"][0]["constants"])] == [1, 2]
    assert differences(shared, apart) == []
    assert differences(apart, shared) == []


def test_a_statement_of_the_function_that_changed_is_named(numbers):
    stored, computed = _spec(numbers, numbers + 1), _spec(numbers, numbers + 1)
    (line,) = [entry for entry in computed["pool"] if isinstance(entry, list)]
    line[0] = line[0].replace("sin", "tan")
    assert any("tan" in fault for fault in differences(stored, computed))


def test_a_constant_that_differs_by_a_thousandth_of_its_size_is_named(numbers):
    other = numbers.clone()
    other[7] += 0.002
    (found,) = differences(_spec(numbers, numbers + 1), _spec(other, numbers + 1))
    assert "aten.mul.Tensor: constant float32[40] at (7,)" in found
    assert "they differ by 0.002, allowed is 0.0002" in found


def test_a_number_of_a_mask_is_no_measure_for_the_others(numbers):
    masked = torch.where(torch.arange(40) % 2 == 0, numbers, -1e9)
    other = masked.clone()
    other[2] += 0.002
    assert differences(_spec(masked, numbers), _spec(other, numbers))


def test_infinities_must_be_where_they_were(numbers):
    masked, other = numbers.clone(), numbers.clone()
    masked[3], other[4] = -torch.inf, -torch.inf
    assert differences(_spec(masked, numbers), _spec(masked, numbers)) == []
    assert differences(_spec(masked, numbers), _spec(other, numbers))


@pytest.mark.parametrize("change", ["op", "args", "outs", "output", "input", "node"])
def test_a_change_of_the_program_is_seen(numbers, change):
    stored = _spec(numbers, numbers + 1)
    computed = copy.deepcopy(stored)
    program = computed["programs"][0]
    if change == "op":
        program["nodes"][1]["op"] = "aten.tanh.default"
    elif change == "args":
        (node,) = [node for node in program["nodes"] if "softmax" in node["op"]]
        node["args"][1] = 0
    elif change == "outs":
        program["nodes"][0]["outs"] = 2
    elif change == "output":
        program["outputs"][0]["name"] = "weights"
    elif change == "input":
        program["inputs"][0]["shape"] = [41]
    else:
        program["outputs"][0]["value"] -= 1
    assert differences(stored, computed)


def test_settings_and_text_are_compared_too(numbers):
    def spec(value=0.5, step=3, label="width 0.50"):
        return _spec(numbers, numbers, controls=[{"value": value, "step": step, "label": label}])

    assert differences(spec(), spec(value=0.500001, label="width 0.51")) == []
    assert "controls[0].value" in differences(spec(), spec(value=0.501))[0]
    assert "controls[0].step" in differences(spec(), spec(step=4))[0]
    assert "controls[0].label" in differences(spec(), spec(label="width 0.52"))[0]
    assert differences(spec(value=1.0), spec(value=1))


def test_settings_that_have_a_program_must_be_the_same(numbers):
    stored, computed = _spec(numbers, numbers), _spec(numbers, numbers)
    computed["variants"] = {"controls": [], "keys": {"": 0, "1": 0}}
    assert differences(stored, computed)


def test_float16_may_differ_by_one_of_its_own_units():
    from tensors import difference

    from livetorch.program.encoding import Constant

    numbers = torch.linspace(1, 1.9, 8)
    near, far = numbers.clone(), numbers.clone()
    near[0] += 2**-10
    far[0] += 3 * 2**-10
    stored, near, far = (Constant.of(each, "float16").to_dict() for each in (numbers, near, far))
    assert stored["stored"] == "float16"
    assert difference(stored, stored) is None
    assert difference(stored, near) is None
    assert difference(stored, far)
