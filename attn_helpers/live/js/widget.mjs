// The figure as an anywidget: the same figure, its settings kept in step with a kernel's.

import { mount } from "./figure.mjs";

/** @param {{model: any, el: HTMLElement}} host */
function render({ model, el }) {
  const box = document.createElement("div");
  el.append(box);
  let sending = false;
  const figure = mount(box, model.get("_spec"), {
    settings: model.get("value"),
    changed(settings) {
      sending = true;
      model.set("value", settings);
      model.save_changes();
      sending = false;
    },
  });
  const follow = () => {
    if (!sending) figure.receive(model.get("value"));
  };
  model.on("change:value", follow);
  return () => {
    model.off("change:value", follow);
    figure.destroy();
  };
}

export const widget = { render };
