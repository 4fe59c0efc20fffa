// Views beside each other where there is room, in reading order: rows, each filled from the left, maps of the same
// queries and keys at one size.

import { h } from "../shared/dom.mjs";
import { viewOf } from "../views/index.mjs";
import { LOW, LOWER } from "../views/layout.mjs";

/** @import { View } from "../views/index.mjs" */
/** @typedef {import("../views/size.mjs").Size} Size */
/** @typedef {{views: number[], widths: number[]}} Row */

export const GAP = 24; // between two views of a row
export const BELOW = 10; // between two rows, as in rows.css
const MOST = 3; // views in a row that nobody asked for
export const WIDE = 702; // pixels above which maps grow: a still picture has so many
const FIELD = 180; // least pixels of a control that stands beside others
const PHONE = 460; // pixels below which the first row stands above the controls and stays in sight
const NARROWEST = 640; // pixels of a card on a wide page, as in frame.css
const WORDS = 200; // least pixels of a caption beside the last row, or below a view of it
const SLACK = 20; // pixels by which a view may grow until the caption leaves it
export const MANY = 3; // rows of views of which none may be as tall as it likes; on a wide page as many in a row

/**
 * Which views stand in a row, and how wide each is.
 * @param {Size[]} sizes
 * @param {number} room
 * @param {number[][]|null} [wanted] rows that the author has put together; they break where there is no room
 * @returns {Row[]}
 */
export function rowsFor(sizes, room, wanted = null) {
  const fits = (/** @type {number[]} */ those) =>
    fit(
      those.map((i) => sizes[i]),
      room,
    );
  const groups = wanted ?? [sizes.map((_, i) => i)];
  const most = wanted ? Infinity : MOST;
  /** @type {number[][]} */
  const rows = [];
  for (const group of groups) {
    /** @type {number[]} */
    let row = [];
    for (const i of group) {
      const next = [...row, i];
      const pair = leads(group, i, sizes) ? [i, i + 1] : [i]; // two maps of one kind do not part
      const wide = [...row, ...pair];
      const parted = pair.length > 1 && fits(pair) && (wide.length > most || !fits(wide));
      if (row.length && (parted || next.length > most || !fits(next))) {
        rows.push(row);
        row = [i];
      } else row = next;
    }
    if (row.length) rows.push(row);
  }
  return rows.map((views) => ({
    views,
    widths: share(
      views.map((i) => sizes[i]),
      room,
    ),
  }));
}

/** Whether a map begins a pair of the same kind. @param {number[]} group @param {number} i @param {Size[]} sizes */
function leads(group, i, sizes) {
  const same = (/** @type {number} */ a, /** @type {number} */ b) => sizes[a]?.pair && sizes[a].pair === sizes[b]?.pair;
  return group.includes(i + 1) && same(i, i + 1) && !(group.includes(i - 1) && same(i - 1, i));
}

/** The least widths of a row: maps of one kind may be closer together, and on a phone all that are seen in little room. @param {Size[]} row @param {number} room */
function least(row, room) {
  const alike = row.length > 1 && row.every(({ pair }) => pair !== null && pair === row[0].pair);
  const few = room < PHONE && row.length > 1 && row.every(({ small }) => small);
  return row.map(({ min, tight, small = min }) => Math.min(alike ? tight : min, few ? small : min));
}

/** @param {Size[]} row @param {number} room */
function fit(row, room) {
  return least(row, room).reduce((sum, width) => sum + width, 0) + GAP * (row.length - 1) <= room;
}

/**
 * Widths of a row's views: what each needs, then what each would like, then all that is left for those that stretch.
 * @param {Size[]} row
 * @param {number} room
 */
function share(row, room) {
  const free = room - GAP * (row.length - 1);
  let widths = least(row, room).map((width) => Math.min(width, free));
  for (const wish of /** @type {const} */ (["ideal", "most", "grown"]).slice(0, room > WIDE ? 3 : 2)) {
    const spare = free - widths.reduce((sum, width) => sum + width, 0);
    const lacks = row.map((size, i) => Math.max(0, Math.min(size[wish], free) - widths[i]));
    const all = lacks.reduce((sum, lack) => sum + lack, 0);
    if (spare > 0 && all > 0) widths = widths.map((width, i) => width + (Math.min(spare, all) * lacks[i]) / all);
  }
  return widths.map(Math.floor);
}

