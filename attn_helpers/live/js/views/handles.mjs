/** Points that can be dragged by mouse and touch and moved with the arrow keys. */
import { pointer, select } from "d3-selection";
import { asTensor, rowsOf } from "./data.mjs";
import { formatNumber } from "./format.mjs";
import { tidy } from "./scales.mjs";

/** One point moved: a new list, the others as they were. @param {number[][]} points */
export function movePoint(points, index, to, domain) {
  return points.map((point, i) => (i === index ? point.map((old, d) => (to[d] === undefined ? old : tidy(to[d], domain[d]))) : point));
}

/** What an arrow key adds, in steps of 1/100 of the range (1/20 with Shift). */
export function keyStep(key, shift, domain) {
  const sign = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
  if (!sign) return null;
  // on a line, up and down move along it too
  const along = domain.length === 1 ? [sign[0] + sign[1]] : sign;
  return along.map((s, d) => (s * (domain[d][1] - domain[d][0])) / (shift ? 20 : 100));
}

/** How a point is read out. */
export function pointText(point) {
  return point.map((value, d) => `${["x", "y"][d]} ${formatNumber(value)}`).join(", ");
}

/**
 * The handles of one points control.
 * @param {any} layer a d3 selection of an SVG group
 * @param {{control: any, context: any, axis: string | null, place: (point: number[]) => number[],
 *   unplace: (x: number, y: number) => number[], colour: () => string, names: (i: number) => string, shape?: string}} how
 */
export function makeHandles(layer, { control, context, axis, place, unplace, colour, names, shape = "circle" }) {
  const group = layer.append("g").attr("class", `al-handle-group al-${shape}`);
  const domain = control.domain ?? [[-Infinity, Infinity], [-Infinity, Infinity]];
  let points = [];
  let held = null;

  function set(index, to, final) {
    points = movePoint(points, index, to, domain);
    context.set(control.name, points, { final });
  }
  const mark = (index) => axis && context.highlight({ [axis]: index });

  function start(event, index) {
    if (event.button > 0) return;
    held = index;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    event.stopPropagation();
    mark(index);
  }
  function drag(event, index) {
    if (held !== index) return;
    const [x, y] = pointer(event, layer.node());
    set(index, unplace(x, y), false);
  }
  function drop(event, index) {
    if (held !== index) return;
    held = null;
    set(index, points[index], true);
  }
  function press(event, index) {
    const step = keyStep(event.key, event.shiftKey, domain.slice(0, points[index].length));
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    set(index, points[index].map((x, d) => x + step[d]), true);
    context.announce(`${names(index)}: ${pointText(points[index])}`);
  }

  function build(count) {
    const all = group.selectAll("g.al-handle").data(Array.from({ length: count }, (_, i) => i)).join((enter) => {
      const one = enter.append("g").attr("class", "al-handle").attr("tabindex", 0).attr("role", "slider").attr("aria-roledescription", "movable point");
      if (shape === "line") one.append("line").attr("class", "al-handle-line");
      one.append("circle").attr("class", "al-handle-touch").attr("r", 17);
      one.append("circle").attr("class", "al-handle-ring").attr("r", 11);
      const [size, round] = shape === "square" ? [12, 1.5] : [13, 6.5];
      one.append("rect").attr("class", "al-handle-dot").attr("rx", round).attr("width", size).attr("height", size).attr("x", -size / 2).attr("y", -size / 2);
      one.on("pointerdown", start).on("pointermove", drag).on("pointerup", drop).on("pointercancel", drop).on("keydown", press);
      one.on("pointerenter", (_, i) => held === null && mark(i)).on("pointerleave", () => held === null && mark(null));
      one.on("focus", (_, i) => mark(i)).on("blur", () => mark(null));
      return one;
    });
    return all;
  }

  return {
    /** Draw the handles where the state says. */
    update(value) {
      points = rowsOf(asTensor(value));
      if (asTensor(value).shape.length === 1) points = points[0].map((x) => [x]);
      build(points.length).each(function (i) {
        const [x, y] = place(points[i]);
        const one = select(this).attr("transform", `translate(${x},${y})`);
        const first = points[i][0];
        one.attr("aria-label", names(i)).attr("aria-valuetext", pointText(points[i])).attr("aria-valuenow", first);
        if (Number.isFinite(domain[0][0])) one.attr("aria-valuemin", domain[0][0]).attr("aria-valuemax", domain[0][1]);
        one.select(".al-handle-dot").style("fill", colour());
      });
      return group;
    },
    highlight(index) {
      group.selectAll("g.al-handle").classed("al-marked", (i) => i === index);
    },
    held: () => held !== null,
    group,
  };
}
