/** Points and vectors in the plane, with equal units on both axes; those of a control can be dragged. */
import { seriesColours } from "./colour.mjs";
import { resolve, rowsOf } from "./data.mjs";
import { frameView, listenTheme, make, onPoint, onWidth, sameMarks } from "./dom.mjs";
import { formatNumber } from "./format.mjs";
import { makeHandles, pointText } from "./handles.mjs";
import { makePlot } from "./plot.mjs";
import { calmDomain, domainOf, nearestPoint } from "./scales.mjs";

const REACH = 330; // the plane is at most this high

/** The points of each group: their numbers, names and whether arrows lead to them. */
export function groupsOf(spec, frame) {
  return spec.groups.map((group) => {
    const tensor = resolve(group.source, frame);
    const points = tensor ? rowsOf(tensor) : [];
    return { ...group, points, names: points.map((_, i) => group.labels?.[i] ?? `${group.prefix}${i + 1}`) };
  });
}

/** Height that gives both axes the same unit in a given width. */
export function planeHeight(width, x, y) {
  const unit = Math.min((width - 70) / (x[1] - x[0]), REACH / (y[1] - y[0]));
  return unit * (y[1] - y[0]);
}

/** The lines between queries and keys that are heavy enough to be seen. */
export function linksOf(tensor, [from, to] = []) {
  if (!tensor || !from || !to) return [];
  return rowsOf(tensor).flatMap((row, q) => row.map((weight, k) => ({ q, k, weight })))
    .filter(({ q, k, weight }) => weight > 0.01 && from.points[q] && to.points[k]);
}

/**
 * @param {any} spec
 * @param {any} context
 */
