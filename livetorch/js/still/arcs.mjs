/** Arcs as a picture, with their sentence. */
import { asMap } from "../views/arcs.mjs";
import { arcsPicture } from "../views/arcs_picture.mjs";
import { arcsOf, chosenOf, sayArcs } from "../views/arcs_content.mjs";
import { stillHeatmap } from "./heatmap.mjs";

/**
 * @param {any} spec
 * @param {{frame: any, controls: any, theme: "light"|"dark"}} scene
 * @param {number} width
 */
export function stillArcs(spec, scene, width) {
  const content = /** @type {import("../views/arcs_content.mjs").Content} */ (arcsOf(spec, scene.frame, scene.controls));
  if (content.many) return stillHeatmap(asMap(spec), scene, width);
  const focus = chosenOf(content, spec.query);
  return {
    ...arcsPicture(spec, content, { width, theme: scene.theme, focus }),
    foot: sayArcs(spec, content, focus)
      .map((part) => part.text)
      .join(""),
  };
}
