// The outputs of the present state as tables, below a figure; what makes them is fetched when they are first unfolded.

import { h } from "../shared/dom.mjs";

/** @import { Frame } from "../views/sources.mjs" */

/**
 * The "Numbers" part of a figure; its tables are made only while it is open. Where outputs have words, the others
 * (what only flows on to the next step) are left out.
 * @param {{views: any[], controls: any[], labels?: Record<string, string>}} spec
 * @param {Set<{update: (frame: Frame) => void}>} followers of frames: it is among them while it is open
 * @param {() => Frame} present
 * @param {{partOf: (name: string) => Promise<any>, failed: (text: string) => void}} how
 */
export function createNumbers(spec, followers, present, { partOf, failed }) {
  const named = Object.keys(spec.labels ?? {});
  const body = h("div", { class: "lt-numbers-body" });
  const element = h("details", { class: "lt-numbers", ontoggle: toggled }, h("summary", {}, "Numbers"), body);
  /** @type {any} makes the tables of one output */
  let outputTables = null;
  const tables = {
    /** @param {Frame} frame */
    update(frame) {
      const shown = named.length ? named.filter((name) => frame.outputs[name]) : Object.keys(frame.outputs);
      body.replaceChildren(...shown.flatMap((name) => outputTables(name, frame.outputs[name], spec, frame)));
    },
  };
  async function toggled() {
    if (!element.open) return followers.delete(tables);
    try {
      ({ outputTables } = await partOf("numbers"));
    } catch (error) {
      return failed(`The tables could not be loaded: ${error instanceof Error ? error.message : error}`);
    }
    if (!element.open) return undefined; // folded again meanwhile
    followers.add(tables);
    return tables.update(present());
  }
  return { element };
}
