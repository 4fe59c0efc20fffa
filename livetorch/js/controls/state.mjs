import { decodeConstant, encodeNumbers } from "../runtime/encoding.mjs";
import { alike, LONGEST_TABLE } from "./base.mjs";

/** @param {any} control @param {string} data */
const decoded = ({ shape, dtype }, data) => decodeConstant({ shape, dtype, data });

/** A tensor that no hand moves: it is carried from step to step. @type {import("./base.mjs").Kind} */
export const state = {
  ...alike,
  initial: (control) => decoded(control, control.value),
  valid: () => undefined,
  inputs: (control, value) => ({ [control.name]: value }),
  fromOutput: (control, { shape, data }) => ({ shape, dtype: control.dtype, data }),
  broken: Number.isNaN, // an infinity is where a running maximum starts
  toLink(_, value) {
    if (value.data.length > LONGEST_TABLE) return null;
    return encodeNumbers(value).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  },
  fromLink: (control, text) => decoded(control, text.replaceAll("-", "+").replaceAll("_", "/")),
  toWire: (_, value) => encodeNumbers(value),
  fromWire: decoded,
  element: null,
};
