import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.mjs";

const ink = new Proxy({}, {
  get: (_, name) => (name === "createImageData" ? (w, h) => ({ width: w, height: h, data: new Uint8ClampedArray(4 * w * h) }) : () => {}),
  set: () => true,
});
window.HTMLCanvasElement.prototype.getContext = () => ink;
globalThis.getComputedStyle = window.getComputedStyle.bind(window);
await import("../../../livetorch/js/parts/all.mjs");
const { create: createArcs, numberAt } = await import("../../../livetorch/js/views/arcs.mjs");
const { largest, sayArcs, sentence } = await import("../../../livetorch/js/views/arcs_content.mjs");
const { along, arcsLayout, boxAt, crosses, ribbon, tokenAt } = await import("../../../livetorch/js/views/arcs_layout.mjs");

const said = (/** @type {{text: string}[]} */ parts) => parts.map((part) => part.text).join("");

test("the sentence names the three largest shares, or at least one", () => {
  const names = [..."abcd"];
  const shares = largest([0.05, 0.5, 0.2, 0.25], names);
  assert.deepEqual(shares.map((each) => each.name), ["b", "d", "c"]);
  assert.equal(said(sentence("To write {query} it read {keys}.", "3", shares, "query")), "To write 3 it read 50\u00a0% b, 25\u00a0% d and 20\u00a0% c.");
  assert.equal(said(sentence("{key} is read by {queries}.", "x", largest([0.01, 0.02], names), "key")), "x is read by 2\u00a0% b.");
});

test("two tokens of one text are told apart by their places", () => {
  assert.deepEqual(largest([0.5, 0.1, 0.4], ["2", "0", "2"]).map((each) => each.name), ["2 (place 1)", "2 (place 3)", "0"]);
  assert.deepEqual(largest([0.5, 0.5, 0], ["2", "0", "2"]).map((each) => each.name), ["2", "0"]);
});

test("where nothing is read, no share is counted", () => {
  const spec = { sentences: ["To write {query} it read {keys}.", "{key} was read."] };
  const empty = { queries: ["-"], keys: ["·"], weights: [[0]], many: false };
  assert.equal(said(sayArcs(spec, empty, { side: "query", index: 0 })), "To write “-” it read nothing.");
  const full = { ...empty, weights: [[1]] };
  assert.match(said(sayArcs(spec, full, { side: "query", index: 0 })), /100\u00a0% “·”\.$/);
});

test("tokens share a row evenly, or by their texts, or stand in a column", () => {
  const even = along([..."hello"], 200);
  assert.deepEqual(even.map((place) => place.width), [40, 40, 40, 40, 40]);
  const words = along(["a", "considerable", "b"], 200);
  assert.ok(words[1].width > 2 * words[0].width);
  assert.equal(Math.round(words.at(-1).x + words.at(-1).width), 200);
  assert.equal(along(["considerable", "considerable"], 120), null);
  const column = { width: 300, keys: Array(9).fill("something"), queries: Array(9).fill("else"), one: false };
  assert.ok(arcsLayout(column).upright);
  const [low, high] = [arcsLayout({ ...column, low: true }), arcsLayout(column)]; // where many views stand beside each other
  assert.ok(low.height <= high.height - 27 && low.keys[1].y >= low.keys[0].y + low.keys[0].height);
});

test("no two tokens of a layout touch, and all lie inside it", () => {
  for (const width of [320, 640, 960]) {
    for (const one of [true, false]) {
      const keys = [..."5 mars 2024"];
      const { queries, keys: boxes, height } = arcsLayout({ width, keys, queries: keys, one });
      for (const row of [queries, boxes]) {
        row.forEach((box, i) => {
          assert.ok(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height);
          if (i) assert.ok(row[i - 1].x + row[i - 1].width <= box.x);
        });
      }
    }
  }
});

test("in a wide figure the names stay beside their rows, however long these are", () => {
  const queries = Array(10).fill("b");
  const [short, ...longer] = [11, 13, 22].map((many) => arcsLayout({ width: 950, keys: Array(many).fill("a"), queries, one: false }));
  for (const { names, height } of longer) assert.deepEqual([names, height], [short.names, short.height]);
});

