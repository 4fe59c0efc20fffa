/** The drawing of points and vectors in the plane, with equal units on both axes. */
import { axisColour, shapeOf } from "../shared/colour.mjs";
import { handleShapes, markShape } from "./handles.mjs";
import { placeNames } from "./names.mjs";
import { areFinite, layer, leftOut, plotBox } from "./plot.mjs";
import { domainOf } from "./scales.mjs";
import { resolve, rowsOf } from "./sources.mjs";

/** @import { Frame, Scene, Source, Tensor } from "./sources.mjs" */
/** @typedef {import("../shared/scene.mjs").Shape} Shape */

const REACH = 330; // the plane is at most this high

/**
 * The points of each group: their numbers, names and whether arrows lead to them.
 * @typedef {{points: number[][], names: string[], axis: string, source: Source, prefix: string, labels: string[]|null,
 *   arrows: boolean, drag: boolean, domain?: number[][]}} Group
 * @typedef {Group & {control: any}} Moved with the control that hands move it by, or null
 * @typedef {{q: number, k: number, weight: number}} Link between a query and a key
 *
 * @param {any} spec @param {Frame} frame @returns {Group[]}
 */
export function groupsOf(spec, frame) {
  return spec.groups.map((/** @type {Group} */ group) => {
    const tensor = resolve(group.source, frame);
    const points = tensor ? rowsOf(tensor) : [];
    return { ...group, points, names: points.map((_, i) => group.labels?.[i] ?? `${group.prefix}${i + 1}`) };
  });
}

/** Height that gives both axes the same unit in a given width. @param {number} width @param {number[]} x @param {number[]} y */
export function planeHeight(width, x, y) {
  const unit = Math.min((width - 70) / (x[1] - x[0]), REACH / (y[1] - y[0]));
  return unit * (y[1] - y[0]);
}

/**
 * The lines between queries and keys that are heavy enough to be seen.
 * @param {Tensor|null} tensor @param {Pick<Group, "points">[]} [groups] @returns {Link[]}
 */
export function linksOf(tensor, [from, to] = []) {
  if (!tensor || !from || !to) return [];
  return rowsOf(tensor)
    .flatMap((row, q) => row.map((weight, k) => ({ q, k, weight })))
    .filter(({ q, k, weight }) => weight > 0.01 && areFinite(...(from.points[q] ?? [NaN]), ...(to.points[k] ?? [NaN])));
}

/**
 * What is drawn of a frame: groups of points and the lines between them.
 * @typedef {{groups: Moved[], links: Link[]}} Content
 *
 * @param {any} spec @param {Frame} frame @param {Record<string, any>} controls @returns {Content}
 */
export function contentOf(spec, frame, controls) {
  const groups = groupsOf(spec, frame).map((group) => ({
    ...group,
    control: group.drag && "control" in group.source ? controls[group.source.control] : null,
  }));
  return { groups, links: linksOf(resolve(spec.weights, frame), groups) };
}

/** How far the points reach, along both axes. @param {any} spec @param {Content} content */
export function reachOf(spec, { groups }) {
  const along = (/** @type {number} */ d, /** @type {number[]|null} */ given) =>
    domainOf([0, ...groups.flatMap((group) => [...group.points.map((p) => p[d]), ...(group.domain?.[d] ?? [])])], given);
  return { x: along(0, spec.xlim), y: along(1, spec.ylim) };
}

/**
 * The drawing.
 * @param {any} spec
 * @param {Content} content
 * @param {{domains: {x: number[], y: number[]}, width: number, theme: "light"|"dark", marks?: Record<string, number|null>, box?: typeof plotBox}} how
 */
