/** What ends a trail, in words: each kind of end says truly where its numbers come from. */
import { makes, shortName } from "./trail.mjs";

/** What the code brings along: the words that stand for it until the page's own code says more. */
export const STORED = "the same at every setting, and stored with the figure";

/**
 * @param {{kind: string, maker: any, input: string|null, dtype: string, index: number[]}} found
 * @param {{controls: Record<string, string>, learned: boolean, named: boolean}} known of an input what it is to the reader; whether
 *   training has made it, and whether the code calls it by a name
 */
export function ending({ kind, maker, input, index }, { controls, learned, named }) {
  if (kind === "control") return controls[input ?? ""];
  if (kind === "input") return "an input";
  if (maker && makes(maker.node.op)) return `filled in by ${shortName(maker.node.op)}`;
  if (learned) return "learned in training, and stored with the figure";
  return named || index.length ? STORED : "a number that the code writes";
}
