// Plots beside each other, or beside a map, are as high as the highest of them: their x axes stand on one line.

import { viewOf } from "./index.mjs";

/** What say a view has in the height of its row. @param {any} spec */
const sayOf = (spec) => viewOf(spec.kind, "level")(spec);

/** The height that the plots of a row get; 0: their own. @param {{spec: any, height: number}[]} row */
export function levelOf(row) {
  const all = row.filter(({ spec }) => sayOf(spec));
  return all.length > 1 ? Math.max(...all.map(({ height }) => height)) : 0;
}

/**
 * What a plot has to do with the height of its row: its own one, and the least that it is told to have.
 * @param {() => number} own @param {() => void} redraw
 */
export function createLevel(own, redraw) {
  const level = {
    least: 0,
    keep: keepLevel,
    own,
    /** @param {number} high */
    set(high) {
      if (high === level.least) return;
      level.least = high;
      redraw();
    },
  };
  return level;
}

/**
 * Keep the plots of each row on one level, whenever something in it gets another size.
 * @param {any[]} specs of the views
 * @param {import("./index.mjs").View[]} views
 */
export function keepLevel(specs, views) {
  /** @type {number[][]} */
  let rows = [];
  const stageOf = (/** @type {number} */ i) => /** @type {HTMLElement} */ (views[i].element.querySelector(".lt-stage"));
  const heightOf = (/** @type {number} */ i) => views[i].level?.own() ?? (sayOf(specs[i]) === "picture" ? stageOf(i).offsetHeight : 0);
  function settle() {
    for (const row of rows) {
      const level = levelOf(row.map((i) => ({ spec: specs[i], height: heightOf(i) })));
      for (const i of row) views[i].level?.set(level);
    }
  }
  const observer = globalThis.ResizeObserver ? new ResizeObserver(settle) : null;
  specs.forEach((spec, i) => sayOf(spec) && observer?.observe(sayOf(spec) === "picture" ? stageOf(i) : views[i].element));
  return {
    /** @param {{views: number[]}[]} placed */
    place(placed) {
      rows = placed.map((row) => row.views);
      settle();
    },
    stop: () => observer?.disconnect(),
  };
}
