// The settings of a figure's controls: what is valid, what the Programs are fed, what travels to a kernel.

/**
 * @typedef {{name: string, kind: string, label: string, value: any, variant?: boolean, [key: string]: any}} Control
 * @typedef {Record<string, any>} Settings
 * @typedef {{shape: number[], dtype?: string, data: ArrayLike<number>}} Tensor
 */

const MOST_TEXT = 2000;

/** @param {any} value */
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/**
 * Rows and columns of numbers as the control has them, each number put within its bounds; undefined when it is not a table.
 * @param {Control} control
 * @param {any} value
 */
function validTable(control, value) {
  const [rows, columns] = control.shape;
  if (!Array.isArray(value) || value.length !== rows) return undefined;
  const clean = [];
  for (const row of value) {
    if (!Array.isArray(row) || row.length !== columns) return undefined;
    if (control.kind === "mask") {
      clean.push(row.map(Boolean));
      continue;
    }
    if (!row.every(isNumber)) return undefined;
    clean.push(row.map((x, column) => clamp(x, ...bounds(control, column))));
  }
  return clean;
}

/**
 * @param {Control} control
 * @param {number} column
 * @returns {[number, number]}
 */
function bounds(control, column) {
  if (control.kind === "points") return control.domain[column];
  return [control.min ?? -Infinity, control.max ?? Infinity];
}

/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/**
 * The nearest valid setting, or undefined when the value makes no sense for this control.
 * @param {Control} control
 * @param {any} value
 */
export function validSetting(control, value) {
  switch (control.kind) {
    case "slider": {
      if (!isNumber(value)) return undefined;
      const inside = clamp(value, control.min, control.max);
      if (control.dtype === "int64" || control.variant) {
        const snapped = control.min + Math.round((inside - control.min) / control.step) * control.step;
        return clamp(Number(snapped.toFixed(10)), control.min, control.max);
      }
      return Number(inside.toPrecision(12)); // 1.0000000000000002 is what a slider's arithmetic gives
    }
    case "dropdown": {
      const index = typeof value === "string" ? control.options.indexOf(value) : value;
      return Number.isInteger(index) && index >= 0 && index < control.options.length ? index : undefined;
    }
    case "checkbox":
      return typeof value === "boolean" ? value : undefined;
    case "text":
      return typeof value === "string" ? value.slice(0, MOST_TEXT) : undefined;
    case "points":
    case "matrix":
    case "mask":
      return validTable(control, value);
    default:
      return undefined;
  }
}

/** @param {Control} control */
export function defaultSetting(control) {
  return control.kind === "state" ? decodeTensor(control) : control.value;
}

/** @param {Control[]} controls @returns {Settings} */
export function defaultSettings(controls) {
  return Object.fromEntries(controls.map((control) => [control.name, defaultSetting(control)]));
}

/**
 * The number of the option that chooses a Program; checkboxes count as 0 and 1.
 * @param {Control} control
 * @param {any} value
 */
function optionIndex(control, value) {
  if (control.kind === "slider") return Math.round((value - control.min) / control.step);
  return Number(value);
}

/**
 * Which Program runs for these settings.
 * @param {{controls: Control[], variants: {controls: string[], keys: Record<string, number>}}} spec
 * @param {Settings} settings
 */
export function programIndex(spec, settings) {
  const byName = Object.fromEntries(spec.controls.map((control) => [control.name, control]));
  const key = spec.variants.controls.map((name) => optionIndex(byName[name], settings[name])).join(",");
  return spec.variants.keys[key];
}

/**
 * The ids of a text, before padding.
 * @param {Control} control
 * @param {string} text
 * @returns {number[]}
 */
export function tokenIds(control, text) {
  return tokens(control, text)
    .map((token) => tokenId(control, token))
    .filter((id) => id !== null);
}

/** @param {Control} control @param {string} text */
export function tokens(control, text) {
  return control.unit === "word" ? text.split(/\s+/u).filter(Boolean) : Array.from(text);
}

/** @param {Control} control @param {string} token */
export function tokenId(control, token) {
  if (!control.vocabulary) return token.codePointAt(0);
  const id = control.vocabulary.indexOf(token);
  return id < 0 ? control.unknown : id;
}

