// Cells in the page's Python, in Node: what they show, how they end, and a torch that a site brings itself.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { zipSync } from "./zip.mjs";
import { loadPyodide } from "pyodide";
import { needsOf, signatureOf } from "../../../pagepython/editing/needs.mjs";
import { openCells } from "../../../pagepython/worker/cells.mjs";
import { collect } from "../../../pagepython/build/collect.mjs";
import { startPython } from "../../../pagepython/worker/python.mjs";

/** @type {{kind: string, text: string, html?: string}[]} */
let shown = [];
/** @type {{run: (source: string, cell: string) => any, names: Function, reset: () => void}} */
let cells;

before(async () => {
  cells = openCells(await startPython(loadPyodide, collect([])), (output) => shown.push(output));
});

const run = (source, cell = "cell 1") => {
  shown = [];
  return cells.run(source, cell);
};
const text = () => shown.map((output) => output.text).join("");

test("the last line is shown, unless it ends with a semicolon or gives None", () => {
  assert.equal(run("x = 2\nx + 1").ok, true);
  assert.deepEqual(shown, [{ kind: "text", text: "3" }]);
  assert.equal(run("x + 1;").ok, true);
  assert.equal(run("None").ok, true);
  assert.deepEqual(shown, []);
});

test("a figure is shown when a print follows it, too", () => {
  const figure = `"<figure class='livetorch'></figure>".replace("'", '"')`;
  run(`class Shown:\n    def _repr_mimebundle_(self):\n        return {"text/html": ${figure}}\nShown()\n"no figure"\nprint(1)`);
  assert.deepEqual(
    shown.map(({ kind }) => kind),
    ["figure", "stream"],
  );
});

test("names stay from cell to cell until they are forgotten", () => {
  run("kept = 5");
  run("kept");
  assert.equal(text(), "5");
  cells.reset();
  assert.equal(run("kept").error.name, "NameError");
});

test("what is printed, displayed and returned comes in order, in Jupyter's kinds", () => {
  run('from IPython.display import HTML, Markdown, clear_output\nprint("a")\ndisplay(HTML("<b>b</b>"))\nprint("c")\nMarkdown("`d`")');
  assert.deepEqual(
    shown.map(({ kind, html, text }) => [kind, html ?? text]),
    [
      ["stream", "a\n"],
      ["html", "<b>b</b>"],
      ["stream", "c\n"],
      ["html", "<p><code>d</code></p>"],
    ],
  );
  run("from IPython.display import clear_output\nprint(1)\nclear_output()");
  assert.deepEqual(shown.at(-1), { kind: "clear", text: "" });
});

test("what is shown is text where it is not meant as HTML", () => {
  run('from IPython.display import Markdown\nMarkdown("<img onerror=1>\\n\\n```python\\n<script>\\n```")');
  assert.doesNotMatch(shown[0].html, /<img|<script/);
  run('"<b>"');
  assert.deepEqual(shown, [{ kind: "text", text: "'<b>'" }]);
});

test("an error has the reader's cells and lines, of other cells too, and no line of a library", () => {
  run("import torch\ndef product(a, b):\n    return a @ b", "cell 3");
  const { ok, absent, error } = run("x = torch.ones(2, 3)\n\nproduct(x, x)", "cell 4");
  assert.equal(ok, false);
  assert.equal(absent, false);
  assert.equal(error.name, "RuntimeError");
  assert.deepEqual(error.frames, [
    { cell: "cell 4", line: 3, text: "product(x, x)" },
    { cell: "cell 3", line: 3, text: "    return a @ b" },
  ]);
});

test("a slip of the pen is marked at its line", () => {
  const { error } = run("x = 1\nif x\n    print(x)", "cell 5");
  assert.deepEqual([error.name, error.message, error.frames], ["SyntaxError", "expected ':'", [{ cell: "cell 5", line: 2, text: "if x", column: 5 }]]);
});