export function planePicture(spec, { groups, links }, { domains, width, theme, marks = {}, box: boxOf = plotBox }) {
  const { xlabel, ylabel } = spec;
  const height = planeHeight(width, domains.x, domains.y) + 34 + (xlabel ? 18 : 0);
  const box = boxOf({ width, height, xDomain: domains.x, yDomain: domains.y, xlabel, ylabel, equal: true });
  const at = (/** @type {number[]} */ [x, y]) => [box.x(x), box.y(y)];
  const [x0, y0] = at([0, 0]);
  const colour = (/** @type {number} */ g) => axisColour(groups[g].axis, g, theme);
  const marked = (/** @type {number} */ g) => marks[groups[g].axis] ?? null;
  /** @template T @param {(group: Moved, g: number, i: number, at: number[]) => T} draw @returns {T[]} */
  const each = (draw) =>
    groups.flatMap((group, g) => group.points.flatMap((point, i) => (areFinite(...point) ? [draw(group, g, i, at(point))] : [])));
  const missing = groups.flatMap(({ points }) => points).filter((point) => !areFinite(...point)).length;
  const query = groups.length ? marked(0) : null;
  /** @type {Shape[]} */
  const ties = links.map(({ q, k, weight }) => {
    const [[x1, y1], [x2, y2]] = [at(groups[0].points[q]), at(groups[1].points[k])];
    const wide = 0.5 + 7 * weight;
    const dash = q % 3 ? `${q % 3 === 1 ? 7 : 0} ${wide + 5}` : null; // whose line it is; round ends take of each gap what is wide
    const name = query !== null && q !== query ? "lt-tie lt-faint" : "lt-tie";
    return ["line", { class: name, x1, y1, x2, y2, "stroke-width": wide, "stroke-dasharray": dash }];
  });
  const arrows = each(
    (group, g, _, [x2, y2]) => group.arrows && ["line", { class: "lt-arrow", x1: x0, y1: y0, x2, y2, stroke: colour(g) }],
  );
  const tips = each((group, g, _, to) => group.arrows && ["path", { class: "lt-arrow-tip", d: tip([x0, y0], to), fill: colour(g) }]);
  const fixed = each(
    (group, g, i, [cx, cy]) =>
      !group.drag &&
      markShape(shapeOf(group.axis), 11, cx, cy, { class: marked(g) === i ? "lt-fixed lt-marked" : "lt-fixed", fill: colour(g) }),
  );
  // names would like to stand on the side away from the origin, where arrows do not run
  const named = each((group, _, i, [x, y]) => ({
    x,
    y,
    text: group.names[i],
    side: /** @type {const} */ ([x >= x0 ? 1 : -1, y <= y0 ? -1 : 1]),
  }));
  const names = placeNames(named, box).map(
    ({ x, y, anchor }, i) => /** @type {Shape} */ (["text", { class: "lt-point-name", "text-anchor": anchor, x, y }, named[i].text]),
  );
  const handles = groups.flatMap(({ control, points, axis, names: said }, g) =>
    control
      ? [
          {
            control,
            points,
            axis,
            at,
            marked: marked(g),
            colour: colour(g),
            shape: shapeOf(axis),
            unplace: (/** @type {number} */ px, /** @type {number} */ py) => [box.x.invert(px), box.y.invert(py)],
            names: (/** @type {number} */ i) => said[i],
          },
        ]
      : [],
  );
  const kept = (/** @type {any[]} */ list) => /** @type {Shape[]} */ (list.filter(Boolean));
  /** @type {Shape[]} */
  const shapes = [
    box.axes,
    layer("areas", ties),
    layer("curves", kept([...arrows, ...tips])),
    layer("points", kept(fixed)),
    layer("marks", [...names, ...leftOut(missing, box)]),
    ["g", { class: "lt-handles" }, handles.map(handleShapes)],
  ];
  return { width: box.width, height: box.height, shapes, box, handles };
}

/**
 * As a picture.
 * @param {any} spec
 * @param {Scene} scene
 * @param {number} width
 */
export function stillPlane(spec, { frame, controls, theme }, width) {
  const content = contentOf(spec, frame, controls);
  return planePicture(spec, content, { domains: reachOf(spec, content), width, theme });
}

/** The head of an arrow that ends just before its point. @param {number[]} from @param {number[]} to */
export function tip([x0, y0], [x1, y1]) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 22) return "";
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
  const [ex, ey] = [x1 - 8 * ux, y1 - 8 * uy];
  const [bx, by] = [ex - 9 * ux, ey - 9 * uy];
  return `M${ex},${ey}L${bx - 4.5 * uy},${by + 4.5 * ux}L${bx + 4.5 * uy},${by - 4.5 * ux}Z`;
}