/**
 * The text that ids stand for, up to the first padding.
 * @param {Control} control
 * @param {ArrayLike<number>} ids
 */
export function textOf(control, ids) {
  const list = Array.from(ids, Number);
  const end = list.indexOf(control.pad);
  const kept = end < 0 ? list : list.slice(0, end);
  const words = kept.map((id) => (control.vocabulary ? control.vocabulary[id] : String.fromCodePoint(id)));
  return words.join(control.unit === "word" ? " " : "");
}

/**
 * The tensors that a control's setting stands for.
 * @param {Control} control
 * @param {any} value
 * @returns {Record<string, Tensor>}
 */
export function inputsOf(control, value) {
  const { name } = control;
  switch (control.kind) {
    case "slider":
      return { [name]: tensor([], control.dtype, [value]) };
    case "checkbox":
      return { [name]: tensor([], "bool", [Number(value)]) };
    case "text": {
      const ids = tokenIds(control, value).slice(0, control.length);
      const padded = Array.from({ length: control.length }, (_, i) => ids[i] ?? control.pad);
      return {
        [name]: tensor([control.length], "int64", padded),
        [`${name}_length`]: tensor([], "int64", [ids.length]),
      };
    }
    case "state":
      return { [name]: value };
    default: {
      const shape = control.flat ? [control.shape[0]] : control.shape;
      return { [name]: tensor(shape, control.dtype, value.flat().map(Number)) };
    }
  }
}

/**
 * A setting made from a carried output.
 * @param {Control} control
 * @param {Tensor} output
 */
export function settingFromOutput(control, output) {
  const data = output.data;
  switch (control.kind) {
    case "slider":
      return data[0];
    case "checkbox":
      return Boolean(data[0]);
    case "text":
      return textOf(control, data);
    case "state":
      return { shape: output.shape, dtype: control.dtype, data };
    default: {
      const [rows, columns] = control.shape;
      const cell = control.kind === "mask" ? Boolean : Number;
      return Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_, c) => cell(data[r * columns + c])));
    }
  }
}

/** @type {Record<string, any>} */
const ARRAYS = { float32: Float32Array, int64: Float64Array, bool: Uint8Array };

/**
 * @param {number[]} shape
 * @param {string} dtype
 * @param {ArrayLike<number>} numbers
 * @returns {Tensor}
 */
function tensor(shape, dtype, numbers) {
  return { shape, dtype, data: ARRAYS[dtype].from(numbers) };
}

/**
 * The tensor in a "state" control, stored as base64 of little-endian bytes.
 * @param {any} control shape, dtype and value
 * @returns {Tensor}
 */
export function decodeTensor({ shape, dtype, value }) {
  const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const size = shape.reduce((product, n) => product * n, 1);
  const data = new ARRAYS[dtype](size);
  for (let i = 0; i < size; i += 1) {
    if (dtype === "float32") data[i] = view.getFloat32(4 * i, true);
    else if (dtype === "int64") data[i] = Number(view.getBigInt64(8 * i, true));
    else data[i] = view.getUint8(i);
  }
  return { shape, dtype, data };
}

/** @param {Tensor} tensorValue @returns {string} */
export function encodeTensor({ dtype, data }) {
  const width = { float32: 4, int64: 8, bool: 1 }[dtype ?? "float32"] ?? 4;
  const view = new DataView(new ArrayBuffer(data.length * width));
  for (let i = 0; i < data.length; i += 1) {
    if (width === 4) view.setFloat32(4 * i, data[i], true);
    else if (width === 8) view.setBigInt64(8 * i, BigInt(data[i]), true);
    else view.setUint8(i, data[i]);
  }
  let text = "";
  for (const byte of new Uint8Array(view.buffer)) text += String.fromCharCode(byte);
  return btoa(text);
}

/** What travels to a kernel. @param {Control} control @param {any} value */
export function toWire(control, value) {
  return control.kind === "state" ? encodeTensor(value) : value;
}

/** @param {Control} control @param {any} value */
export function fromWire(control, value) {
  if (control.kind !== "state") return value;
  return decodeTensor({ shape: control.shape, dtype: control.dtype, value });
}
