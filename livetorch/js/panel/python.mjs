// The reader's own line of Python that made a number.

import { h } from "../shared/dom.mjs";

/** @param {{text: string, file: string, function: string, part: [number, number]}|null} line */
export function pythonOf(line) {
  if (!line?.text) return null;
  const [from, to] = line.part;
  const code = to > from ? [line.text.slice(0, from), h("mark", {}, line.text.slice(from, to)), line.text.slice(to)] : [line.text];
  const where = ["Python", line.function && `in ${line.function}`, line.file].filter(Boolean).join(", ");
  return h("div", { class: "lt-python" }, h("span", { class: "lt-python-name" }, where), h("code", {}, ...code));
}