test("a point finds the token of its row, and nothing between the rows", () => {
  const layout = arcsLayout({ width: 600, keys: [..."abcde"], queries: [..."xyz"], one: false });
  const middle = (/** @type {any} */ box) => [box.x + box.width / 2, box.y + box.height / 2];
  assert.deepEqual(tokenAt(layout, ...middle(layout.queries[2])), { side: "query", index: 2 });
  assert.deepEqual(tokenAt(layout, ...middle(layout.keys[4])), { side: "key", index: 4 });
  assert.equal(tokenAt(layout, 300, layout.queries[0].y + 90), null);
  assert.match(ribbon(layout, 0, 1), /^M[\d.]+ [\d.]+C/);
});

const spec = {
  kind: "arcs", source: { output: "w" }, tokens: { values: ["a", "b"] }, query_tokens: { values: ["x", "y"] }, names: ["written", "read"],
  sentences: ["{query} reads {keys}.", "{key} is read by {queries}."], axis: "keys", query_axis: "queries", query: 0, rows: 2, play: false, title: null,
};
const context = () => ({ theme: () => "light", highlight() {}, announce() {}, controls: {}, reducedMotion: () => true });
const frame = (/** @type {number[]} */ data, shape = [2, 2]) => ({ outputs: { w: { shape, data } }, state: {}, history: null });

test("the chosen query stands out, and other views choose it too", () => {
  const marks = [];
  const view = createArcs(spec, { ...context(), highlight: (/** @type {any} */ next) => marks.push(next) });
  view.update(frame([0.75, 0.25, 0.5, 0.5]));
  assert.equal(view.element.querySelector("p").textContent, "“x” reads 75\u00a0% “a” and 25\u00a0% “b”. The 2 shares add up to 100\u00a0%.");
  assert.equal(view.element.querySelectorAll(".lt-ribbon.lt-own").length, 2);
  view.highlight({ queries: 1 });
  assert.match(view.element.querySelector("p").textContent, /^“y” reads 50\u00a0% “a”/);
  view.highlight({ keys: 1, queries: null });
  assert.equal(view.element.querySelector("p").textContent, "“b” is read by 50\u00a0% “y” and 25\u00a0% “x”.");
  view.element.querySelector("[role=application]").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
  assert.deepEqual(marks.at(-1), { keys: 0, queries: null }, "and is not called back by the query that another view marks");
  view.highlight({ queries: 1 });
  view.rest();
  assert.match(view.element.querySelector("p").textContent, /^“x” reads/, "a figure that is reset shows the query that it began with");
  assert.deepEqual(marks.at(-1), { keys: null, queries: 0 });
});

test("a press on a key mutes it, what is written without it is said, and a doubted query is dashed", async () => {
  /** @type {any[]} */
  const set = [];
  const controls = { kept: { kind: "mask", shape: [1, 2] } };
  const reasons = ["Unsure of {count} of {all}.", "No such date."];
  const muting = { ...spec, muting: { name: "kept", without: "Without {keys} it writes {queries}." }, doubting: { source: { output: "d" }, reasons } };
  const view = createArcs(muting, { ...context(), controls, set: (/** @type {string} */ name, /** @type {any} */ value) => set.push([name, value]) });
  const at = (/** @type {number[]} */ kept, /** @type {number[]} */ doubts) => {
    const { outputs } = frame([0.75, 0.25, 0.5, 0.5]);
    view.update({ state: { kept: { shape: [1, 2], dtype: "bool", data: kept } }, history: null, outputs: { ...outputs, d: { shape: [2], dtype: "int64", data: doubts } } });
  };
  at([1, 1], [0, 0]);
  assert.equal(view.element.querySelectorAll(".lt-doubted, .lt-muted").length, 0);
  assert.match(view.element.querySelector("p").textContent, /^“x” reads .* The 2 shares add up/);
  const stage = view.element.querySelector("[role=application]");
  view.highlight({ keys: 1, queries: null });
  stage.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }));
  assert.deepEqual(set.pop(), ["kept", [[true, false]]]);
  const { x, y, width, height } = view.shown().layout.keys[0];
  const place = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true };
  stage.dispatchEvent(new window.MouseEvent("pointerdown", place));
  stage.dispatchEvent(new window.MouseEvent("pointerup", place));
  assert.deepEqual(set.pop(), ["kept", [[false, false]]], "also before the next frame, which the first press has not reached");
  assert.equal(numberAt(muting, view.shown(), { x: place.clientX, y: place.clientY, target: stage }), null, "and opens nothing");
  view.highlight({ keys: 1, queries: null });
  at([1, 0], [3, 1]);
  assert.equal(view.element.querySelector("p").textContent, "Without “b” it writes xy. Unsure of 2 of 2. No such date. ");
  view.highlight({ queries: 0 });
  assert.match(view.element.querySelector("p").textContent, /No such date\. “x” reads 75\u00a0% “a” and 25\u00a0% “b”\.$/);
  assert.deepEqual([...view.element.querySelectorAll("rect")].map((box) => box.getAttribute("class").match(/doubted|muted/)?.[0]), ["doubted", "doubted", undefined, "muted"]);
  assert.equal(view.element.querySelector(".lt-arc-text").textContent, "x?");
});

