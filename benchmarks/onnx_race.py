"""Race a Program against the same model in ONNX Runtime Web: 16 tokens, one thread, in Node, by turns.

    python benchmarks/onnx_race.py

A ratio is that of the quickest runs of a turn, the median over the turns: others use the machine too.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import report
import torch
from torch import Tensor, nn

sys.path.insert(0, str(report.ROOT))
from livetorch import trace

MOST, ERROR = 1.5, 1e-5
TOKENS, INPUTS, TURNS, RUNS = 16, 4, 9, 5


class Block(nn.Module):
    """A layer of a transformer: BERT's with the norms behind, GPT's with a mask and the norms before."""

    def __init__(self, width: int, heads: int, causal: bool) -> None:
        super().__init__()
        self.heads, self.causal = heads, causal
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.read, self.write = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def attend(self, x: Tensor) -> Tensor:
        """Let each token read the others, or those before it."""
        q, k, v = self.read(x).unflatten(-1, (3, self.heads, -1)).permute(1, 2, 0, 3)
        scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        if self.causal:
            scores = scores + torch.full((TOKENS, TOKENS), -torch.inf).triu(1)
        return self.write((scores.softmax(-1) @ v).transpose(0, 1).flatten(1))

    def forward(self, x: Tensor) -> Tensor:
        """Attend, and think about it."""
        first, second = self.norms
        if self.causal:
            x = x + self.attend(first(x))
            return x + self.mlp(second(x))
        x = first(x + self.attend(x))
        return second(x + self.mlp(x))


MODELS = {  # layers, width, heads, causal
    "MiniLM's size": (6, 384, 12, False),
    "a GPT of 4 layers of 256": (4, 256, 4, True),
}


def raced(name: str, folder: Path) -> dict[str, Any]:
    """Run both for the same inputs."""
    torch.manual_seed(0)
    layers, *kind = MODELS[name]
    model = nn.Sequential(*(Block(*kind) for _ in range(layers))).eval().requires_grad_(False)
    inputs = [torch.randn(TOKENS, kind[0]) for _ in range(INPUTS)]
    paths = {"program": str(folder / "program.json"), "onnx": str(folder / "model.onnx")}
    Path(paths["program"]).write_text(trace(lambda x: model(x), x=inputs[0]).to_json(), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the other exporter wants packages of its own
        torch.onnx.export(
            model, (inputs[0],), paths["onnx"], input_names=["x"], opset_version=17, dynamo=False
        )
    told = {
        **paths,
        "inputs": [{"shape": list(x.shape), "data": x.flatten().tolist()} for x in inputs],
        "wanted": [model(x).flatten().tolist() for x in inputs],
        "turns": TURNS,
        "runs": RUNS,
    }
    command = ["node", str(report.ROOT / "benchmarks/onnx_race.mjs")]
    ran = subprocess.run(command, input=json.dumps(told), stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(ran.stdout)
    ours, onnx = found["times"]["ours"], found["times"]["onnx"]
    return {
        "model": name,
        "ours_ms": round(statistics.median(ours), 1),
        "onnx_ms": round(statistics.median(onnx), 1),
        "ratio": round(statistics.median(a / b for a, b in zip(ours, onnx, strict=True)), 2),
        "differs": found["differs"]["ours"],
        "onnx_differs": found["differs"]["onnx"],
    }


def main() -> int:
    """Race, and say what was too slow or too far from torch."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        rows = [raced(name, Path(folder)) for name in MODELS]
    return report.finish(
        "onnx_race",
        what="Transformers in the engine and in ONNX Runtime Web, 16 tokens, one thread",
        rules=[f"at most {MOST} times as long as ONNX Runtime Web", f"within {ERROR:g} of torch"],
        rows={"models": rows},
        broken=report.lost(rows, MOST, ERROR),
        columns={
            "model": "model",
            "ours_ms": "ms",
            "onnx_ms": "ONNX Runtime Web ms",
            "ratio": "ratio",
            "differs": "from torch",
            "onnx_differs": "it from torch",
        },
    )


if __name__ == "__main__":
    sys.exit(main())
