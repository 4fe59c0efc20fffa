// Which modules a move of a slider enters, and which opening a number does: by V8's coverage, in a page without a browser.
import { Session } from "node:inspector/promises";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import "./page.mjs";

globalThis.getComputedStyle = window.getComputedStyle.bind(window);
const ink = new Proxy({}, {
  get: (_, name) => (name === "createImageData" ? (w, h) => ({ width: w, height: h, data: new Uint8ClampedArray(4 * w * h) }) : () => {}),
  set: () => true,
});
window.HTMLCanvasElement.prototype.getContext = /** @type {any} */ (() => ink);
await import("../../../livetorch/js/parts/all.mjs");
const { partOf } = await import("../../../livetorch/js/hosts/parts.mjs");
const { mount } = await import("../../../livetorch/js/figure/mount.mjs");
const { place, settle } = await import("./page.mjs");

const book = JSON.parse(readFileSync(fileURLToPath(new URL("../../../notebooks/03a_masked_softmax.ipynb", import.meta.url)), "utf8"));
const html = book.cells.flatMap((cell) => (cell.outputs ?? []).map((output) => [output.data?.["text/html"] ?? ""].flat().join("")));
const specs = html.flatMap((text) => [...text.matchAll(/<script type="application\/json">(.*?)<\/script>/gs)].map(([, json]) => JSON.parse(json)));
const spec = specs.find(({ name }) => name === "by-length") ?? specs.find(({ controls }) => controls.some(({ kind }) => kind === "slider"));

const session = new Session();
session.connect();
await session.post("Profiler.enable");

/** The modules of which a function ran. @param {() => Promise<void>} work */
async function entered(work) {
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  const ran = result.filter(({ url, functions }) => /livetorch\/js\//.test(url) && !url.includes("/tests/") && functions.some(({ functionName, ranges }) => functionName && ranges[0].count > 0));
  return ran.map(({ url }) => url.replace(/^.*livetorch\/js\//, "")).sort();
}

const element = place();
mount(element, spec, { partOf });
await settle();
const input = element.querySelector("input[type=range]");
const move = async (/** @type {number} */ to) => {
  input.value = String(to);
  input.dispatchEvent(new window.Event("input", { bubbles: true }));
  await settle();
};
const open = async (/** @type {string} */ key) => {
  const stage = element.querySelector("[role=application]");
  stage.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await settle();
};
await move(Number(input.min));
const slider = await entered(() => move(Number(input.min) + Number(input.step)));
const opening = await entered(async () => {
  await open("ArrowRight");
  await open("o");
});
if (!element.querySelector(".lt-made-line")) throw new Error("no number was opened");
console.log(JSON.stringify({ "a slider moved": slider, "a number opened": opening }));
process.exit(0);