export function createPlane(spec, context) {
  const element = frameView("plane", spec.title);
  const plot = makePlot(spec);
  const { stage, layers } = plot;
  const readout = make("div", "al-view-foot al-readout");
  element.append(stage, readout);
  stage.setAttribute("role", "group");
  let now = null;
  let marks = {};
  let domains = { x: null, y: null };
  const sizing = onWidth(element, () => now && draw());
  const colour = (g) => seriesColours(context.theme())[g % 6];
  const at = ([x, y]) => [plot.x(x), plot.y(y)];

  const handles = spec.groups.map((group, g) => group.drag && makeHandles(layers.handles, {
    control: context.controls[group.source.control], context, axis: group.axis, place: at,
    unplace: (px, py) => [plot.x.invert(px), plot.y.invert(py)],
    colour: () => colour(g), names: (i) => now.groups[g].names[i], shape: g % 2 ? "square" : "circle",
  }));

  function update(frame) {
    const groups = groupsOf(spec, frame);
    now = { frame, groups, links: linksOf(resolve(spec.weights, frame), groups) };
    draw();
  }

  function reach(d, given) {
    const numbers = now.groups.flatMap((group) => [...group.points.map((p) => p[d]), ...(group.domain?.[d] ?? [])]);
    return domainOf([0, ...numbers], given);
  }

  function draw() {
    const width = sizing.width();
    domains = { x: calmDomain(domains.x, reach(0, spec.xlim)), y: calmDomain(domains.y, reach(1, spec.ylim)) };
    const height = planeHeight(width, domains.x, domains.y) + 34 + (spec.xlabel ? 18 : 0);
    plot.setScales({ width, height, xDomain: domains.x, yDomain: domains.y, equal: true });
    const zero = at([0, 0]);
    layers.curves.selectAll("line.al-arrow").data(arrows()).join("line").attr("class", "al-arrow")
      .attr("x1", zero[0]).attr("y1", zero[1]).attr("x2", (a) => a.to[0]).attr("y2", (a) => a.to[1]).style("stroke", (a) => colour(a.g));
    layers.curves.selectAll("path").data(arrows()).join("path").attr("class", "al-arrow-tip")
      .attr("d", (a) => tip(zero, a.to)).style("fill", (a) => colour(a.g));
    now.groups.forEach((group, g) => handles[g] && handles[g].update(now.frame.state[group.source.control]));
    drawFixed();
    drawNames();
    stage.setAttribute("aria-label", describe());
    drawMarks();
  }

  function arrows() {
    return now.groups.flatMap((group, g) => (group.arrows ? group.points.map((p) => ({ g, to: at(p) })) : []));
  }

  /** Points that cannot be dragged. */
  function drawFixed() {
    const fixed = now.groups.flatMap((group, g) => (group.drag ? [] : group.points.map((p, i) => ({ g, i, at: at(p) }))));
    layers.points.selectAll("circle").data(fixed).join("circle").attr("class", "al-fixed").attr("r", 5.5)
      .attr("cx", (p) => p.at[0]).attr("cy", (p) => p.at[1]).style("fill", (p) => colour(p.g))
      .classed("al-marked", (p) => marks[now.groups[p.g].axis] === p.i);
  }

  /** Names stand on the side away from the origin, where arrows do not run. */
  function drawNames() {
    const [x0, y0] = at([0, 0]);
    const names = now.groups.flatMap((group) => group.points.map((p, i) => ({ text: group.names[i], at: at(p) })));
    layers.marks.selectAll("text").data(names).join("text").attr("class", "al-point-name")
      .attr("text-anchor", (n) => (n.at[0] >= x0 ? "start" : "end"))
      .attr("x", (n) => n.at[0] + (n.at[0] >= x0 ? 10 : -10)).attr("y", (n) => n.at[1] + (n.at[1] <= y0 ? -7 : 16)).text((n) => n.text);
  }

  function describe() {
    const groups = now.groups.map((g) => g.points.map((p, i) => `${g.names[i]} at ${pointText(p)}`).join("; "));
    return `${spec.title ? `${spec.title}: ` : ""}points in the plane. ${groups.join("; ")}.`;
  }

  function drawMarks() {
    if (!now?.groups.length) return;
    const [from, to] = now.groups;
    const query = marks[from.axis] ?? null;
    layers.areas.selectAll("line").data(now.links).join("line").attr("class", "al-tie")
      .attr("x1", (l) => at(from.points[l.q])[0]).attr("y1", (l) => at(from.points[l.q])[1])
      .attr("x2", (l) => at(to.points[l.k])[0]).attr("y2", (l) => at(to.points[l.k])[1])
      .attr("stroke-width", (l) => 0.5 + 7 * l.weight).classed("al-faint", (l) => query !== null && l.q !== query);
    handles.forEach((handle, g) => handle && handle.highlight(marks[now.groups[g].axis] ?? null));
    layers.points.selectAll("circle").classed("al-marked", (p) => marks[now.groups[p.g].axis] === p.i);
    readout.textContent = say();
  }

  function say() {
    const parts = now.groups.flatMap((g) => {
      const i = marks[g.axis];
      return Number.isInteger(i) && g.points[i] ? [`${g.names[i]} (${g.points[i].map((v) => formatNumber(v)).join(", ")})`] : [];
    });
    const [from, to] = now.groups;
    const link = to && now.links.find((l) => l.q === marks[from.axis] && l.k === marks[to.axis]);
    return parts.join(", ") + (link ? `, weight ${formatNumber(link.weight)}` : "");
  }

  function highlight(next) {
    marks = next ?? {};
    drawMarks();
  }

  const over = (event) => {
    if (!now || /** @type {Element} */ (event.target).closest(".al-handle")) return;
    const box = stage.getBoundingClientRect();
    const next = {};
    for (const group of now.groups.filter((g) => !g.drag)) {
      next[group.axis] = nearestPoint(group.points.map(at), event.clientX - box.left, event.clientY - box.top, 14);
    }
    const mine = Object.fromEntries(Object.keys(next).map((axis) => [axis, marks[axis] ?? null]));
    if (sameMarks(next, mine)) return;
    highlight({ ...marks, ...next });
    context.highlight(next);
  };
  onPoint(stage, over, () => {
    const none = Object.fromEntries(spec.groups.map((g) => [g.axis, null]));
    highlight({ ...marks, ...none });
    context.highlight(none);
  });
  const stopTheme = listenTheme(context, () => now && draw());
  return { element, update, highlight, destroy: () => (sizing.stop(), stopTheme(), element.remove()) };
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
