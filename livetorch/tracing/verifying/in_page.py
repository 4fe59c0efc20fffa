"""A Program run by the page's own runtime, in Node: what torch makes of it says nothing of the page."""

import base64
import dataclasses
import os
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import IO, Any

import torch
from torch import Tensor

from livetorch.node import asked
from livetorch.program.encoding import Constant
from livetorch.program.errors import LiveWarning
from livetorch.program.program import Program

_EXACT = 2**53  # beyond it a page takes no whole number as an input


def run_in_page(
    program: Program, series: Sequence[Mapping[str, Tensor]]
) -> Callable[[], list[dict[str, Tensor] | str] | None]:
    """Run a Program as a page would, on one set of inputs after the other, while Python does something else.

    Args:
        program: the Program.
        series: inputs by name.
    Returns: what waits for the end. It gives for each set the outputs, or what the page says where it stops;
        None where there is no Node.

    >>> from livetorch import trace
    >>> run_in_page(trace(lambda x: 2 * x, x=1.0), [{"x": torch.tensor(3.0)}])()
    [{'output': tensor(6.)}]
    """
    bare = dataclasses.replace(program, source=None, constants=()).to_dict()
    sent = [{key: _sent(each) for key, each in one.items()} for one in series]
    with tempfile.NamedTemporaryFile(delete=False) as file:  # Node removes it
        bare["constants"] = [_laid(constant, file) for constant in program.constants]
    answer_of = asked({"run": bare, "series": sent, "numbers": file.name})
    if answer_of is None:
        os.unlink(file.name)

    def answered() -> list[dict[str, Tensor] | str] | None:
        if answer_of is None:
            _say_that_node_is_missing()
            return None
        answer = answer_of()
        if "error" in answer:
            return [answer["error"]] * len(series)
        return [
            run["error"] if "error" in run else {key: _got(each) for key, each in run["outputs"].items()}
            for run in answer["runs"]
        ]

    return answered


def fits_in_page(inputs: Mapping[str, Tensor]) -> bool:
    """Tell whether a page can be given these inputs: it takes whole numbers up to 2^53."""
    return all(
        tensor.is_floating_point() or not tensor.numel() or int(tensor.abs().amax()) <= _EXACT
        for tensor in inputs.values()
        if tensor.dtype != torch.bool
    )


@cache
def _say_that_node_is_missing() -> None:
    warnings.warn(
        "Node was not found, so Programs are held against their functions by torch alone, and not by the "
        "page's own runtime. Install Node to have both.",
        LiveWarning,
        stacklevel=2,
    )


def _laid(constant: Constant, file: IO[bytes]) -> dict[str, Any]:
    """Put a constant's bytes into a file and say where: as text a large model is longer than Node reads."""
    frame = dataclasses.replace(constant, data=b"").to_dict()
    return frame | {"data": {"at": file.tell(), "size": file.write(constant.data)}}


def _sent(tensor: Tensor) -> dict[str, Any]:
    numbers = tensor.detach().to(torch.float64).contiguous().numpy().tobytes()
    return {"shape": list(tensor.shape), "data": base64.b64encode(numbers).decode("ascii")}


def _got(spec: Mapping[str, Any]) -> Tensor:
    held = torch.int64 if spec["exact"] else torch.float64
    data = bytearray(base64.b64decode(spec["data"]))
    numbers = torch.frombuffer(data, dtype=held) if data else torch.empty(0, dtype=held)
    return numbers.reshape(spec["shape"]).to(getattr(torch, spec["dtype"]))
