"""Every operator of the JavaScript runtime does what torch's does, and what it made opens down to its end."""

import inspect
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from node_runner import encode_constant
from operator_cases import CASES, EMPTY
from operator_draw import Case, Draw
from sampling import few
from torch import Tensor

from livetorch.program.operators import ordered

LIVE = Path(__file__).parents[2] / "livetorch"
OPERATORS = json.loads((LIVE / "built" / "operators.json").read_text())

# Results that only gradients read which the runtime lacks: it does not give them.
UNUSED = {
    "aten._linalg_det.default": (1, 2),
    "aten._linalg_slogdet.default": (2, 3),
    "aten._linalg_solve_ex.default": (1, 2),
}
RELATIVE = {torch.float32: 1e-5, torch.float64: 1e-9, torch.float16: 4e-3, torch.bfloat16: 3e-2}


def overload(name: str):
    namespace, packet, variant = name.split(".")
    return getattr(getattr(getattr(torch.ops, namespace), packet), variant)


def expected(name: str, args: list, kwargs: dict) -> list[Tensor]:
    """What torch gives, with equal numbers in their order."""
    return as_list(ordered(overload(name))(*args, **kwargs))


class ProgramOfOneNode:
    """Writes one call as a Program: some tensors as inputs, some as constants."""

    def __init__(self, name: str, case: Case, results: list[Tensor], as_constants: bool, keyword_from: int):
        self.inputs, self.constants, self.given = [], [], {}
        self._as_constants = as_constants
        self._tensors = _tensors_in(case.args) + _tensors_in(case.kwargs.values())
        args, kwargs = _spelled(name, case, keyword_from)
        for index, value in enumerate(self._tensors):
            self._declare(index, value)
        node = {
            "op": name,
            "args": [self._write(value) for value in args],
            "kwargs": {key: self._write(value) for key, value in kwargs.items()},
            "outs": len(results),
        }
        outputs = [
            {"name": f"out{k}", "value": len(self._tensors) + k}
            for k, result in enumerate(results)
            if isinstance(result, Tensor) and k not in UNUSED.get(name, ())
        ]
        self.json = {
            "format": "livetorch/program",
            "version": 1,
            "inputs": self.inputs,
            "constants": self.constants,
            "nodes": [node],
            "outputs": outputs,
        }

    def _declare(self, index: int, value: Tensor):
        # Inputs are numbered before constants.
        if self._as_constants:
            self.constants.append(encode_constant(value))
        else:
            dtype = str(value.dtype).removeprefix("torch.")
            self.inputs.append({"name": f"x{index}", "shape": list(value.shape), "dtype": dtype})
            self.given[f"x{index}"] = value

    def _write(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return {"v": next(k for k, other in enumerate(self._tensors) if other is value)}
        if isinstance(value, list | tuple):
            return [self._write(entry) for entry in value]
        if isinstance(value, torch.dtype):
            return {"dtype": str(value).removeprefix("torch.")}
        if isinstance(value, float):
            return {"f": value if abs(value) != float("inf") and value == value else str(value)}
        return value


def _tensors_in(values) -> list[Tensor]:
    found = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, list | tuple):
            found.extend(_tensors_in(value))
    return found


def _spelled(name: str, case: Case, keyword_from: int):
    """The same call with its later arguments by name."""
    names = [argument.name for argument in overload(name)._schema.arguments]
    cut = max(1, keyword_from)
    by_name = dict(zip(names[cut:], case.args[cut:], strict=False))
    return case.args[:cut], {**by_name, **case.kwargs}


def as_list(result) -> list[Tensor]:
    return list(result) if isinstance(result, tuple | list) else [] if result is None else [result]


def widened(value):
    """float32 arguments as float64: the result that rounding does not blur."""
    if isinstance(value, Tensor) and value.dtype == torch.float32:
        return value.double()
    if isinstance(value, list | tuple):
        return [widened(entry) for entry in value]
    return value


def in_double(name: str, case: Case) -> list[Tensor] | None:
    try:
        return expected(name, widened(case.args), {k: widened(v) for k, v in case.kwargs.items()})
    except (RuntimeError, TypeError):
        return None


def close(got: Tensor, want: Tensor, loose: bool) -> Tensor:
    """Where two tensors of one dtype agree."""
    if not want.is_floating_point():
        return got == want
    relative = RELATIVE[got.dtype]
    got, want = got.double(), want.double()
    finite = want[want.isfinite()].abs()
    floor = 1e-37 if not loose else 0.2 * relative * max(1.0, float(finite.max()) if finite.numel() else 0.0)
    near = (got - want).abs() <= relative * want.abs() + floor
    return near | (got == want) | (got.isnan() & want.isnan())


def check(name: str, case: Case, got: dict[str, Tensor], want: list[Tensor]):
    exact = in_double(name, case)
    for index, wanted in enumerate(want):
        if not isinstance(wanted, Tensor) or index in UNUSED.get(name, ()):
            continue
        result = got[f"out{index}"]
        assert list(result.shape) == list(wanted.shape), f"output {index} has the wrong shape"
        assert result.dtype == wanted.dtype, f"output {index} has the wrong dtype"
        if name.removeprefix("aten.") in EMPTY:
            continue
        right = close(result, wanted, case.loose)
        if exact is not None and exact[index].shape == wanted.shape and wanted.dtype == torch.float32:
            right = right | close(result, exact[index].float(), case.loose)
        assert right.all(), f"output {index}:\n got {result[~right]}\nwant {wanted[~right]}\nfor {case}"


@pytest.mark.parametrize("name", OPERATORS)
def test_operator_gives_what_torch_gives_and_says_what_it_is_made_of(name, node):
    build = CASES[name]
    opens = name.removeprefix("aten.") not in EMPTY
    takes_name = len(inspect.signature(build).parameters) == 2

    @settings(
        max_examples=few(10, 30),
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
        program = ProgramOfOneNode(name, case, want, draw.int(0, 4) == 4, draw.int(1, 9))
        check(name, case, node.run(program.json, program.given), want)
        if opens and draw.int(0, 5) == 0:  # the simplest case among them
            assert node.opened(program.json, program.given, count=12, seed=draw.int(0, 1000)) == []

    property_of_operator()


def _cloned(values):
    """Copies, since a few operators write running statistics into their arguments."""
    return [v.clone() if isinstance(v, Tensor) else _cloned(v) if isinstance(v, list) else v for v in values]


def test_every_operator_has_a_property_test():
    assert sorted(CASES) == OPERATORS
