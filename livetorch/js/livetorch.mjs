// The one script of live figures: a global for pages and widgets, and the start on a page that loads it.

import { mount } from "./figure/mount.mjs";
import { provide } from "./hosts/files.mjs";
import { boot, wake } from "./hosts/page.mjs";
import { adopt } from "./hosts/parts.mjs";
import { load } from "./runtime/program.mjs";

/** @type {any} */ (globalThis).LiveTorch = { mount, load, boot, wake, provide, adopt };

/** Begin, when all that the core holds is in place; a widget imports this file where there is no current script, and starts its own figure. */
export function start() {
  if (typeof document !== "undefined" && document.currentScript) boot();
}
