/** Old values as thin marks over a plot: a line where a bar ended, dashed curves, hollow points. */
import { makeSvg } from "../shared/dom.mjs";
import { painter } from "../shared/scene.mjs";
import { resolve, rowsOf } from "../views/sources.mjs";

/** @typedef {import("../shared/scene.mjs").Shape} Shape */

/**
 * A layer over the stage of a view.
 * @param {any} view
 * @param {(shown: any) => Shape[]} shapesOf from what the view shows
 */
function layerOver(view, shapesOf) {
  const svg = makeSvg();
  svg.setAttribute("class", "lt-svg lt-ghost");
  const paint = painter(svg);
  view.shown().stage.append(svg);
  return {
    update() {
      const shown = view.shown();
      if (shown.drawn?.box?.y) paint(shapesOf(shown));
    },
    remove: () => svg.remove(),
  };
}

/** A place on an axis, at most at its ends. @param {number} px @param {number} a @param {number} b */
const within = (px, a, b) => Math.min(Math.max(px, Math.min(a, b)), Math.max(a, b));

/** @param {any} spec @param {any} view @param {any} then */
export function createBarMarks(spec, view, then) {
  return layerOver(view, ({ now, drawn: { box, span } }) => {
    const tensor = resolve(spec.source, then);
    const old = tensor ? (rowsOf(tensor)[now.row] ?? []) : [];
    return old.slice(0, now.values.length).flatMap((value, i) => {
      if (!Number.isFinite(value)) return [];
      const [left, wide] = span(i);
      const y = within(box.y(value), box.top, box.bottom);
      const [x1, x2] = [left + 0.06 * wide, left + 0.94 * wide];
      return ["lt-ghost-halo", "lt-ghost-line"].map((kind) => /** @type {Shape} */ (["line", { class: kind, x1, x2, y1: y, y2: y }]));
    });
  });
}

/** @param {any} spec @param {any} view @param {any} then */
export function createCurveMarks(spec, view, then) {
  const xs = resolve(spec.x, then);
  const points = spec.points && [resolve(spec.points.x, then), resolve(spec.points.y, then)];
  return layerOver(view, ({ now, drawn: { box } }) => {
    const place = (/** @type {number} */ x, /** @type {number} */ y) => [box.x(x), within(box.y(y), box.top, box.bottom)];
    const curves = now.curves.flatMap((/** @type {any} */ { source, row }) => {
      const tensor = resolve(source, then);
      const ys = tensor && rowsOf(tensor)[row];
      if (!ys) return [];
      let pen = "M";
      const d = ys.map((y, i) => {
        const x = xs ? Number(xs.data[i]) : i + 1;
        if (!Number.isFinite(x) || !Number.isFinite(y)) return (pen = "M") && "";
        const step = `${pen}${place(x, y).map((px) => px.toFixed(1))}`;
        pen = "L";
        return step;
      });
      return [/** @type {Shape} */ (["path", { class: "lt-ghost-line", d: d.join("") }])];
    });
    const old = points?.every(Boolean) ? Array.from(points[0].data, (x, i) => [Number(x), Number(points[1].data[i])]) : [];
    return [...curves, ...rings(old, now.points, place)];
  });
}

/** @param {any} spec @param {any} view @param {any} then */
export function createPlaneMarks(spec, view, then) {
  const groups = spec.groups.map((/** @type {any} */ { source }) => resolve(source, then));
  return layerOver(view, ({ now, drawn: { box } }) => {
    const place = (/** @type {number} */ x, /** @type {number} */ y) => [
      within(box.x(x), box.left, box.right),
      within(box.y(y), box.top, box.bottom),
    ];
    return groups.flatMap((/** @type {any} */ tensor, /** @type {number} */ g) =>
      tensor ? rings(rowsOf(tensor), now.groups[g]?.points ?? [], place) : [],
    );
  });
}

/**
 * A ring where a point was that has moved.
 * @param {number[][]} old @param {number[][]} now @param {(x: number, y: number) => number[]} place @returns {Shape[]}
 */
function rings(old, now, place) {
  const moved = old.filter((point, i) => point.every(Number.isFinite) && point.some((at, axis) => at !== now[i]?.[axis]));
  return moved.map(([x, y]) => {
    const [cx, cy] = place(x, y);
    return ["circle", { class: "lt-ghost-line", r: 5, cx, cy }];
  });
}
