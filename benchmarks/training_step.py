"""A training step in the page, and the model's forward pass: livetorch, ONNX Runtime Web, torch eager.

All that runs in JavaScript runs in one page, in turn, so that what is compared stood beside each other.
ONNX Runtime Web as published does not train: beside it stands the forward pass of the same model, which
`torch.onnx.export` writes and which livetorch traces.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import io
import json
import logging
import statistics
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import old_builds
import report
import torch
from playwright.sync_api import Browser
from site_server import serving

from attn_lessons.studies.induction.recipe import load_repeater
from livetorch import trace

ORT = "benchmarks/node_modules/onnxruntime-web/dist"
FILES = (f"{ORT}/ort.wasm.min.mjs", f"{ORT}/ort-wasm-simd-threaded.mjs", f"{ORT}/ort-wasm-simd-threaded.wasm")
CORE = ("livetorch/built/pages/livetorch.js", "livetorch/built/pages/livetorch.css")
BATCH = (12, 20)  # what the figure trains on

# Every runner in turn, `rounds` times; gives milliseconds by name.
RACE = """async ({ steps, forward, onnx, ids, shape, rounds }) => {
  const runners = {};
  for (const [name, { module, spec }] of Object.entries(steps)) {
    const { load } = await import(module);
    const program = load(spec.programs[0], { pool: spec.pool });
    const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const numbers = ({ value, dtype }) => {
      const buffer = bytes(value).buffer;
      if (dtype === "int64") return Array.from(new BigInt64Array(buffer), Number);
      return new Float32Array(buffer);
    };
    const inputs = Object.fromEntries(spec.controls.map((control) => [control.name, control.kind === "state"
      ? { shape: control.shape, data: numbers(control) } : { shape: [], data: [Number(control.value)] }]));
    const given = Object.fromEntries(program.inputs.map(({ name }) => [name, inputs[name]]));
    runners[name] = () => {
      const out = program.run(given);
      for (const [to, from] of Object.entries(spec.carry.names)) given[to] = out[from];
    };
  }
  const { load } = await import(forward.module);
  const model = load(forward.program);
  const turns = { ours: 0, theirs: 0 };
  const other = (who) => {
    turns[who] += 1; // no run finds its numbers done
    return ids.map((id) => (id + turns[who]) % 16);
  };
  let logits;
  runners["livetorch, forward"] = () => {
    logits = model.run({ tokens: { shape, data: other("ours") } }).output.data;
  };
  const ort = await import(onnx.module);
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = onnx.folder;
  const session = await ort.InferenceSession.create(onnx.model, { executionProviders: ["wasm"] });
  let theirs;
  runners["onnx, forward"] = async () => {
    const tensor = new ort.Tensor("int64", BigInt64Array.from(other("theirs"), BigInt), shape);
    const out = await session.run({ [session.inputNames[0]]: tensor });
    theirs = out[session.outputNames[0]].data;
  };
  const times = Object.fromEntries(Object.keys(runners).map((name) => [name, []]));
  for (let k = 0; k < rounds + 20; k += 1) for (const [name, run] of Object.entries(runners)) {
    const start = performance.now();
    await run();
    if (k >= 20) times[name].push(performance.now() - start);
  }
  runners["livetorch, forward"]();
  await runners["onnx, forward"]();
  const apart = Math.max(...Array.from(logits, (x, i) => Math.abs(x - theirs[i])));
  return { times, apart };
}"""


def zipped(paths: tuple[str, ...]) -> float:
    """Weigh files as a host sends them, in kB."""
    return sum(len(gzip.compress((report.ROOT / path).read_bytes(), 9)) for path in paths) / 1000


def eager(run: Callable[[], Any], rounds: int) -> list[float]:
    """Time a function of torch; gives milliseconds."""
    times = []
    for k in range(rounds + 5):
        start = time.perf_counter()
        run()
        times += [1000 * (time.perf_counter() - start)] if k >= 5 else []
    return times


def learn_once() -> Callable[[], Any]:
    """Give the figure's own function at its start: a step of Adam in torch."""
    import live_chapters

    page = old_builds.figures(report.SITE)["11 learn"].stem
    path = next(path for path in live_chapters.chapters() if path.stem == page)
    with contextlib.redirect_stdout(io.StringIO()):  # the chapter's own prints
        binding = live_chapters.figures(path)["learn"]._binding
    settings = binding.defaults()
    return functools.partial(binding.partial(settings), **binding.inputs(settings))


def measure(chromium: Browser, olds: list[Path], rounds: int) -> tuple[list[dict[str, Any]], float]:
    """Give a row for each runner, and how far the two forward passes are apart."""
    model = load_repeater()[0].eval()
    model.requires_grad_(requires_grad=False)
    ids = torch.randint(0, 16, BATCH, generator=torch.Generator().manual_seed(0))

    class Logits(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, tokens: torch.Tensor) -> torch.Tensor:
            return self.model(tokens)[0]

    scratch = report.ROOT / "_build" / "old" / "forward.onnx"
    logging.disable(logging.WARNING)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        torch.onnx.export(Logits(), (ids,), scratch, dynamo=True, external_data=False)
    program = trace(Logits(), tokens=ids)
    steps = {}
    for folder in [*olds, report.ROOT]:
        site = folder / "_build" / "html"
        spec = json.loads(old_builds.spec_of(old_builds.figures(site)["11 learn"], "learn"))
        modules = ("livetorch/js/runtime/load.mjs", "attn_helpers/live/js/runtime.mjs")
        module = next(folder / name for name in modules if (folder / name).exists())
        name = "now" if folder == report.ROOT else folder.name
        steps[f"livetorch {name}, step"] = {
            "module": f"/{module.relative_to(report.ROOT).as_posix()}",
            "spec": spec,
        }
    with serving(report.ROOT) as address:
        page = chromium.new_page()
        page.goto(f"{address}/README.md")
        found = page.evaluate(
            RACE,
            {
                "steps": steps,
                "forward": {
                    "module": "/livetorch/js/runtime/load.mjs",
                    "program": json.loads(program.to_json()),
                },
                "onnx": {
                    "module": f"/{FILES[0]}",
                    "folder": f"/{ORT}/",
                    "model": f"/{scratch.relative_to(report.ROOT).as_posix()}",
                },
                "ids": ids.flatten().tolist(),
                "shape": list(BATCH),
                "rounds": rounds,
            },
        )
        page.close()
    times = found["times"]
    del times["livetorch, forward"]  # held against ONNX Runtime Web; its time here disagrees with Node's
    times["torch eager, step"] = eager(learn_once(), rounds)
    times["torch eager, forward"] = eager(lambda: model(ids), rounds)
    loaded = {
        "livetorch now, step": zipped(CORE),
        "onnx, forward": zipped(FILES),
    }
    rows = [
        {
            "what": name,
            "median": statistics.median(taken),
            "p95": statistics.quantiles(taken, n=20)[-1],
            "loaded_kB": loaded.get(name),
        }
        for name, taken in times.items()
    ]
    return rows, found["apart"]
