/** A map of differences over a heatmap: the present numbers less the pinned ones, on the scale that has two ends. */
import { colourLimits } from "../shared/colour.mjs";
import { make } from "../shared/dom.mjs";
import { cellPainter } from "./cells.mjs";
import { makeScale } from "./heatmap_beside.mjs";
import { contentOf, fitOf, hatchedWord } from "./heatmap_picture.mjs";

const TWO_ENDS = { scale: /** @type {const} */ ("diverging"), vmin: null, vmax: null, measure: "now minus before" };

/** @type {NonNullable<import("./kind.mjs").Kind["ghost"]>} */
export function ghost(spec, view, pinned, { controls, theme, difference }) {
  const all = contentOf(spec, pinned, controls);
  const { stage } = view.shown();
  const canvas = /** @type {HTMLCanvasElement} */ (make("canvas", "lt-ghost"));
  stage.querySelector("canvas").after(canvas);
  const paints = cellPainter(canvas);
  const foot = view.element.querySelector(".lt-view-foot");
  const own = foot.querySelector(".lt-scale");
  const { bar, legend } = makeScale(TWO_ENDS);
  const scale = bar.querySelector(".lt-scale");
  own.after(scale);
  const other = make("span", "lt-scale", "The pinned map has another size."); // no number of it stands where one stands now
  own.after(other);

  /** @param {Element|null} seen */
  function show(seen) {
    for (const each of [own, scale, other]) if (each) each.hidden = each !== seen;
    canvas.hidden = seen !== scale;
  }
  show(own);

  return {
    map: true,
    update() {
      const { now, layout, cut } = view.shown();
      if (!difference() || !now || !layout) return show(own);
      const then = cut && all ? cut(all) : all;
      if (!then || then.rows !== now.rows || then.cols !== now.cols || then.panels !== now.panels) return show(other);
      const data = Float64Array.from(now.data, (x, i) =>
        Object.is(Number(x), Number(then.data[i])) ? 0 : Number(x) - Number(then.data[i]),
      );
      const limits = colourLimits(data, TWO_ENDS);
      show(scale);
      legend(limits, theme(), hatchedWord(spec), false, null);
      paints.paint({
        ...now,
        layout,
        data,
        anyHidden: now.any,
        leaks: false, // a difference of 0 is written
        limits,
        scale: TWO_ENDS.scale,
        theme: theme(),
        fit: fitOf(spec, { limits, levels: null }, layout),
      });
    },
    remove() {
      show(own);
      for (const each of [canvas, scale, other]) each?.remove();
    },
  };
}
