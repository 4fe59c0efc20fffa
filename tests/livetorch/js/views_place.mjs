// A page without a browser for views: a place that records what a view tells, and a heatmap to begin with.
import "./page.mjs";

export const calls = [];
const ink = new Proxy({}, {
  get: (_, name) => (name === "createImageData" ? (w, h) => ({ width: w, height: h, data: new Uint8ClampedArray(4 * w * h) }) : (...args) => calls.push([name, ...args])),
  set: () => true,
});
window.HTMLCanvasElement.prototype.getContext = () => ink;
globalThis.getComputedStyle = window.getComputedStyle.bind(window);
await import("../../../livetorch/js/parts/all.mjs");
const { viewOf } = await import("../../../livetorch/js/views/index.mjs");

export const tensor = (shape, data) => ({ shape, dtype: "float32", data: Float32Array.from(data) });

/** A view in the page with a context that records what it is told. */
export function mount(spec, frame, controls = {}) {
  const told = { said: [], marks: [], set: [] };
  const context = {
    figureId: "f", controls, theme: () => "light", onTheme: () => () => {}, reducedMotion: () => false,
    announce: (text) => told.said.push(text),
    highlight: (marks) => told.marks.push(marks),
    set: (name, value, { final }) => told.set.push({ name, value, final }),
  };
  const view = viewOf(spec.kind, "create")(spec, context);
  document.body.append(view.element);
  view.update({ state: {}, history: null, outputs: {}, ...frame });
  return { view, told, element: view.element, find: (css) => view.element.querySelector(css) };
}

export const key = (element, name, more = {}) => element.dispatchEvent(new window.KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more }));

export const heatmap = {
  kind: "heatmap", source: { output: "w" }, xlabel: "Keys", ylabel: "Queries", xticks: null, yticks: null, titles: null, vmin: null, vmax: null,
  scale: "sequential", annotate: "auto", edit: null, mask: null, rows_axis: "queries", cols_axis: "keys", panels_axis: "heads", title: null,
};
export const weights = { outputs: { w: tensor([3, 2], [0.1, 0.9, 0.2, 0.8, 0.62, 0.38]) } };