test("what is not in the page is named in full, and a typo is Python's own error", () => {
  const { error, absent } = run("import torch\ntorch.fft.fft(1)");
  assert.deepEqual([error.missing, absent], ["torch.fft.fft", true]);
  assert.match(error.message, /is not in the page/);
  for (const name of ["torch.nn.NoSuchLayer", "torch.no_such_name"]) {
    const typo = run(`import torch\n${name}`);
    assert.equal(typo.absent, false);
    assert.match(typo.error.message, /has no attribute/);
  }
  for (const [code, missing] of [
    ["import threading\nthreading.Thread(target=print).start()", "thread"],
    ["import subprocess\nsubprocess.run(['ls'])", "process"],
    ["import urllib.request\nurllib.request.urlopen('https://example.org')", "network"],
    ["from torch.utils.data import *\nWeightedRandomSampler", "torch.utils.data.WeightedRandomSampler"],
    ["import numpy as np\nnp.polyfit[0]", "numpy.polyfit"],
    ["import numpy as np\nnp.finfo", "numpy.finfo"],
  ])
    assert.deepEqual([run(code).error.missing, code], [missing, code]);
  assert.match(run("WeightedRandomSampl").error.message, /is not defined/);
});

test("commands of Jupyter's are left out, and that is said; a percent sign of Python's stays", () => {
  assert.equal(run("%matplotlib inline\n!pip install x\ny = 7").ok, true);
  assert.match(text(), /%matplotlib inline: a command of Jupyter's/);
  run('"""\n%s\n"""');
  assert.equal(text(), "'\\n%s\\n'");
  assert.deepEqual(run("%timeit\n1 / 0", "cell 6").error.frames, [{ cell: "cell 6", line: 2, text: "1 / 0" }]);
});

test("a loop that prints does not fill the page", () => {
  run('for _ in range(100_000):\n    print("0123456789")');
  assert.ok(text().length < 201_000, `${text().length}`);
  assert.match(text(), /the rest is not shown/);
  assert.ok(shown.length < 200, `${shown.length} pieces`);
  run("print(1)");
  assert.equal(text(), "1\n");
});

test("no room is an error, and the next cell runs", () => {
  for (const code of ["[0] * 10**9", "import torch\ntorch.ones(200_000, 200_000)"]) {
    assert.equal(run(code).error.name, "MemoryError");
  }
  assert.equal(run("1").ok, true);
});

test("a live figure comes with its JSON, as a notebook stores it", () => {
  const keys = "import torch\nfrom livetorch import explore\nkeys = torch.arange(3.0)\n";
  assert.equal(run(`${keys}def weights(width):\n    row = (-keys / width).softmax(-1)\n    return row[None]\nexplore(weights, width=(0.5, 2.0))`).ok, true);
  const [figure] = shown;
  assert.equal(figure.kind, "figure");
  assert.match(figure.text, /^LiveFigure weights, width = 1\.25/);
  const spec = JSON.parse(/<script type="application\/json">(.*)<\/script>/s.exec(figure.html)[1]);
  assert.deepEqual([spec.format, spec.controls[0].name, spec.programs.length], ["livetorch/figure", "width", 1]);
  const { lines, places, of, names } = spec.programs[0].source;
  const parts = of.map((at) => ((line, from, to) => spec.pool[lines[line].pool][0].slice(from, to))(...places[at]));
  assert.deepEqual(parts, ["-keys / width", "(-keys / width).softmax(-1)", "row[None]"]);
  assert.deepEqual(Object.values(names), ["row"]);
});

test("in a figure's function a print shows the setting at which the figure begins, and what asks Python for a number is marked", () => {
  run("import torch\nfrom livetorch import explore, Slider, Choice", "cell 1");
  const tried = (line) =>
    run(
      `def add_up(x, n, kind):\n    weights = torch.softmax(torch.stack([x, x * n]), 0)\n${line}\n    return weights * (2 if kind == "b" else 1)\nexplore(add_up, x=Slider(0, 1, value=0.5), n=Slider(1, 5, step=1, value=2), kind=Choice(["a", "b"], value="b"))`,
      "cell 2",
    );
  const cases = [
    ["    print(weights)", "tensor([0.3775, 0.6225])\n"],
    ["    print(n)\n    torch.zeros(int(n))", "2\n"],
    ["    print(f'{weights[0]:.2f}', x)", "0.38 tensor(0.5000)\n"],
  ];
  for (const [line, printed] of cases) {
    const { ok, error } = tried(line);
    assert.ok(ok, error?.message);
    assert.deepEqual(
      shown.map(({ kind, text }) => (kind === "stream" ? text : kind)),
      [printed, "figure"],
    );
  }
  for (const line of ["    if weights[0] > 0.5: pass", "    while weights[0] > 0.5: break", "    float(weights[0])"]) {
    const { error } = tried(line);
    assert.match(error.message, /^add_up: the figure is computed for all settings at once/);
    assert.equal(error.frames.at(-1).line, 3, line);
  }
});

test("show_source finds the code of a cell's function", () => {
  run("def mine():\n    return 1", "cell 8");
  run("import inspect\nprint(inspect.getsource(mine))", "cell 9");
  assert.equal(text(), "def mine():\n    return 1\n\n");
});

test("a site's own wheel is torch", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wheel-"));
  const wheel = join(folder, "torch-9.9-py3-none-any.whl");
  const about = "torch-9.9.dist-info";
  writeFileSync(
    wheel,
    zipSync({
      "torch/__init__.py": "__version__ = '9.9'\n",
      [`${about}/METADATA`]: "Metadata-Version: 2.1\nName: torch\nVersion: 9.9\n",
      [`${about}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
      [`${about}/RECORD`]: "",
    }),
  );
  const files = collect([], { torch: wheel });
  assert.ok(!("torch/__init__.py" in files) && "livetorch/tracing/recorder.py" in files);
  const other = openCells(await startPython(loadPyodide, files, { torch: wheel }), (output) => shown.push(output));
  shown = [];
  assert.equal(other.run("import torch\ntorch.__version__", "cell 1").ok, true);
  assert.equal(text(), "'9.9'");
  await assert.rejects(startPython(loadPyodide, files, { torch: join(folder, "absent-1-py3-none-any.whl") }), /could not be loaded from/);
});

const patterns = { looks: ["explore", "check"], changes: ["train"] };
const namesOf = (text) => cells.names([text], patterns)[0];

test("the page's Python says of names what the book's said when it was built", () => {
  const cases = JSON.parse(readFileSync(new URL("../names.json", import.meta.url), "utf8"));
  const texts = cases.map(({ text }) => text);
  assert.deepEqual(cells.names(texts, patterns).map((found, at) => ({ text: texts[at], ...found })), cases);
  assert.deepEqual(cells.names(["def f("], {}), [null]);
});

test("a cell needs what made its names, in order, and no more", () => {
  const texts = ["import torch", "a = torch.ones(2)", "b = 5", "a[0] = 3", "def f(x):\n    return x * a * later", "later = 2", "f(a)"];
  assert.deepEqual(needsOf(namesOf, texts, 6), [0, 1, 3, 4, 5]);
  assert.deepEqual(needsOf(namesOf, texts, 2), []);
  assert.deepEqual(needsOf(namesOf, ["x = 1", "x = 2", "x"], 2), [1], "what was written over is not needed");
});

test("numbers drawn at random need those that were drawn before them", () => {
  const texts = ["torch.manual_seed(0)", "a = torch.randn(3)", "b = torch.rand(2)", "a + b", "c = 1"];
  assert.deepEqual(needsOf(namesOf, texts, 2), [0, 1]);
  assert.deepEqual(needsOf(namesOf, texts, 4), []);
});

test("what a lesson's cells need never lies below them", () => {
  const lesson = JSON.parse(readFileSync(new URL("../../../notebooks/03a_masked_softmax.ipynb", import.meta.url), "utf8"));
  const texts = lesson.cells.filter(({ cell_type }) => cell_type === "code").map(({ source }) => [source].flat().join(""));
  const found = cells.names(texts, patterns);
  const names = (text) => found[texts.indexOf(text)] ?? namesOf(text);
  const needs = texts.map((_, at) => needsOf(names, texts, at));
  assert.ok(needs.every((list, at) => list.every((need) => need < at)));
  const exercise = texts.findIndex((text) => /^check\(/m.test(text));
  assert.deepEqual(needs[exercise], [0], "an exercise needs the imports and nothing else");
  assert.notEqual(signatureOf(names, texts, exercise), signatureOf(names, ["", ...texts.slice(1)], exercise));
});
