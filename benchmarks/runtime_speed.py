"""How long a Program takes in Node beside torch eager on one thread.

The two take turns, with other inputs at each run. `python benchmarks/runtime_speed.py [WORD ...]`:
words choose functions by their names. A ratio is that of the quickest runs of a turn, the median
over the turns: others use the machine too.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import report
import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from livetorch import trace

HERE = Path(__file__).parent


TURNS = 7
SECONDS = 0.15  # of each turn
COLUMNS = {"what": "function", "ours": "ms", "torch": "torch ms", "ratio": "ratio", "apart": "differs by"}


def _attention(x: Tensor) -> Tensor:
    """Four heads of 16 over 64 tokens, causal."""
    heads = x.reshape(64, 4, 16).transpose(0, 1)
    return scaled_dot_product_attention(heads, heads, heads, is_causal=True)


def _step(x: Tensor, y: Tensor, w: Tensor, v: Tensor, m: Tensor, s: Tensor) -> Tensor:
    """A step of Adam on the first layer of an MLP."""

    def loss(w: Tensor) -> Tensor:
        return ((torch.tanh(x @ w) @ v - y) ** 2).mean()

    grad = torch.func.grad(loss)(w)
    m, s = 0.9 * m + 0.1 * grad, 0.999 * (s * s) + 0.001 * grad * grad
    return w - 0.01 * m / (s.sqrt() + 1e-8)


def _spectrum(x: Tensor) -> Tensor:
    waves = torch.view_as_real(torch.fft.rfft(x))
    return waves[..., 0] ** 2 + waves[..., 1] ** 2


def _orbit(x: Tensor) -> Tensor:
    for _ in range(100):
        k1 = torch.stack([x[1], -x[0]])
        k2 = torch.stack([x[1] + 0.005 * k1[1], -x[0] - 0.005 * k1[0]])
        x = x + 0.01 * k2
    return x


def functions() -> dict[str, tuple[Callable, dict[str, tuple[int, ...]]]]:
    """Functions of float32 tensors, each with the shapes of its inputs."""
    block = nn.TransformerEncoderLayer(64, 4, 256, dropout=0.0, batch_first=True).eval()
    conv = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU()
    ).eval()
    norm, lstm = nn.LayerNorm(512).eval(), nn.LSTM(32, 32).eval()
    grad = torch.func.grad(lambda x: _attention(x).square().sum())
    step = {"x": (64, 16), "y": (64, 1), "w": (16, 64), "v": (64, 1), "m": (16, 64), "s": (16, 64)}
    two = {"x": (1_000_000,), "y": (1_000_000,)}
    return {
        "attention 64 x 64, 4 heads": (_attention, {"x": (64, 64)}),
        "its gradient": (lambda x: grad(x), {"x": (64, 64)}),
        "transformer block 64 x 64": (lambda x: block(x), {"x": (1, 64, 64)}),
        "a step of Adam, batch 64": (_step, step),
        "conv net 3 x 32 x 32": (lambda x: conv(x), {"x": (1, 3, 32, 32)}),
        "softmax 512 x 512": (lambda x: x.softmax(-1), {"x": (512, 512)}),
        "LayerNorm and GELU 256 x 512": (lambda x: nn.functional.gelu(norm(x)), {"x": (256, 512)}),
        "LSTM, 64 steps of 32": (lambda x: lstm(x)[0], {"x": (64, 32)}),
        "rfft of 1024": (_spectrum, {"x": (1024,)}),
        "matmul 256 x 256": (lambda x, y: x @ y, {"x": (256, 256), "y": (256, 256)}),
        "Runge-Kutta, 100 steps": (_orbit, {"x": (2,)}),
        "elementwise 10^6": (lambda x, y: torch.sigmoid(x * y + 1) * torch.exp(-x), two),
        "small: attention 6 x 8": (
            lambda x, w: torch.softmax(x @ w @ x.T / 8**0.5, -1) @ x,
            {"x": (6, 8), "w": (8, 8)},
        ),
        "small: sums of 8": (lambda x: (x * x).sum() / x.exp().sum(), {"x": (8,)}),
    }


def drawn(shapes: dict[str, tuple[int, ...]]) -> dict[str, Tensor]:
    """Numbers between -1 and 1."""
    return {name: torch.rand(shape) * 2 - 1 for name, shape in shapes.items()}


@contextmanager
def node() -> Iterator[Callable[[dict], dict]]:
    """Start Node; gives what sends it a command and returns the answer."""
    command = ["node", str(HERE / "runtime_speed.mjs")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout

        def ask(line: dict) -> dict:
            process.stdin.write(json.dumps(line) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield ask
        process.stdin.close()


def eager(fn: Callable, pool: list[dict[str, Tensor]], seconds: float) -> list[float]:
    """Milliseconds of runs of torch, with inputs that take turns."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        given = pool[len(times) % len(pool)]
        start = time.perf_counter()
        fn(**given)
        times.append(1000 * (time.perf_counter() - start))
    return times


def measure(words: list[str]) -> list[dict[str, Any]]:
    """Give a row for each function."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    rows = []
    with node() as ask, tempfile.TemporaryDirectory() as folder:
        for name, (fn, shapes) in functions().items():
            if words and not any(word in name for word in words):
                continue
            pool = [drawn(shapes) for _ in range(8)]
            program = trace(fn, **pool[0])
            path = Path(folder, "program.json")
            path.write_text(program.to_json())
            ask({"load": name, "path": str(path)})
            given = {
                key: {"shape": list(x.shape), "data": x.flatten().tolist()} for key, x in pool[1].items()
            }
            want = fn(**pool[1])
            apart = torch.tensor(ask({"run": name, "inputs": given})["output"]).reshape(want.shape) - want
            turns = []
            ask({"time": name, "seconds": 3 * SECONDS})  # warm up
            eager(fn, pool, SECONDS)
            for _ in range(TURNS):
                ours = min(ask({"time": name, "seconds": SECONDS})["times"])
                turns.append((ours, min(eager(fn, pool, SECONDS))))
            rows.append(
                {
                    "what": name,
                    "ours": round(statistics.median(ours for ours, _ in turns), 4),
                    "torch": round(statistics.median(theirs for _, theirs in turns), 4),
                    "ratio": round(statistics.median(ours / theirs for ours, theirs in turns), 2),
                    "apart": (apart.abs().max() / want.abs().max()).item(),
                }
            )
    return rows


if __name__ == "__main__":
    report.print_table(measure(sys.argv[1:]), COLUMNS)
