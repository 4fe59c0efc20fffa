/** Where the tokens and ribbons of arcs go: pure functions of a width and of texts. */

import { textWidth } from "../shared/format.mjs";

/** @typedef {{x: number, y: number, width: number, height: number, text: string}} Box */
/** @typedef {{queries: Box[], keys: Box[], upright: boolean, one: boolean, size: number, width: number, height: number, room: number, names: {x: number, y: number, anchor: string}[]}} Layout */

const BOX = 30; // the height of a token
const SPAN = 116; // between two rows
const NAME = 20; // a row's name
const MARGIN = 72; // room for a name beside a row
const WIDE = 640; // from here on a row of any length leaves that room, so that names stay in their places
const NUMBER = 20; // the weights under the keys
const WIDEST = 72;

/**
 * Places along a row: equal ones where all texts fit, else as wide as each text needs, else null.
 * @param {string[]} texts
 * @param {number} room
 * @returns {{x: number, width: number}[] | null}
 */
export function along(texts, room) {
  const slot = Math.min(WIDEST, room / texts.length);
  const letters = (/** @type {string} */ text) => textWidth(text, 13);
  if (texts.every((text) => letters(text) <= Math.max(slot - 8, text.length < 2 ? Math.max(8, 0.84 * slot - 2) : 0))) {
    const start = (room - slot * texts.length) / 2;
    return texts.map((_, i) => ({ x: start + i * slot, width: slot }));
  }
  const needs = texts.map((text) => Math.max(24, letters(text) + 12));
  const spare = room - needs.reduce((a, b) => a + b, 0);
  if (spare < 0) return null;
  let at = 0;
  return needs.map((need) => {
    const place = { x: at, width: need + spare / texts.length };
    at += place.width;
    return place;
  });
}

/**
 * Two rows below each other, or two columns where the texts are too long for rows; with `one`, a single row.
 * @param {{width: number, keys: string[], queries: string[], one: boolean, low?: boolean}} what low: whether columns stand closer
 * @returns {Layout}
 */
export function arcsLayout({ width, keys, queries, one, low = false }) {
  const within = (/** @type {number} */ side) =>
    [keys, queries].map((texts) => along(texts, width - 2 * side)?.map((place) => ({ ...place, x: place.x + side })));
  const kept = !one && width >= WIDE ? within(MARGIN) : [];
  const [across, second] = kept[0] && kept[1] ? kept : within(0);
  const above = one ? across : second;
  if (!across || !above) return upright(width, keys, queries, low ? 23 : 26);
  const inset = (/** @type {number} */ slot) => Math.min(4, slot * 0.07);
  const row = (/** @type {string[]} */ texts, /** @type {{x: number, width: number}[]} */ places, /** @type {number} */ y) =>
    texts.map((text, i) => ({
      text,
      y,
      height: BOX,
      x: places[i].x + inset(places[i].width),
      width: places[i].width - 2 * inset(places[i].width),
    }));
  const beside = !one && Math.min(across[0].x, above[0].x) > MARGIN - 1; // the rows' names stand at their left
  const top = one ? SPAN : beside ? 2 : NAME;
  const below = one ? top : top + BOX + SPAN;
  const boxes = row(keys, across, below);
  const lines = beside ? [top + BOX / 2 + 4, below + BOX / 2 + 4] : [12, below + BOX + NUMBER + 14];
  return {
    queries: one ? boxes : row(queries, above, top),
    keys: boxes,
    upright: false,
    one,
    size: 13,
    width,
    height: below + BOX + NUMBER + (one || beside ? 0 : NAME),
    room: SPAN,
    names: one ? [] : lines.map((y) => ({ x: 0, y, anchor: "start" })),
  };
}

