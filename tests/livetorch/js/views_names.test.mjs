// Names of points that lie on each other do not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { textWidth } from "../../../livetorch/js/shared/format.mjs";
import { placeNames } from "../../../livetorch/js/views/names.mjs";

const NAMES = ["Bahdanau", "Luong", "Bahdanau's", "Luong's", "5", "mars", "2024"];
const ROOM = { left: 50, width: 400, bottom: 330 };

test("names of seven points in one corner lie on no other name", () => {
  for (const x of [50, 400])
    for (const y of [0, 330]) {
      const places = placeNames(
        NAMES.map((text) => ({ x, y, text, side: /** @type {const} */ ([1, -1]) })),
        ROOM,
      );
      const boxes = places.map((place, i) => {
        const wide = textWidth(NAMES[i], 12.5);
        const left = { start: 0, middle: wide / 2, end: wide }[place.anchor];
        return { x0: place.x - left, x1: place.x - left + wide, y0: place.y - 10, y1: place.y + 2 };
      });
      boxes.forEach((a, i) =>
        boxes.slice(i + 1).forEach((b) => assert.ok(a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0, `${x}, ${y}`)),
      );
    }
});

test("an m is as wide as a browser sets it", () => {
  assert.ok(textWidth("mmmmmmmmmm") >= 10 * 11.6); // DejaVu Sans, 12 pixels
});
