// What each figure of the book offers to begin with: numbers worth opening, and lines that a calculator confirms.
import assert from "node:assert/strict";
import { test } from "node:test";

import { figures } from "../stored_book.mjs";
import { place, until } from "./page.mjs";

await import("../../../livetorch/js/parts/all.mjs");
const { mount } = await import("../../../livetorch/js/figure/mount.mjs");
const partOf = (/** @type {string} */ name) => import(`../../../livetorch/js/parts/${name}.mjs`);

/** @typedef {{said: string, where: string, line: string, html: string}} Start */

/** What is offered by a figure, each opened. @param {any} spec @returns {Promise<Start[]>} */
async function startsOf(spec) {
  const element = place();
  const handle = mount(element, spec, { partOf });
  const invite = async () => {
    element.querySelector(".lt-how").click();
    await until(() => element.querySelector(".lt-invite:not([hidden])"));
    return Array.from(element.querySelectorAll(".lt-starts:not([hidden]) button"));
  };
  /** @type {Start[]} */
  const found = [];
  for (let i = 0; i < (await invite()).length; i += 1) {
    const button = element.querySelectorAll(".lt-starts button")[i];
    button.click();
    const line = element.querySelector(".lt-made-line");
    found.push({ said: button.textContent, where: element.querySelector(".lt-made-where")?.textContent ?? "", line: line.textContent, html: line.innerHTML });
    element.querySelector(".lt-close").click();
  }
  handle.destroy();
  return found;
}

/** @type {Map<string, Start[]>} */
const all = new Map();
for (const { file, spec } of figures) all.set(`${file.slice(0, 3)} ${spec.name}`, await startsOf(spec));

test("most figures offer numbers, and none is one that says nothing of how it was made", () => {
  const offered = [...all.values()].flat();
  assert.ok(offered.length > 100, `${offered.length} are offered`);
  assert.ok([...all.values()].filter(({ length }) => !length).length < 4);
  const empty = offered.filter(({ line, said }) => /^[^=]* because |≠/.test(line) && !/stored with the figure, because/.test(line) || /^(True|False)/.test(said));
  assert.deepEqual(empty, []);
});

test("a share below 1 and a result come first", () => {
  const first = (/** @type {string} */ name) => all.get(name)?.slice(0, 2).map(({ said }) => said.match(/^\S+/)?.[0]);
  assert.deepEqual(first("06a path"), ["0.91", "7.81"]);
  assert.deepEqual(first("06a example"), ["0.91", "7.81"]);
  assert.deepEqual(first("11a by-hand-next"), ["0.50"]);
  assert.deepEqual(first("05a copies"), ["0.94", "2"]);
  assert.match(all.get("09b paint")?.[0].line ?? "", /^33 of 144 are True: /);
  assert.match(all.get("13a own-sentence")?.[0].line ?? "", /^e.* = 0\.97, because “Words only: their shares add up to 1” is False$/);
});

/** What a calculator gives for a line; null where it has a word or leaves terms out. @param {string} html */
function calculated(html) {
  const text = html.replace(/<span class="lt-whole">|<\/span>/g, "").replaceAll("</sup><sup>", "").replaceAll("<sup>", "**(").replaceAll("</sup>", ")").replace(/<[^>]*>/g, "").replace(/, (because|which is) .*/, "");
  const [made, result] = text.split(/ [=≈] (?!.* [=≈] )/);
  if (!result || /…|because/.test(made)) return null;
  const sum = made.replaceAll("True", "1").replaceAll("False", "0").replaceAll("−", "-").replaceAll("·", "*").replace(/√(\d[\d.]*)/g, "Math.sqrt($1)").replaceAll("√(", "Math.sqrt(")
    .replace(/\be(?=\*\*)/g, "Math.E").replace(/\b(max|cos|log2)\(/g, "Math.$1(").replace(/ and /g, "&&");
  if (/[a-df-z]{2,}/i.test(sum.replace(/Math\.\w+/g, ""))) return null;
  return { given: Number(new Function(`return ${sum}`)()), result: result.replaceAll("−", "-"), about: text.includes(" ≈ ") };
}

test("a calculator confirms each line that a figure begins with, to half of its last digit, or the line says that it does not", () => {
  let counted = 0;
  for (const [name, starts] of all) {
    for (const { html, line } of starts) {
      const found = calculated(html);
      if (!found) continue;
      counted += 1;
      const half = 0.5001 * 10 ** -(found.result.split(".")[1] ?? "").length;
      const fits = Math.abs(found.given - Number(found.result)) <= half + 1e-9;
      assert.ok(fits || found.about, `${name}: ${line}, and it is ${found.given}`);
    }
  }
  assert.ok(counted > 60, `${counted} lines`);
});

test("what a number is called says no word twice, and reads as words", () => {
  const called = Object.fromEntries([...all].map(([name, starts]) => [name, starts.map(({ where }) => where)]));
  for (const [name, wheres] of Object.entries(called)) {
    for (const where of wheres) assert.doesNotMatch(where, /\b(\w+) of \1\b|^(\w+) .*“\2” \(|(: |of )\w+s of |: .*: /i, `${name}: ${where}`);
  }
  const has = (/** @type {string} */ name, /** @type {string} */ where) => assert.ok(called[name].includes(where), `${name}: ${called[name].join("; ")}`);
  has("02a two-keys", "Output of “price” (number 2)");
  has("08c mlp", "Unit 2 for “sum” (stage 1)");
  has("09a read-tile", "e to the score, over the largest so far: query 1, “I” (key 1)");
  has("12a pieces", "Weight: row of piece 1, column of piece 2");
  has("12b look", "Weight: patch row 2, patch column 3");
});