test("above forty tokens the weights are a heatmap", () => {
  const many = 41;
  const view = createArcs({ ...spec, tokens: null, query_tokens: null }, context());
  view.update(frame(Array(many * many).fill(1 / many), [many, many]));
  assert.ok(view.element.querySelector(".lt-view-heatmap canvas"));
  assert.equal(view.element.querySelector(".lt-arcs-said").hidden, true);
});

test("a straight way from a token to any of the other row crosses none that is meant", () => {
  const [keys, queries] = [10, 8].map((count) => Array(count).fill("a"));
  const layout = arcsLayout({ width: 900, keys, queries, one: false });
  const middle = (/** @type {any} */ box) => [box.x + box.width / 2, box.y + box.height / 2];
  for (const [q, query] of layout.queries.entries()) {
    for (const key of layout.keys) {
      const [from, to] = [middle(query), middle(key)];
      let left = from;
      for (let step = 1; step <= 100; step += 1) {
        const at = from.map((one, d) => one + ((to[d] - one) * step) / 100);
        const found = boxAt(layout, at[0], at[1]);
        if (found?.side === "query" && found.index === q) left = at;
        else if (found?.side === "query") assert.ok(crosses(layout, left, at));
      }
    }
  }
  const [one, other] = layout.queries.map(middle);
  assert.ok(!crosses(layout, one, other), "along the row the next token is meant");
});

for (const hand of ["keydown", "pointerdown", "wheel"]) {
  test(`the pass that plays by itself ends at the first ${hand}, wherever on the page it is`, (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    /** @type {any} */
    let seen = null;
    globalThis.IntersectionObserver = /** @type {any} */ (class { constructor(told) { seen = told; } observe() {} disconnect() {} });
    const marks = [];
    const how = { ...context(), reducedMotion: () => false, highlight: (/** @type {any} */ next) => marks.push(next) };
    const long = { ...spec, play: true, tokens: null, query_tokens: null };
    const view = createArcs(long, how);
    view.update(frame(Array(64).fill(1 / 8), [8, 8]));
    document.body.append(view.element);
    seen([{ isIntersecting: true }]);
    t.mock.timers.tick(2400 / 8 * 3);
    assert.deepEqual(marks.map((mark) => mark.queries), [0, 1, 2]);
    const written = () => Array.from(view.element.querySelectorAll(".lt-arc-text"), (word) => word.textContent).filter(Boolean).length;
    assert.equal(written(), 3 + 8, "what comes later is not written yet");
    document.body.dispatchEvent(new Event(hand, { bubbles: true }));
    t.mock.timers.tick(4000);
    assert.deepEqual(marks.map((mark) => mark.queries), [0, 1, 2, 0], "it rests on the query that it began with");
    assert.equal(written(), 8 + 8);
    delete globalThis.IntersectionObserver;
  });
}
