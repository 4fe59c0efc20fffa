// A page without a browser whose figures have their weights in files: the test says when a figure comes near, and a file comes.
import { beforeEach } from "node:test";
import { place, settle } from "./page.mjs";

const { provide } = await import("../../../livetorch/js/hosts/files.mjs");

export const pool = [{ dtype: "float32", shape: [2], data: "AACAPwAAAEA=" }]; // [1, 2]
export const spec = {
  format: "livetorch/figure",
  version: 1,
  name: "heavy",
  title: null,
  caption: null,
  controls: [{ name: "x", label: "x", kind: "slider", value: 1, min: 0, max: 2, step: 0.5, format: ".1f", dtype: "float32", scale: "linear", description: null }],
  programs: [
    {
      format: "livetorch/program",
      version: 1,
      inputs: [{ name: "x", shape: [], dtype: "float32" }],
      constants: [{ pool: 0 }],
      nodes: [{ op: "aten.mul.Tensor", args: [{ v: 1 }, { v: 0 }], kwargs: {}, outs: 1 }],
      outputs: [{ name: "output", value: 2 }],
    },
  ],
  pool: [],
  variants: { controls: [], keys: { "": 0 } },
  views: [],
  carry: null,
};

/** What the page watches: figures that would come near the window. @type {any[]} */
export let watched = [];
/** @type {(entries: any[]) => void} */
export let near = () => {};
/** The same, with the places where they are. @type {(entries: any[]) => void} */
export let arriveAt = () => {};
globalThis.innerHeight = 800;
globalThis.IntersectionObserver = /** @type {any} */ (
  class {
    constructor(/** @type {any} */ callback) {
      arriveAt = (elements) =>
        callback(elements.map((target) => ({ target, isIntersecting: true, boundingClientRect: target.getBoundingClientRect() })));
      near = (elements) => callback(elements.map((target) => ({ target, isIntersecting: true })));
    }
    observe(/** @type {any} */ element) {
      watched.push(element);
    }
    unobserve() {}
  }
);

beforeEach(() => {
  watched = [];
  document.body.replaceChildren();
  document.head.replaceChildren();
});

/** A figure as the site writes it. @param {string} file */
export function figure(file) {
  const element = place();
  element.className = "livetorch";
  Object.assign(element.dataset, { name: file.replace(".js", ""), pool: `live/${file}`, size: "12 kB" });
  const script = document.createElement("script");
  script.type = "application/json";
  script.textContent = JSON.stringify({ ...spec, name: element.dataset.name });
  element.append(script);
  return /** @type {any} */ (element);
}

export const scripts = () => Array.from(document.head.querySelectorAll("script"));
export const words = (/** @type {any} */ element) => element.querySelector(".lt-loading [role=status]").textContent;
export const arrive = (/** @type {string} */ name) => {
  provide(name, pool);
  scripts()[0].dispatchEvent(new window.Event("load"));
  return settle();
};
