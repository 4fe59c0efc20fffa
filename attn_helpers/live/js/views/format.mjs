/** How numbers are written in pictures and read out: pure functions. */

/**
 * Write a number with a fixed number of decimals; very large and very small ones with an exponent.
 * @param {number} value
 * @param {number} [decimals]
 * @returns {string}
 */
export function formatNumber(value, decimals = 2) {
  if (Number.isNaN(value)) return "NaN";
  if (value === Infinity) return "∞";
  if (value === -Infinity) return "−∞";
  const size = Math.abs(value);
  const text = size >= 1e5 ? value.toExponential(1).replace("e+", "e") : value.toFixed(decimals);
  return minus(/^-0(\.0*)?$/.test(text) ? text.slice(1) : text);
}

/** The same number with a typographic minus sign. @param {string} text */
export function minus(text) {
  return text.replaceAll("-", "−");
}

/**
 * Write a number for a table, where it may be copied from: a plain minus sign, whole numbers as they are.
 * @param {number} value
 * @param {number} decimals
 * @param {string} dtype
 */
export function tableNumber(value, decimals, dtype = "float32") {
  if (dtype === "bool") return value ? "True" : "False";
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (dtype.startsWith("int") || dtype === "uint8") return String(value);
  return formatNumber(value, decimals).replaceAll("−", "-");
}

const singulars = {
  queries: "query", keys: "key", heads: "head", dim: "dimension", value_dim: "value dimension",
  d_model: "dimension", length: "position", batch: "example", values: "value", patches: "patch",
};

/** The name of one item of an axis: "queries" -> "query". @param {string} axis */
export function singular(axis) {
  return singulars[axis] ?? axis.replace(/s$/, "");
}

/** "3 queries", "1 query". @param {number} count @param {string} axis */
export function countOf(count, axis) {
  return `${count} ${count === 1 ? singular(axis) : axis}`;
}

/**
 * Say which item of an axis is meant: "query 3", or "query 3 (cat)" where it has a name.
 * @param {string} axis
 * @param {number} index counted from 0
 * @param {string[] | null} labels
 */
export function itemName(axis, index, labels = null) {
  const number = String(index + 1);
  const label = labels?.[index] ?? "";
  const plain = !label || label === number || label.replace(/^[a-z]_?/i, "") === number;
  return `${singular(axis)} ${number}${plain ? "" : ` (${label === " " ? "space" : label})`}`;
}

/**
 * Say one cell: "query 3, key 1: 0.62".
 * @param {{row: string, col: string, value: number, panel?: string | null, decimals?: number, masked?: boolean}} cell
 */
export function cellText({ row, col, value, panel = null, decimals = 2, masked = false }) {
  const place = panel ? `${panel}, ${row}, ${col}` : `${row}, ${col}`;
  return `${place}: ${formatNumber(value, decimals)}${masked ? ", masked" : ""}`;
}

/** What stands for a token: spaces at its ends and line ends are made visible. @param {string} token */
export function visibleToken(token) {
  const ends = token.replace(/^ +| +$/g, (spaces) => "␣".repeat(spaces.length));
  return ends.replaceAll("\n", "⏎").replaceAll("\t", "⇥") || "∅";
}
