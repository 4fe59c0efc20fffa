"""A Program of MiniLM's size, and a GPT of four layers, beside ONNX Runtime Web in Node and torch.

Sixteen tokens, one thread.
Random weights. Needs `npm ci` in this folder and requirements/rare.txt. Run `python benchmarks/race.py`.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from livetorch import trace  # noqa: E402

TOKENS = 16


class Stack(nn.Module):
    """Layers of a transformer over learned positions: an encoder, or, `causal`, a model of the next token."""

    def __init__(self, layers: int, width: int, heads: int, vocabulary: int, *, causal: bool) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.positions = nn.Parameter(torch.randn(TOKENS, width) * 0.1)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(
                width, heads, 4 * width, 0.0, "gelu", batch_first=True, norm_first=causal
            )
            for _ in range(layers)
        )
        self.causal = causal
        self.score = nn.Linear(width, vocabulary) if causal else nn.Identity()

    def forward(self, ids: Tensor) -> Tensor:
        x = (self.embed(ids) + self.positions)[None]
        mask = nn.Transformer.generate_square_subsequent_mask(TOKENS) if self.causal else None
        for layer in self.layers:
            x = layer(x, src_mask=mask)
        return self.score(x)[0]


def prepare(folder: Path, name: str, model: Stack, vocabulary: int) -> None:
    """Write the Program, the ONNX model and what torch gives; print the times of recording and torch."""
    ids = torch.randint(0, vocabulary, (TOKENS,))
    start = time.perf_counter()
    program = trace(model, ids=ids)
    recorded = time.perf_counter() - start
    (folder / f"{name}.json").write_text(program.to_json())
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        torch.onnx.export(model, (ids,), folder / f"{name}.onnx", dynamo=True, external_data=False)
    want = {"ids": ids.tolist(), "want": model(ids).flatten().tolist(), "vocabulary": vocabulary}
    (folder / f"{name}.want").write_text(json.dumps(want))
    times = []
    for _ in range(60):
        ids = torch.randint(0, vocabulary, (TOKENS,))
        start = time.perf_counter()
        model(ids)
        times.append(1000 * (time.perf_counter() - start))
    print(f"{name}: recorded in {recorded:.1f} s, torch {statistics.median(times):.1f} ms")


def main() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    torch.backends.mha.set_fastpath_enabled(False)
    logging.disable(logging.WARNING)
    models = {"minilm": (6, 384, 12, 1000, False), "gpt": (4, 256, 4, 10_000, True)}
    with tempfile.TemporaryDirectory() as folder:
        for name, (layers, width, heads, vocabulary, causal) in models.items():
            model = Stack(layers, width, heads, vocabulary, causal=causal).eval()
            prepare(Path(folder), name, model, vocabulary)
        subprocess.run(["node", str(HERE / "race.mjs"), folder, *models], check=True)


if __name__ == "__main__":
    main()
