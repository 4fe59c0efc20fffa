// What the button Embed copies.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.mjs";
import { snippet } from "../../../livetorch/js/embed/snippet.mjs";

test("a figure's words and address cannot leave their attributes", () => {
  const spec = { name: "two-words", title: 'A "title" <b> & more' };
  const text = snippet(spec, { url: '../embed/a.html#lt:x=a:"><script>', height: 300.2 });
  const box = document.createElement("div");
  box.innerHTML = text;
  assert.deepEqual([box.children.length, box.firstChild.tagName, box.lastElementChild.tagName], [2, "IFRAME", "SCRIPT"]);
  assert.equal(box.firstChild.title, spec.title);
  assert.ok(box.firstChild.src.startsWith("https://example.org/embed/a.html#lt:x=a:"));
  assert.ok(Number(box.firstChild.height) > 300);
});

test("a figure without a title is called by its name", () => {
  assert.match(snippet({ name: "two-words", title: null }, { url: "a.html", height: 1 }), /title="two words"/);
});
