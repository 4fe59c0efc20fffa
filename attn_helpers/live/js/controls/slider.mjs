import { formatNumber, h } from "../dom.mjs";

const POSITIONS = 200; // of a logarithmic slider

/**
 * A native range input with its label and value.
 * @param {any} spec
 * @param {{id: string, set: (value: any, more?: {final: boolean}) => void}} context
 */
export function createSlider(spec, { id, set }) {
  const log = spec.scale === "log";
  const ratio = Math.log(spec.max / spec.min);
  const position = (/** @type {number} */ value) => (log ? (POSITIONS * Math.log(value / spec.min)) / ratio : value);
  const valueAt = (/** @type {number} */ at) => (log ? Number((spec.min * Math.exp((ratio * at) / POSITIONS)).toPrecision(3)) : at);
  const input = h("input", {
    id,
    type: "range",
    min: log ? 0 : spec.min,
    max: log ? POSITIONS : spec.max,
    step: log ? 1 : spec.step,
    class: "al-range",
    "aria-describedby": spec.description ? `${id}-about` : null,
    oninput: () => set(read(), { final: false }),
    onchange: () => set(read(), { final: true }),
  });
  const output = h("output", { class: "al-value", for: id });
  const read = () => Math.min(spec.max, Math.max(spec.min, valueAt(Number(input.value))));
  const element = h(
    "div",
    { class: "al-control al-slider" },
    h("label", { for: id, class: "al-label" }, spec.label),
    output,
    input,
  );
  return {
    element,
    /** @param {number} value */
    update(value) {
      const text = formatNumber(value, spec.format);
      output.textContent = text;
      input.setAttribute("aria-valuetext", text);
      const at = position(value);
      if (Number(input.value) !== at) input.value = String(at);
      const low = log ? 0 : spec.min;
      const share = (Number(input.value) - low) / ((log ? POSITIONS : spec.max) - low);
      input.style.setProperty("--al-share", `${100 * share}%`);
    },
  };
}
