// The curves on the tracks of sliders: their part is fetched by the figures that have some.

/**
 * @param {any} spec
 * @param {object} parts
 * @param {import("../controls/base.mjs").Widget[]} parts.widgets
 * @param {(name: string) => Promise<any>} parts.partOf
 * @param {() => boolean} parts.busy
 * @param {() => any} parts.frame
 * @param {Set<{update: (frame: any) => void}>} parts.followers of frames: the curves are among them, once they are there
 */
export function createTracks(spec, { widgets, partOf, busy, frame, followers }) {
  const tracks = widgets.flatMap(({ track }) => track ?? []);
  /** @type {any} */
  let curves = null;
  let gone = false;
  const begin = (/** @type {any} */ { createCurves }) => {
    if (gone) return;
    curves = createCurves(spec, { tracks, busy });
    followers.add(curves);
    curves.update(frame());
  };
  if (tracks.length)
    partOf("curves")
      .then(begin)
      .catch(() => {}); // a slider is one without its curve
  return {
    destroy() {
      gone = true;
      curves?.destroy();
    },
  };
}
