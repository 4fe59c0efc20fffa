/** A heatmap as shapes: on the page its cells are painted on a canvas. */
import { axesOf, colourOf, contentOf, fitOf, hatchedWord, laidOut, overCells, scaleEnd } from "./heatmap_picture.mjs";
import { stillCells } from "./cells_still.mjs";

/**
 * @param {any} spec
 * @param {{frame: any, controls: any, theme: "light"|"dark", low?: number}} scene
 * @param {number} width
 */
export function still(spec, { frame, controls, theme, low: flat }, width) {
  const content = /** @type {any} */ (contentOf(spec, frame, controls));
  const layout = laidOut(spec, content, frame, controls, width, { low: flat });
  const fit = fitOf(spec, content, layout);
  const cells = stillCells({ ...content, layout, scale: spec.scale, theme, fit });
  /** @type {import("../shared/scene.mjs").Shape[]} */
  const shapes = [
    ...cells,
    ["g", { class: "lt-axes" }, axesOf(layout, spec, null, null)],
    ["g", { class: "lt-over" }, overCells(layout, spec, content)],
  ];
  const low = scaleEnd(content.limits[0]);
  const high = scaleEnd(content.limits[1]);
  return {
    width: layout.width,
    height: layout.height,
    spare: layout.spare,
    shapes,
    scale: {
      levels: content.levels?.map((/** @type {[number, string]} */ [value, words]) => ({
        words,
        colour: colourOf(spec.scale, theme, value, content.limits),
      })),
      name: spec.scale,
      low,
      high,
      masked: hatchedWord(spec),
      measure: spec.measure ?? "",
      own: content.own,
    },
  };
}
