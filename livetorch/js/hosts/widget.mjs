// The figure as an anywidget: the same figure, its settings kept in step with a kernel's, and in this browser, so that
// a notebook which is opened and run again has them.

import { mount } from "../figure/mount.mjs";
import { ownKeys } from "./lab_keys.mjs";
import { partOf } from "./parts.mjs";

const PATIENCE = 80; // milliseconds: a kernel is told at once when a hand lets go, and now and then while it moves

/**
 * Where the last settings of a figure are kept: by the notebook, the figure, and what it starts with, so that they are
 * forgotten where the code has changed. A browser may refuse to keep anything.
 * @param {any} spec @param {any} start
 */
function memoryOf({ name, controls }, start) {
  const key = `livetorch settings ${location.pathname.replace(/^.*?\/(tree|notebooks)\//, "")} ${name}`;
  const from = JSON.stringify([controls, start]);
  return {
    read() {
      try {
        const kept = JSON.parse(localStorage.getItem(key) ?? "null");
        return kept?.from === from ? kept.last : null;
      } catch {
        return null;
      }
    },
    /** @param {any} last */
    write(last) {
      try {
        localStorage.setItem(key, JSON.stringify({ from, last }));
      } catch {}
    },
  };
}

/** @param {{model: any, el: HTMLElement}} host */
function render({ model, el }) {
  const memory = memoryOf(model.get("_spec"), model.get("value"));
  const box = document.createElement("div");
  el.append(box);
  ownKeys(box);
  box.dataset.veil = "";
  let sending = false;
  /** @type {ReturnType<typeof setTimeout>|null} */
  let timer = null;
  const send = () => {
    timer = null;
    sending = true;
    model.set("value", figure.wire());
    model.save_changes();
    memory.write(model.get("value"));
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
  const kept = memory.read();
  if (kept) {
    figure.receive(kept);
    send();
  }
  return () => {
    if (timer !== null) clearTimeout(timer);
    model.off("change:value", follow);
    figure.destroy();
  };
}

export const widget = { render };
