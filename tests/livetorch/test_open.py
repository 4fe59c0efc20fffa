"""Any number of a Program opens down to its end, and each step follows from the numbers that it names."""

import inspect

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from node_runner import NodeRunner
from operator_cases import CASES, EMPTY
from operator_draw import Draw
from test_runtime_operators import OPERATORS, ProgramOfOneNode, _cloned, expected


@pytest.fixture(scope="module")
def node():
    with NodeRunner() as runner:
        yield runner


@pytest.mark.parametrize("name", [name for name in OPERATORS if name.removeprefix("aten.") not in EMPTY])
def test_what_an_operator_made_follows_from_what_it_is_said_to_be_made_of(name, node):
    build = CASES[name]
    takes_name = len(inspect.signature(build).parameters) == 2

    @settings(
        max_examples=4,
        phases=[Phase.generate],  # the step itself says enough of what is wrong
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def property_of_operator(data):
        draw = Draw(data.draw)
        case = build(draw, name) if takes_name else build(draw)
        want = expected(name, _cloned(case.args), case.kwargs)
        program = ProgramOfOneNode(name, case, want, False, draw.int(1, 9))
        (found,) = node.opened([(program.json, program.given)], count=12, seed=draw.int(0, 1000))
        assert found["faults"] == []

    property_of_operator()
