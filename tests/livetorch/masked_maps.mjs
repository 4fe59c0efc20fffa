/**
 * Which cells of a figure's maps are masked, by what its Program did (−∞ put where a softmax reads), and whether the maps
 * say so: such a cell is hatched and carries no number.
 */
import { createModel } from "../../livetorch/js/figure/model.mjs";
import { cellNumbers } from "../../livetorch/js/views/cells.mjs";
import { cellNumber, flowOf } from "../../livetorch/js/views/flow_content.mjs";
import { contentOf } from "../../livetorch/js/views/heatmap_picture.mjs";

const FILLS = /^aten\.(where|masked_fill)/;
const close = (x, y) => Math.abs(x - y) < 1e-6 || Object.is(x, y);

/**
 * @typedef {{row: number[], hidden: boolean[]}} Row one row of weights, and which of its places are masked
 * @typedef {{rows: number, cols: number, all: boolean[][], lines: Row[]}} Softmax `all`: of each of its matrices
 */

/**
 * What each softmax of a Program was kept from: the places of its input, or of what was filled into it on the way, at −∞.
 * @param {any} book every value of a run (`record`)
 * @returns {Map<number, Set<Softmax>>} by value, the softmaxes that it follows from
 */
export function masksOf({ nodes, values }) {
  const byValue = new Map(nodes.flatMap((node) => Array.from({ length: node.outs }, (_, k) => [node.first + k, node])));
  const made = new Map();
  for (const node of nodes) {
    const from = new Set(node.reads.flatMap((v) => [...(made.get(v) ?? [])]));
    if (/^aten\._softmax/.test(node.op)) {
      const { shape, data } = values[node.first];
      const [cols, rows = 1] = [...shape].reverse();
      const hidden = filled(node.reads[0], { byValue, values, size: data.length });
      const cut = (numbers, size) => Array.from({ length: data.length / size }, (_, k) => numbers.slice(k * size, (k + 1) * size));
      const weights = weightsAfter(node, { nodes, values }) ?? Array.from(data);
      const lines = cut(hidden, cols).map((masked, k) => ({ row: cut(weights, cols)[k], hidden: masked }));
      from.add({ rows, cols, all: cut(hidden, rows * cols), lines });
    }
    for (let k = 0; k < node.outs; k += 1) made.set(node.first + k, from);
  }
  return made;
}

/** What a softmax gives once masked places have been set to 0 after it: rows without a key. @param {any} softmax */
function weightsAfter(softmax, { nodes, values }) {
  const next = nodes.find((node) => node.reads.includes(softmax.first));
  return next && FILLS.test(next.op) && values[next.first].data.length === values[softmax.first].data.length ? Array.from(values[next.first].data) : null;
}

/** Where −∞ stands in a value, or stood in one that it was filled into before. @param {number} v */
function filled(v, { byValue, values, size }) {
  const hidden = new Array(size).fill(false);
  for (let at = v, node = byValue.get(v); ; node = byValue.get(at)) {
    const { data } = values[at];
    if (data.length !== size) return hidden;
    for (let i = 0; i < size; i += 1) hidden[i] ||= data[i] === -Infinity;
    if (!node || !(FILLS.test(node.op) || /^aten\.(view|clone|_to_copy|clamp|add|sub|_unsafe_view)/.test(node.op))) return hidden;
    const next = node.reads.findLast((each) => values[each].dtype !== "bool" && values[each].data.length === size);
    if (next === undefined) return hidden;
    at = next;
  }
}

/**
 * The maps of outputs that a view draws, with what it hatches and the number that it writes into a cell if there is room.
 * A number where nothing should have weight stays: it is what such a map is there to show, and so is NaN.
 * @param {any} view @param {any} frame @param {any} controls
 */
function mapsOf(view, frame, controls) {
  if (view.kind === "flow") {
    return flowOf(view, frame, controls).map((matrix, k) => ({
      ...matrix,
      panels: 1,
      output: view.parts[k].source.output,
      called: matrix.label,
      axes: String(matrix.axes),
      hidden: (_, i) => matrix.masked(i),
      number: (_, i) => (Number.isNaN(matrix.data[i]) ? "" : cellNumber(matrix, i, 200)),
    }));
  }
  if (view.kind !== "heatmap" || !view.source.output || view.words) return [];
  const content = contentOf(view, frame, controls);
  const { data, rows, cols, limits } = content;
  const how = { limits, fit: { decimals: 2, size: 12 }, leaks: content.leaks };
  const written = Array.from({ length: content.panels }, (_, p) => {
    const panel = { data, rows, cols, start: p * rows * cols, hidden: (i) => content.hidden(p, i) };
    return new Map(cellNumbers(panel, how).map(({ r, c, text }) => [r * cols + c, text]));
  });
  const leak = (x) => Number.isNaN(x) || (how.leaks && Number(x.toFixed(2)) !== 0);
  const number = (p, i) => (leak(data[p * rows * cols + i]) ? "" : (written[p].get(i) ?? ""));
  const axes = `${view.rows_axis},${view.cols_axis}`;
  return [{ ...content, axes, cropped: Boolean(view.xticks?.crop), output: view.source.output, called: view.title ?? view.source.output, number }];
}

