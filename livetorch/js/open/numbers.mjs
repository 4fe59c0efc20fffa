/** How the numbers of an explanation are written: by the engine's own formatter, with as many digits as they need. */
import { minus, pictured } from "../shared/format.mjs";

/**
 * @param {number|bigint} value
 * @param {string} [dtype]
 */
export function written(value, dtype = "float32") {
  if (dtype === "bool") return value ? "True" : "False";
  if (typeof value === "bigint" || /^u?int/.test(dtype)) return minus(String(value));
  if (Number.isInteger(value) && Math.abs(value) < 1e5) return minus(String(value + 0));
  const size = Math.abs(value);
  if (!(size > 0 && size < 0.0995)) return pictured(value);
  // Two digits that say something: 0.041, 0.00012.
  return size < 1e-4 ? minus(value.toExponential(1)) : pictured(value, 1 - Math.floor(Math.log10(size)));
}

/** A plain number of the function: 1.7320508075688772 is math.sqrt(3). @param {number} value @param {string} dtype */
export function writtenLiteral(value, dtype) {
  const square = value * value;
  const whole = Math.round(square);
  const root = value > 0 && !Number.isInteger(value) && whole < 4096 && Math.abs(square - whole) < 1e-12 * whole;
  return root ? `√${whole}` : written(value, dtype);
}
