// What a kind of control is, and what most kinds do alike.

/**
 * @typedef {{name: string, kind: string, label: string, value: any, variant?: boolean, [key: string]: any}} Control
 * @typedef {{shape: number[], dtype?: string, data: ArrayLike<number>}} Tensor
 * @typedef {{id: string, set: (value: any, more?: {final: boolean}) => void}} Context
 * @typedef {{element: HTMLElement, update: (value: any) => void, track?: any, wait?: (state: any) => void}} Widget
 *   track: where a slider's curve is drawn; wait: makes it grey where it does nothing
 */

/**
 * One kind of control. A setting is what the browser keeps; a wire form is what travels to a kernel.
 * @typedef {object} Kind
 * @property {(control: Control) => any} initial the setting that the figure starts with
 * @property {(control: Control, value: any) => any} valid the nearest valid setting; undefined: it makes no sense
 * @property {(control: Control, setting: any) => Record<string, Tensor>} inputs the tensors that a Program gets
 * @property {(control: Control, setting: any) => number} option the number of the option that chooses a Program
 * @property {(control: Control, output: Tensor) => any} fromOutput the setting that a carried output makes
 * @property {(x: number) => boolean} broken whether a carried number is one that no step can start from
 * @property {(control: Control, setting: any) => string|null} toLink null: too large for a link
 * @property {(control: Control, text: string) => any} fromLink undefined: nonsense
 * @property {(control: Control, setting: any) => any} toWire
 * @property {(control: Control, wire: any, carried: boolean) => any} fromWire carried: it may leave its bounds
 * @property {((control: Control, context: Context) => Widget)|null} element null: no hand moves it
 */

/** @type {Pick<Kind, "initial"|"option"|"broken"|"toWire"|"fromWire">} */
export const alike = {
  initial: (control) => control.value,
  option: (_, setting) => Number(setting),
  broken: (x) => !Number.isFinite(x),
  toWire: (_, setting) => setting,
  /** @this {Kind} */
  fromWire(control, wire, carried) {
    return carried ? wire : this.valid(control, wire);
  },
};

/** @type {Record<string, any>} */
const ARRAYS = { float32: Float32Array, int64: Float64Array, bool: Uint8Array };

/**
 * @param {number[]} shape
 * @param {string} dtype
 * @param {ArrayLike<number>} numbers
 * @returns {Tensor}
 */
export function tensor(shape, dtype, numbers) {
  return { shape, dtype, data: ARRAYS[dtype].from(numbers) };
}

/** @param {any} value */
export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

export const LONGEST_TABLE = 1024; // numbers of one control that are put in a link

/** A number as a link holds it: as much as 32 bits tell, and a whole one whole. @param {number} x */
export const short = (x) => String(Number.isInteger(x) ? x : Number(x.toPrecision(9)));

/** The number that a link's text holds, or NaN. @param {string} text */
export function parsed(text) {
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : NaN;
}

/** What says more about a control, for screen readers. @param {Control} control @param {string} id */
export const describedBy = (control, id) => (control.description ? `${id}-about` : null);