/**
 * What is wrong with the maps of a figure at some settings.
 * @param {any} spec @param {Record<string, any>} [settings]
 * @returns {{masked: number, faults: string[]}} masked: how many masked cells its maps have
 */
export function maskFaults(spec, settings = {}) {
  const model = createModel(spec);
  for (const [name, value] of Object.entries(settings)) model.set(name, value);
  const frame = model.current();
  const { program, inputs } = model.program();
  const book = program.record(inputs);
  const masks = masksOf(book);
  const valueOf = Object.fromEntries(book.program.outputs.map(({ name, value }) => [name, value]));
  let masked = 0;
  const faults = [];
  const maps = spec.views.flatMap((view) => mapsOf(view, frame, model.controls));
  const before = (map) => [...(masks.get(valueOf[map.output]) ?? [])];
  const showsWeights = (map) => rowsOf(map).some((row) => alike(row, before(map), map.cropped).length);
  const axes = new Set(maps.filter(showsWeights).map((map) => map.axes));
  for (const map of maps) {
    const sure = axes.has(map.axes) ? maskedCells(map, before(map)) : [];
    const bare = sure.filter(([p, i]) => !map.hidden(p, i));
    const numbered = sure.filter(([p, i]) => map.number(p, i));
    masked += sure.length;
    if (bare.length) faults.push(`${map.called}: ${bare.length} of ${sure.length} masked cells are not hatched`);
    if (numbered.length) faults.push(`${map.called}: ${numbered.length} masked cells carry a number, such as ${map.number(...numbered[0])}`);
  }
  return { masked, faults };
}

/** The rows of all panels of a map. @param {any} map @returns {number[][]} */
const rowsOf = ({ panels, rows, cols, data }) =>
  Array.from({ length: panels * rows }, (_, k) => Array.from({ length: cols }, (_, c) => Number(data[k * cols + c])));

/**
 * The rows of weights that a row shows, whole or as far as a text was typed.
 * @param {number[]} own @param {Softmax[]} from @param {boolean} cropped @returns {Row[]}
 */
function alike(own, from, cropped) {
  const fits = (row) => (cropped ? row.length >= own.length : row.length === own.length) && own.every((x, c) => close(x, row[c]));
  return from.flatMap(({ lines }) => lines.filter(({ row }) => fits(row)));
}

/**
 * The cells of a map that are masked for sure, as [panel, place]: of a row that is a row of weights, the places that it was
 * kept from; of any other that has the axes of a map of weights, those that all softmaxes before it were kept from.
 * @param {any} map @param {Softmax[]} from
 */
function maskedCells(map, from) {
  const { rows, cols } = map;
  const same = from.filter((one) => one.rows === rows && one.cols === cols).flatMap(({ all }) => all);
  return rowsOf(map).flatMap((own, k) => {
    const found = alike(own, from, map.cropped);
    const start = (k % rows) * cols;
    const by = (/** @type {number} */ c) => (found.length ? found.map(({ hidden }) => hidden[c]) : same.map((hidden) => hidden[start + c]));
    const masked = own.flatMap((_, c) => (by(c).length && by(c).every(Boolean) ? [start + c] : []));
    return masked.map((i) => [Math.floor(k / rows), i]);
  });
}

/** The settings at which a figure is looked at: its own, and each choice, tick and example in turn. @param {any} spec */
export function settingsOf(spec) {
  const turns = spec.controls.flatMap((control) => {
    if (control.kind === "checkbox") return [{ [control.name]: !control.value }];
    if (control.kind === "dropdown") return control.options.map((_, k) => ({ [control.name]: k }));
    if (control.kind === "text") return (control.examples ?? []).map((text) => ({ [control.name]: text }));
    return [];
  });
  return [{}, ...turns];
}
