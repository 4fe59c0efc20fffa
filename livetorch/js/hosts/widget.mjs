// The figure as an anywidget: the same figure, its settings kept in step with a kernel's.

import { mount } from "../figure/mount.mjs";
import { partOf } from "./parts.mjs";

const PATIENCE = 80; // milliseconds: a kernel is told at once when a hand lets go, and now and then while it moves

/** @param {{model: any, el: HTMLElement}} host */
function render({ model, el }) {
  const box = document.createElement("div");
  el.append(box);
  box.dataset.veil = "";
  let sending = false;
  /** @type {ReturnType<typeof setTimeout>|null} */
  let timer = null;
  const send = () => {
    timer = null;
    sending = true;
    model.set("value", figure.wire());
    model.save_changes();
    sending = false;
  };
  const figure = mount(box, model.get("_spec"), {
    settings: model.get("value"),
    partOf,
    changed(final) {
      if (final && timer !== null) clearTimeout(timer);
      if (final) send();
      else timer ??= setTimeout(send, PATIENCE);
    },
  });
  const follow = () => {
    if (!sending) figure.receive(model.get("value"));
  };
  model.on("change:value", follow);
  return () => {
    if (timer !== null) clearTimeout(timer);
    model.off("change:value", follow);
    figure.destroy();
  };
}

export const widget = { render };