/**
 * How wide controls are that stand beside each other and cannot be narrower: tables of number fields, and options in a bar.
 * @param {HTMLElement} card @param {number} room
 */
function fieldsOf(card, room) {
  const controls = /** @type {HTMLElement|null} */ (card.querySelector(":scope > .lt-controls"));
  const fields = /** @type {HTMLElement[]} */ ([...(controls?.querySelectorAll(":scope > .lt-control") ?? [])]);
  const wide = (/** @type {HTMLElement} */ field) => (field.matches(".lt-cells") ? field.offsetWidth : 240);
  if (controls?.matches(":has(> .lt-cells)")) return fields.reduce((sum, field) => sum + 22 + wide(field), -22);
  const bars = /** @type {HTMLElement[]} */ ([...card.querySelectorAll(".lt-controls .lt-segments")]);
  const least = Math.max(FIELD, ...bars.map((bar) => bar.offsetWidth));
  controls?.style.setProperty("--lt-field", `${least}px`);
  const all = fields.length * (least + 28) - 28;
  return least > FIELD && all <= room ? all : 0;
}

/**
 * The row that stands above the controls on a phone.
 * @param {HTMLElement} stage @param {HTMLElement[]} views
 */
function createLeading(stage, views) {
  /** @type {HTMLElement|null} */
  let led = null;
  const card = stage.parentElement;
  // A view that is fetched late makes its row taller; whether it stays in sight is the style sheet's matter.
  const high = new ResizeObserver(() => {
    card?.style.setProperty("--lt-led", `${led?.offsetHeight ?? 0}px`);
    const last = [...(card?.querySelectorAll(":scope > .lt-controls > *, :scope > .lt-run") ?? [])].filter((e) => e.clientHeight).at(-1);
    const after = last && card ? card.getBoundingClientRect().bottom - last.getBoundingClientRect().top : 0;
    card?.style.setProperty("--lt-after", `${after}px`); // the picture leaves with the last control, and is never over it
    const own = views.filter((view) => led?.contains(view));
    const highest = (/** @type {number} */ share) =>
      Math.max(0, ...own.map((view) => view.offsetHeight + share * (Number.parseFloat(view.style.getPropertyValue("--lt-spare")) || 0)));
    const spare = highest(1) - highest(0);
    led?.style.setProperty("--lt-spare", `${spare}px`); // what keeps the figure as high at every option is below what stays in sight
  });
  return {
    /** @param {HTMLElement|null} row */
    take(row) {
      const operated = card?.querySelector(":scope > .lt-controls, :scope > .lt-run");
      led?.remove();
      led = (operated && row) || null;
      led?.classList.add("lt-leading");
      if (led) operated?.before(led);
      high.disconnect();
      for (const each of led && card ? [led, card] : []) high.observe(each);
    },
    stop: () => high.disconnect(),
  };
}

/**
 * Puts a caption below a view at an end of the last row, if another leaves it as much room, else below the row.
 * @param {HTMLElement} caption @param {Element|null|undefined} foot of the card
 */
function createCaption(caption, foot) {
  /** @type {HTMLElement[]} */
  let row = [];
  const observer = new ResizeObserver(() => {
    const end = Math.max(...row.map((view) => view.offsetHeight));
    const under = [row[row.length - 1], row[0]].find((view) => {
      caption.style.width = view.style.width;
      const over = view.offsetHeight + BELOW + caption.offsetHeight - end;
      return view.offsetWidth >= WORDS && over <= (view.nextSibling === caption ? SLACK : 0);
    });
    caption.style.width = "";
    if (under?.nextSibling !== caption) under ? under.after(caption) : foot?.before(caption);
  });
  return {
    /** @param {HTMLElement[]} views of the last row, the ends of which stand in columns */
    below(views) {
      observer.disconnect();
      row = views;
      foot?.before(caption);
      for (const view of views) observer.observe(view);
    },
    stop: () => observer.disconnect(),
  };
}

