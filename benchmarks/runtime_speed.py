"""Race a step of training in the page's engine (in Node) against torch eager, on one thread each, by turns.

    python benchmarks/runtime_speed.py

A ratio is that of the quickest runs of a turn, the median over the turns.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import layer_norm, mse_loss

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from attn_lessons.studies.induction.adam import adam_step  # noqa: E402
from livetorch import trace  # noqa: E402
from livetorch.tracing.verifying.in_page import run_in_page  # noqa: E402

MOST, ERROR = 1.5, 1e-5
BATCHES, TOKENS, WIDTH, HEADS, RATE = (1, 8), 16, 32, 4, 1e-3
SHAPES = {
    "read": (WIDTH, 3 * WIDTH),
    "write": (WIDTH, WIDTH),
    "up": (WIDTH, 4 * WIDTH),
    "down": (4 * WIDTH, WIDTH),
}
TURNS, SECONDS = 5, 0.8  # of the processor: others use the machine too


def quickest_in_node(program: Any, series: list[dict[str, Tensor]], seconds: float) -> float:
    """Run a Program in Node for each of some inputs in turn; give the milliseconds of its quickest run."""
    told = [
        {name: {"shape": x.shape, "data": x.flatten().tolist()} for name, x in given.items()}
        for given in series
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.json")
        path.write_text(program.to_json(), encoding="utf-8")
        asked = json.dumps({"path": str(path), "series": told, "seconds": seconds})
        command = ["node", str(ROOT / "benchmarks/runtime_speed.mjs")]
        ran = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    return min(json.loads(ran.stdout))


def loss(weights: dict[str, Tensor], x: Tensor, y: Tensor) -> Tensor:
    """Say how far a block of a transformer is from what it should give."""
    heads = (x @ weights["read"]).unflatten(-1, (3, HEADS, -1)).permute(2, 0, 3, 1, 4)
    q, k, v = heads.unbind(0)
    seen = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1) @ v
    x = layer_norm(x + seen.transpose(1, 2).flatten(2) @ weights["write"], (WIDTH,))
    return mse_loss(x + (x @ weights["up"]).relu() @ weights["down"], y)


def step(x: Tensor, y: Tensor, count: Tensor, **state: Tensor) -> dict[str, Tensor]:
    """Take a step of Adam, as a lesson's figure does: state in, state out."""
    weights = {name: state[name] for name in SHAPES}
    new = {}
    for name, grad in torch.func.grad(loss)(weights, x, y).items():
        means = state[f"{name}_mean"], state[f"{name}_square"]
        moved, mean, square, _ = adam_step(weights[name], grad, *means, count, rate=RATE)
        new |= {name: moved, f"{name}_mean": mean, f"{name}_square": square}
    return new


def optimizer(given: dict[str, Tensor]) -> tuple[dict[str, Tensor], Callable[[], None]]:
    """Give the weights, and what takes the same step with torch's own Adam."""
    weights = {name: given[name].clone().requires_grad_() for name in SHAPES}
    adam = torch.optim.Adam(weights.values(), lr=RATE)

    def turn() -> None:
        adam.zero_grad()
        loss(weights, given["x"], given["y"]).backward()
        adam.step()

    return weights, turn


def drawn(batch: int) -> dict[str, Tensor]:
    """Draw a batch and the state before the first step."""
    given = {name: torch.randn(batch, TOKENS, WIDTH) for name in ("x", "y")} | {"count": torch.tensor(1.0)}
    for name, shape in SHAPES.items():
        zeros = {f"{name}_{kept}": torch.zeros(shape) for kept in ("mean", "square")}
        given |= {name: torch.randn(shape) / shape[0] ** 0.5, **zeros}
    return given


def quickest(turn: Callable[[], Any]) -> float:
    """Give the milliseconds of the quickest of many runs here."""
    times: list[float] = []
    end = time.process_time() + SECONDS
    while time.process_time() < end:
        start = time.perf_counter()
        turn()
        times.append(1000 * (time.perf_counter() - start))
    return min(times)


def raced(batch: int) -> dict[str, Any]:
    """Take turns: the engine, the same function in torch, and torch's own Adam."""
    series = [drawn(batch) for _ in range(4)]
    program = trace(step, **series[0])
    weights, turn = optimizer(series[1])
    turn()
    (stepped,) = run_in_page(program, [series[1]])() or ("Node was not found",)
    assert isinstance(stepped, dict), stepped  # else what stopped it
    # the running means tell of the gradients, which a first step of Adam hides
    wanted = step(**series[1]) | {name: each.detach() for name, each in weights.items()}
    differs = max(float((stepped[name] - each).abs().max()) for name, each in wanted.items())
    times = [
        (quickest_in_node(program, series, SECONDS), quickest(lambda: step(**series[1])), quickest(turn))
        for _ in range(TURNS)
    ]
    ours, eager, adam = (statistics.median(each) for each in zip(*times, strict=True))
    return {
        "model": f"{batch} x {TOKENS} tokens of width {WIDTH}",
        "ours_ms": round(ours, 2),
        "torch_ms": round(eager, 2),
        "adam_ms": round(adam, 2),
        "ratio": round(statistics.median(here / there for here, there, _ in times), 2),
        "adam_ratio": round(statistics.median(here / there for here, _, there in times), 2),
        "differs": differs,
    }


def main() -> int:
    """Race, and say whether the engine was too slow, or its step another than torch's."""
    import report  # needs a browser's packages, which whoever times another Program may lack

    torch.manual_seed(0)
    torch.set_num_threads(1)
    rows = [raced(batch) for batch in BATCHES]
    return report.finish(
        "runtime_speed",
        what="A step of Adam on a transformer's block in the engine and in torch eager, one thread",
        rules=[
            f"at most {MOST} times as long as torch eager",
            f"weights within {ERROR:g} of torch.optim.Adam's, running means of torch's",
        ],
        rows={"models": rows},
        broken=report.lost(rows, MOST, ERROR),
        columns={
            "model": "model",
            "ours_ms": "ms",
            "torch_ms": "torch eager ms",
            "adam_ms": "torch.optim.Adam ms",
            "ratio": "by torch eager's",
            "adam_ratio": "by torch.optim.Adam's",
            "differs": "from torch",
        },
    )


if __name__ == "__main__":
    sys.exit(main())
