// Draws still pictures and opens numbers for whoever makes figures: one request a line, as JSON, and one answer a line.

import { closeSync, openSync, readSync, unlinkSync } from "node:fs";
import { createInterface } from "node:readline";
import { kindOf } from "./controls/index.mjs";
import { createPrograms } from "./figure/programs.mjs";
import { openFigure } from "./open/figure.mjs";
import "./open/load.mjs";
import { encodeNumbers } from "./runtime/encoding.mjs";
import "./runtime/lanes.mjs";
import { load } from "./runtime/program.mjs";
import { rare } from "./runtime/rare.mjs";
import { addOperators } from "./runtime/registry.mjs";
import "./parts/tokenizer.mjs";
import { picture } from "./still/picture.mjs";

addOperators(rare);
const MOST = 12; // numbers of one line that are opened with it

/** Numbers travel as the bytes of float64. @param {{shape: number[], dtype: string, data: string}} tensor */
function decoded({ shape, dtype, data }) {
  const bytes = Uint8Array.from(Buffer.from(data, "base64"));
  return { shape, dtype, data: new Float64Array(bytes.buffer) };
}

/** A step and those that it came from, each once. @param {any} step @param {number} levels */
const told = (step, levels) => ({
  text: step.text,
  value: Number.isNaN(step.value) ? null : step.value,
  kind: step.kind,
  line: step.line?.text ?? "",
  parts: levels > 0 ? step.from.slice(0, MOST).map((/** @type {any} */ part) => told(part.open(), levels - 1)) : [],
});

/** @param {{spec: any, settings: Record<string, any>, name: string, index: number[]}} request settings in their wire form */
function opened({ spec, settings, name, index }) {
  const given = spec.controls.map((/** @type {any} */ control) => [
    control.name,
    kindOf(control).fromWire(control, settings[control.name], true),
  ]);
  return told(openFigure(spec, Object.fromEntries(given)).open(name, index), 2);
}

/** As a page stores numbers: those of a rare dtype as float64, which holds them all. @param {any} tensor */
function packed({ dtype, shape, data }) {
  if (["bool", "int64", "float32"].includes(dtype)) return { dtype, shape, data: encodeNumbers({ dtype, data }) };
  return { dtype, shape, stored: "float64", data: Buffer.from(Float64Array.from(data).buffer).toString("base64") };
}

/** What a figure shows before a hand has moved anything. @param {import("./shared/spec.d.ts").Spec} spec */
function begun(spec) {
  const settings = spec.controls.map((/** @type {any} */ control) => [control.name, kindOf(control).initial(control)]);
  return createPrograms(spec).run(Object.fromEntries(settings));
}

/** The same as a page stores it. @param {import("./shared/spec.d.ts").Spec} spec */
const first = (spec) => Object.fromEntries(Object.entries(begun(spec)).map(([name, each]) => [name, packed(each)]));

/** A Program whose constants' bytes lie in a file, which is removed. @param {any} program @param {string} path */
function withNumbers(program, path) {
  const file = openSync(path, "r");
  const constants = program.constants.map((/** @type {any} */ constant) => {
    const bytes = new Uint8Array(constant.data.size);
    return { ...constant, data: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, constant.data.at)) };
  });
  closeSync(file);
  unlinkSync(path);
  return { ...program, constants };
}

/** What a Program gives for one set of inputs after the other, as the bytes of float64, or of int64 where those are needed. */
function ran(/** @type {any} */ program, /** @type {Record<string, any>[]} */ series) {
  const { run } = load(program);
  const bytes = (/** @type {any} */ data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
  const sent = ([name, { dtype, shape, data, exact }]) => [
    name,
    { dtype, shape, exact: Boolean(exact), data: bytes(exact ?? Float64Array.from(data)) },
  ];
  return series.map((given) => {
    try {
      const inputs = Object.entries(given).map(([name, tensor]) => [name, decoded(tensor)]);
      return { outputs: Object.fromEntries(Object.entries(run(Object.fromEntries(inputs))).map(sent)) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  });
}

/** @param {string} line */
function answer(line) {
  try {
    const { run, series, numbers, open, begin, draw, room, views, rows, controls, outputs } = JSON.parse(line);
    if (run) return { runs: ran(withNumbers(run, numbers), series) };
    if (begin) return { first: first(begin) };
    if (draw) return { svg: picture({ ...draw, outputs: begun(draw) }, room) };
    if (open) return { opened: opened(open) };
    const made = Object.fromEntries(Object.entries(outputs).map(([name, tensor]) => [name, decoded(tensor)]));
    return { svg: picture({ views, rows, controls, outputs: made }) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Answer as long as somebody asks. */
export async function serve() {
  for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${JSON.stringify(answer(line))}\n`);
}
