// What is in sight of a figure: the outputs that its views show, and whether they show a number.

import { viewOf } from "../views/index.mjs";
import { outputsOf, plottedOf } from "./names.mjs";

/** Whether a veil hides numbers of a figure. @param {any[]} views */
export const areVeiled = (views) => views.some(({ element }) => element.dataset.veiled);

/** @typedef {{output: string, view: any, own: any}} Shown an output and the view that shows it, with what the figure's JSON says of the view */

/** What the views in sight show: results of each, and what is only plotted. @param {any} spec @param {any[]} views @returns {Shown[][]} */
export function inSight(spec, views) {
  const all = views.flatMap((view, i) => (view.element.dataset.veiled ? [] : [{ view, own: spec.views[i] }]));
  const by = (/** @type {(own: any) => string[]} */ read) =>
    all.flatMap(({ view, own }) => read(own).map((output) => ({ output, view, own })));
  const results = (/** @type {any} */ own) => {
    const outputs = own.kind === "history" ? own.series.map((/** @type {any} */ { output }) => output) : outputsOf(own);
    return own.kind === "flow" ? outputs.reverse() : outputs; // which ends with its result
  };
  const plotted = (/** @type {any} */ own) => {
    const outputs = plottedOf(own).flatMap(({ output }) => output ?? []);
    return own.points ? outputs.reverse() : outputs; // how high points stand comes before curves
  };
  return [by(results), by(plotted)];
}

/** Whether a view shows a number: no row of padding, no row that is not chosen. @param {Shown} shown @returns {(index: number[]) => boolean} */
export const shows = ({ output, view, own }) => {
  const [boxesOf, drawn] = [viewOf(own.kind, "boxesOf"), view.shown()];
  return (index) => boxesOf(own, drawn, { output }, index).length > 0;
};

/** Whether a view in sight shows a number; where a window shows a part of a map, all of the map counts. @param {any} spec @param {any[]} views @param {any} root */
export const isInSight = (spec, views, { source, index }) =>
  inSight(spec, views)
    .flat()
    .some((shown) => shown.output === source?.output && (shows(shown)(index) || Boolean(shown.view.shown().from)));
