// The card of a figure: where title, controls, views, caption and buttons stand.

import { kindOf } from "../controls/index.mjs";
import { h } from "../shared/dom.mjs";

/**
 * The elements of the controls, except those that a view lets the reader move.
 * @param {any} spec
 * @param {string} figureId
 * @param {(name: string, value: any, more?: {final: boolean}) => void} set
 * @returns {Record<string, import("../controls/base.mjs").Widget>}
 */
export function buildControls(spec, figureId, set) {
  const inViews = new Set(spec.views.flatMap((/** @type {any} */ view) => [view.drag, view.edit].flat().filter(Boolean)));
  /** @type {Record<string, any>} */
  const widgets = {};
  for (const control of spec.controls) {
    const { element: make } = kindOf(control);
    if (!make || inViews.has(control.name)) continue;
    const id = `${figureId}-${control.name}`;
    const widget = make(control, { id, set: (value, more) => set(control.name, value, more) });
    if (control.description) widget.element.append(h("span", { class: "lt-note", id: `${id}-about` }, control.description));
    if (control.when) widget.wait = waiting(widget.element, control.when, spec.controls);
    widgets[control.name] = widget;
  }
  return widgets;
}

/**
 * What makes a control grey at settings of others at which it does nothing: it cannot be used, and its name says why.
 * @param {HTMLElement} element
 * @param {Record<string, any[]>} when
 * @param {any[]} controls
 */
function waiting(element, when, controls) {
  const conditions = Object.entries(when).map(([other, settings]) => {
    const { label, options } = controls.find(({ name }) => name === other);
    const words = settings.map((one) => options?.[one] ?? (typeof one === "boolean" ? (one ? "on" : "off") : one));
    return `${label}: ${words.join(" or ")}`;
  });
  const reason = h("span", { class: "lt-spoken" });
  element.querySelector("label, .lt-label, button")?.append(reason);
  return (/** @type {Record<string, any>} */ state) => {
    const idle = Object.keys(when).some((other) => !when[other].includes(state[other]));
    element.classList.toggle("lt-idle", idle);
    for (const field of element.querySelectorAll("input, select, button")) /** @type {any} */ (field).disabled = idle;
    reason.textContent = idle ? ` (only with ${conditions.join(", ")})` : "";
  };
}

/**
 * @param {any} spec
 * @param {string} figureId
 * @param {object} parts
 * @param {Element[]} parts.fields
 * @param {Element} parts.stage
 * @param {{slot: Element, button: Element}} parts.opening
 * @param {{run: Element|null, tools: (Element|null)[]}} parts.toolbar
 * @param {Element} parts.numbers
 * @param {{regions: Element[], alert: Element}} parts.speech
 */
export function buildCard(spec, figureId, { fields, stage, opening, toolbar, numbers, speech }) {
  const titleId = `${figureId}-title`;
  const doId = `${figureId}-do`;
  const headed = spec.title || spec.do;
  const told = spec.do ? { "aria-describedby": doId } : {};
  const named = spec.title ? { "aria-labelledby": titleId, ...told } : { "aria-label": `Live figure ${spec.name.replaceAll("-", " ")}` };
  return h(
    "div",
    {
      class: "lt-card",
      role: "group",
      ...named,
    },
    headed
      ? h(
          "div",
          { class: "lt-head" },
          opening.button,
          spec.title ? h("div", { class: "lt-title", id: titleId }, spec.title) : null,
          spec.do ? h("div", { class: "lt-do", id: doId }, spec.do) : null,
        )
      : null,
    fields.length ? h("div", { class: "lt-controls" }, ...fields, toolbar.run) : toolbar.run,
    stage,
    opening.slot,
    speech.alert,
    spec.caption ? h("figcaption", { class: "lt-caption" }, spec.caption) : null,
    h("div", { class: "lt-foot" }, h("div", { class: "lt-tools" }, headed ? null : opening.button, ...toolbar.tools), numbers),
    ...speech.regions,
  );
}