/** @param {number} width @param {string[]} keys @param {string[]} queries @param {number} step from token to token @returns {Layout} */
function upright(width, keys, queries, step) {
  const widest = (/** @type {string[]} */ texts) => Math.min(width * 0.34, Math.max(30, ...texts.map((text) => textWidth(text, 13) + 12)));
  const [left, right] = [widest(queries), widest(keys)];
  const most = Math.max(keys.length, queries.length);
  const column = (/** @type {string[]} */ texts, /** @type {number} */ x, /** @type {number} */ wide) =>
    texts.map((text, i) => ({ text, x, width: wide, y: NAME + ((i + 0.5) * most * step) / texts.length - step / 2 + 2, height: step - 4 }));
  return {
    queries: column(queries, 0, left),
    keys: column(keys, width - right - 34, right),
    upright: true,
    one: false,
    size: 13,
    width,
    height: NAME + most * step + 4,
    room: width - left - right - 34,
    names: [
      { x: 0, y: 12, anchor: "start" },
      { x: width - 34, y: 12, anchor: "end" },
    ],
  };
}

/**
 * The line from a query to a key.
 * @param {Layout} layout
 * @param {number} query
 * @param {number} key
 */
export function ribbon({ queries, keys, upright: side, one, room }, query, key) {
  const [from, to] = [queries[query], keys[key]];
  const middle = (/** @type {Box} */ box) => box.x + box.width / 2;
  const round = (/** @type {number} */ x) => Number(x.toFixed(1));
  if (side) {
    const [x0, y0, x1, y1] = [from.x + from.width, from.y + from.height / 2, to.x, to.y + to.height / 2].map(round);
    const bend = round((x1 - x0) / 2);
    return `M${x0} ${y0}C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`;
  }
  const [x0, x1] = [middle(from), middle(to)].map(round);
  if (one) {
    const rise = query === key ? 30 : Math.min(room * 1.25, 30 + Math.abs(x1 - x0) * 0.5);
    const [a, b] = query === key ? [x0 - 12, x0 + 12] : [x0, x1];
    return `M${x0} ${from.y}C${a} ${round(from.y - rise)} ${b} ${round(from.y - rise)} ${x1} ${from.y}`;
  }
  const [y0, y1] = [from.y + from.height, to.y].map(round);
  const bend = round((y1 - y0) * 0.55);
  return `M${x0} ${y0}C${x0} ${y0 + bend} ${x1} ${y1 - bend} ${x1} ${y1}`;
}

/** The box nearest to a point, among the row or column that it is in. @param {Layout} layout @param {number} x @param {number} y @returns {{side: "query"|"key", index: number}|null} */
export function tokenAt(layout, x, y) {
  const { queries, keys, upright: side, one } = layout;
  const middle = (/** @type {Box[]} */ boxes) => (side ? boxes[0].x + boxes[0].width / 2 : boxes[0].y + boxes[0].height / 2);
  const place = side ? x : y;
  const ofQueries = one || Math.abs(place - middle(queries)) <= Math.abs(place - middle(keys));
  const boxes = ofQueries ? queries : keys;
  const far = Math.abs(place - middle(boxes));
  if (far > (side ? boxes[0].width / 2 + 30 : BOX)) return null; // between the rows nothing is meant
  const along = (/** @type {Box} */ box) => (side ? Math.abs(y - box.y - box.height / 2) : Math.abs(x - box.x - box.width / 2));
  let best = 0;
  boxes.forEach((box, i) => (best = along(box) < along(boxes[best]) ? i : best));
  return { side: ofQueries ? "query" : "key", index: best };
}

/** The box at a point; of a query also what is before it, where the way to the other row does not begin. @param {Layout} layout @param {number} x @param {number} y @returns {{side: "query"|"key", index: number}|null} */
export function boxAt(layout, x, y) {
  const found = tokenAt(layout, x, y);
  if (!found) return null;
  const box = (found.side === "query" ? layout.queries : layout.keys)[found.index];
  const [at, start, size] = layout.upright ? [x, box.x, box.width] : [y, box.y, box.height];
  return (found.side === "query" || at >= start) && at <= start + size ? found : null;
}

const STEEP = 0.1; // of the way along a row, how far at least a way to the other row has come towards it

/** Whether a pointer goes from the row of queries to the other. @param {Layout} layout @param {number[]} from @param {number[]} to */
export function crosses({ upright: side, one }, from, to) {
  const [along, across] = side ? [1, 0] : [0, 1];
  return !one && to[across] - from[across] > STEEP * Math.abs(to[along] - from[along]);
}