/**
 * Keep views arranged in an element, anew whenever its width changes; returns how to stop.
 * @param {HTMLElement} stage
 * @param {HTMLElement[]} views
 * @param {Size[]} sizes
 * @param {number[][]|null} [wanted]
 * @param {(rows: Row[]) => void} [placed] told of the rows whenever they are placed
 */
function arrange(stage, views, sizes, wanted = null, placed = () => {}) {
  stage.append(...views);
  if (!globalThis.ResizeObserver) return () => {};
  let [width, shape] = [0, ""];
  const leading = createLeading(stage, views);
  // A card is no wider than what it holds, so that its room is that of the figure around it.
  const card = stage.parentElement;
  const [caption, foot] = [".lt-caption", ".lt-foot"].map(
    (part) => /** @type {HTMLElement|null|undefined} */ (card?.querySelector(`:scope > ${part}`)),
  );
  const words = caption && createCaption(caption, foot);
  const around = card?.parentElement ?? stage;
  const edges = () => (around === stage ? 0 : (card?.offsetWidth ?? 0) - stage.clientWidth);
  const place = () => {
    const now = stage.clientWidth && around.clientWidth - edges();
    if (now === width || now === 0) return;
    width = now;
    stage.classList.toggle("lt-roomy", width > WIDE);
    const rows = rowsFor(sizes, width, wanted);
    for (const { views: those, widths } of rows) {
      those.forEach((i, at) => {
        views[i].style.width = `${widths[at]}px`;
        views[i].toggleAttribute("data-grown", widths[at] > sizes[i].most);
        views[i].dataset.low = String(those.length >= MANY && width > WIDE ? LOWER : rows.length >= MANY && width > PHONE ? LOW : 0);
      });
    }
    const taken = rows.map(({ widths }) => widths.reduce((sum, each) => sum + each + GAP, -GAP));
    const used = card ? Math.min(width, Math.max(fieldsOf(card, width), ...taken)) : width;
    card?.style.setProperty("--lt-taken", `${used + edges()}px`);
    placed(rows);
    const phone = width < PHONE;
    const room = Math.min(width, Math.max(used, NARROWEST - edges()));
    const told = room - taken[taken.length - 1] - GAP >= WORDS; // what the last row leaves free is the caption's
    const last = (rows.at(-1)?.views ?? []).map((i) => views[i]);
    const columns = caption && !told && last.length > 1 ? last : []; // or what a view of it leaves below itself
    const key = JSON.stringify([phone, told, rows.map((row) => row.views)]);
    if (key === shape) return;
    shape = key;
    const held = (/** @type {HTMLElement} */ view) => (columns.includes(view) ? h("div", { class: "lt-held" }, view) : view);
    const made = rows.map(({ views: those }) => h("div", { class: "lt-row" }, ...those.map((i) => held(views[i]))));
    stage.replaceChildren(...made);
    words?.below(columns);
    if (caption && told) made[made.length - 1].append(caption);
    leading.take(phone ? made[0] : null);
  };
  const observer = new ResizeObserver(place);
  observer.observe(around);
  place();
  return () => (observer.disconnect(), words?.stop(), leading.stop());
}

/**
 * Views beside each other, each as wide as it needs at the setting that the figure starts with; returns their sizes and how to stop.
 * @param {HTMLElement} stage @param {any} spec @param {View[]} views
 * @param {{model: any, attempt: (work: () => void) => boolean}} figure
 */
export function arrangeViews(stage, spec, views, { model, attempt }) {
  /** @type {any} */
  let frame = { outputs: {}, state: model.state(), history: null };
  attempt(() => (frame = model.current()));
  /** @type {Size[]} */
  const sizes = spec.views.map((/** @type {any} */ view) => viewOf(view.kind, "sizeOf")(view, frame, model.controls));
  const level = views.find((view) => view.level)?.level?.keep(spec.views, views); // a plot brings what keeps it
  const elements = views.map((view) => view.element);
  const stop = arrange(stage, elements, sizes, spec.rows, level?.place);
  return { sizes, stop: () => (stop(), level?.stop()) };
}
