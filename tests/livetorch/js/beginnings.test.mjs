// What each figure of the book offers to begin with: numbers worth opening, and lines that a calculator confirms.
import assert from "node:assert/strict";
import { test } from "node:test";

import { figures } from "../stored_book.mjs";
import { place, until } from "./page.mjs";

await import("../../../livetorch/js/parts/all.mjs");
const { mount } = await import("../../../livetorch/js/figure/mount.mjs");
const partOf = (/** @type {string} */ name) => import(`../../../livetorch/js/parts/${name}.mjs`);

/** @typedef {{said: string, where: string, line: string, html: string, seen: boolean, reads: number, again: number}} Start seen: whether a view marks it; reads: how many it marks that the line reads;
 *  again: how many are offered while it is open */

/** The lines from an angle of a clock down to its position. @type {string[]} */
const way = [];

/** What is offered by a figure, each opened. @param {any} spec @returns {Promise<Start[]>} */
async function startsOf(spec, isVeiled = false) {
  const element = place();
  if (isVeiled) element.dataset.veil = "";
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
    const told = { said: button.textContent, where: element.querySelector(".lt-made-where")?.textContent ?? "", line: line.textContent, html: line.innerHTML };
    const seen = element.querySelector(".lt-opened") !== null;
    const reads = element.querySelectorAll(".lt-read").length;
    for (let next; spec.name === "clock" && (next = element.querySelector(".lt-made-line .lt-term")); ) {
      next.click();
      way.push(element.querySelector(".lt-made-line").textContent);
    }
    assert.doesNotMatch(element.querySelector(".lt-python-name")?.textContent ?? "", /false|undefined/);
    assert.doesNotMatch(element.querySelector(".lt-python samp")?.textContent ?? "", /^[^[]* /, "code has no name of several words");
    assert.doesNotMatch(element.querySelector(".lt-python samp")?.textContent ?? "", /^(\w+)\[\1[\],]/, "no row that is called as the output is");
    found.push({ ...told, seen, reads, again: (await invite()).length });
    element.querySelector(".lt-close").click();
  }
  handle.destroy();
  return found;
}

/** @type {Map<string, Start[]>} and before the guess, of those with a veil that hides only some */
const [all, before] = [new Map(), new Map()];
for (const { file, spec } of figures) {
  const name = `${file.slice(0, 3)} ${spec.name}`;
  all.set(name, await startsOf(spec));
  if (spec.veil?.length < spec.views.length) before.set(name, await startsOf(spec, true));
}

test("most figures offer numbers, and none is one that says nothing of how it was made", () => {
  const offered = [...all.values()].flat();
  assert.ok(offered.length > 100, `${offered.length} are offered`);
  assert.ok([...all.values()].filter(({ length }) => !length).length < 4);
  const empty = offered.filter(({ line, said }) => /^[^=]* because |≠/.test(line) || /^(True|False)/.test(said));
  assert.deepEqual(empty, []);
});

test("each beginning stands in a view, opens no dust of rounding, and stays on offer while a number is open", () => {
  for (const [name, starts] of [...all, ...before])
    for (const { said, line, seen, again } of starts) {
      assert.ok(seen, `${name}: ${said} is not in the picture`);
      assert.equal(again, starts.length, `${name}: after ${said}`);
      assert.doesNotMatch(line, /^e?[−\d.]*e−[7-9]/, `${name}: ${said}`);
      const terms = /^e[−\d.]+ \/ \((.*)\) = ([\d.]+)$/.exec(line);
      const count = terms ? terms[1].split(" + ").length - (/… (\d+) more/.test(line) ? 1 - Number(/… (\d+) more/.exec(line)?.[1]) : 0) : Infinity;
      assert.ok(count * Number(terms?.[2] ?? 1) > 1.2, `${name}: ${said} is no larger than the others: ${line}`);
    }
});

test("a change of kind that changes nothing is no step, and what counts places is said to do so", () => {
  assert.ok(way.length && way.every((line) => !/another kind/.test(line)), way.join("; "));
  assert.equal(way.find((line) => /^0, /.test(line)), "0, the place counted from 0");
});

test("before the guess a beginning is in sight wherever something is that was computed", () => {
  const none = [...before].flatMap(([name, starts]) => (starts.length ? [] : [name]));
  assert.deepEqual(none, ["08b cost", "09c two-roads", "12c compare"]); // what a hand moved, and what is stored
  assert.match(before.get("01a thermometer")?.[0].said ?? "", /^0\.61 Height at a reading/);
});

test("a share below 1 and a result come first", () => {
  const first = (/** @type {string} */ name) => all.get(name)?.slice(0, 2).map(({ said }) => said.match(/^\S+/)?.[0]);
  assert.deepEqual(first("06a path"), ["0.91", "7.81"]);
  assert.deepEqual(first("06a example"), ["0.91", "7.81"]);
  assert.deepEqual(first("11a by-hand-next"), ["0.50", "1"]); // a weight between before the answer, and none that took all
  assert.equal(all.get("11a by-hand-next")?.[0].line, "e0.00 / (e−20 + e0.00 + e0.00) = 0.50", "a zero is written in one way");
  assert.match(all.get("11b learn")?.[0].said ?? "", /Loss/);
  assert.deepEqual(first("13a look"), [], "what leads to stored truth values in one step is no beginning");
  assert.deepEqual(first("05a copies"), ["0.94", "2"]);
  assert.match(all.get("09b paint")?.[1].line ?? "", /^33 of 144 are True: \(True, False, … 142 more\)$/); // the other one leads further
  assert.equal(all.get("09b paint")?.[1].reads, 33, "only those that hold are marked");
  const four = all.get("12c compare")?.find(({ line }) => line === "0 + 0 + 1 + 1 + 1 + 1 = 4");
  assert.equal(four?.reads, 12, "of what is not drawn that is marked which it was made of");
  assert.equal(all.get("06a path")?.[0].reads, 3);
  assert.match(all.get("09d cache-size")?.[0].where ?? "", /^Cache for one text/);
  assert.match(all.get("13a own-sentence")?.[0].line ?? "", /^e.* … 6 more\) = 0\.90, because “Words only” is False$/);
});

test("the numbers to begin with are of different kinds: of one output each kind of computation, and never three of one row", () => {
  const values = (/** @type {string} */ name) => all.get(name)?.map(({ said }) => said.match(/^\S+/)?.[0]);
  assert.deepEqual(values("08c block"), ["2.00", "7"]);
  assert.deepEqual(values("07a clock"), ["1.00", "0.14"]);
  assert.deepEqual(values("08a minus"), ["−5.00", "4.00"]);
  assert.deepEqual(values("05b date-translator"), ["0.20", "0.93"]); // of which both places have a name
  assert.deepEqual(all.get("07a two-sentences")?.map(({ said }) => said), ["0.28 Weight, sentence 1: “dog” (query 2), “dog” (key 2)"], "what is asked about");
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
  has("02a two-keys", "Output of “price”");
  has("08c mlp", "Sum, unit 2");
  has("05a copies", "Weight of “l” (key 7) for “p” (query 8)"); // which stands there twice
  has("09a read-tile", "e to the score, over the largest so far: query 1, “I” (key 1)");
  has("07b offset-only", "Position added: score");
  has("12a pieces", "Weight of the piece in row 1, column 2");
  has("12b look", "Weight of the patch in row 2, column 3");
});

/** A figure in which a number was begun with. @param {string} name @param {RegExp} begin */
async function begunWith(name, begin) {
  const element = place();
  const { spec } = figures.find(({ file, spec }) => `${file.slice(0, 3)} ${spec.name}` === name);
  const { destroy } = mount(element, spec, { partOf });
  element.querySelector(".lt-how").click();
  await until(() => element.querySelector(".lt-invite:not([hidden])"));
  Array.from(element.querySelectorAll(".lt-starts button")).find(({ textContent }) => begin.test(textContent)).click();
  return { element, destroy, terms: () => Array.from(element.querySelectorAll(".lt-made-line .lt-term")) };
}

/** What stands above each number on the way down by the first term. @param {string} name @param {RegExp} begin @param {number} deep @param {number} [press] which term is pressed first */
async function titles(name, begin, deep, press = 0) {
  const { element, terms, destroy } = await begunWith(name, begin);
  const said = [];
  for (let i = 0; i < deep; i += 1) {
    said.push(element.querySelector(".lt-made-where").textContent);
    terms().at(i ? 0 : press)?.click();
  }
  destroy();
  return said;
}

test("a condition that is pressed is said as it was printed, and a number that prints as the next one does has a name before it", async () => {
  const crumbs = async (/** @type {string} */ name, /** @type {RegExp} */ begin, /** @type {string[]} */ ...pressed) => {
    const { element, terms, destroy } = await begunWith(name, begin);
    for (const text of pressed) terms().find((term) => term.textContent === text).click();
    const said = Array.from(element.querySelectorAll(".lt-crumbs li"), (each) => each.textContent);
    destroy();
    return said;
  };
  assert.equal((await crumbs("12c compare", /^4/, "0", "False")).at(-1), "Where does False come from?");
  assert.match((await crumbs("08c block", /^2\.00/, "2.00"))[1], /MLP.*: 2\.00$/);
  assert.equal((await crumbs("06a path", /^0\.91/, "9.238", "16"))[2], "Score before the softmax: 9.238", "as above its line");
  assert.equal((await crumbs("07a two-sentences", /^0\.28/, "1", "2", "1"))[3], "Score: 2");
});

test("under a long sum stands what each of its terms is, where code has names for it", async () => {
  const { element, terms, destroy } = await begunWith("05b date-translator", /^0\.20/);
  terms().at(0).click();
  assert.match(element.querySelector(".lt-made-line").textContent, /… 28 more/);
  assert.equal(element.querySelector(".lt-leaf").textContent, "Each term: tanh(…) times w_v");
  terms().at(0).click();
  assert.equal(element.querySelector(".lt-leaf"), null, "two factors are in sight");
  destroy();
  const inside = await begunWith("10b inside", /^0\.91/);
  for (let i = 0; i < 3; i += 1) inside.terms().at(0).click();
  assert.match(inside.element.querySelector(".lt-made-line").textContent, /^0\.468 \+ .*·/);
  assert.equal(inside.element.querySelector(".lt-leaf"), null, "one of them is no product, the others are of learned numbers");
  inside.destroy();
});

test("a number of what was typed is said as the word that it stands for, and a control by the words before its explanation", async () => {
  const way = async (/** @type {string} */ name, /** @type {RegExp} */ begin, /** @type {number[]} */ ...pressed) => {
    const { element, terms, destroy } = await begunWith(name, begin);
    for (const at of pressed) terms().at(at).click();
    const [where, line] = ["where", "line"].map((part) => element.querySelector(`.lt-made-${part}`).textContent);
    destroy();
    return [where, line];
  };
  const down = [0, 0, 0, 0, 0, 0];
  assert.match((await way("11a by-hand-next", /^0\.50/, ...down))[1], /^1, stored with the figure, because word 3 is “fep”$/);
  assert.deepEqual(await way("11a by-hand-next", /^0\.50/, ...down, 1), ["“fep” (word 3)", "2, the number of a piece of what you typed “Words”"]);
  assert.deepEqual(await way("09a read-tile", /^0\.67/, 0, 0, 0), [
    "e to the score of each word: query 1, “like” (key 2)",
    "2, your table “e to the score of each word”",
  ]);
});

test("a number without a name is called by what it is in the nearest one that has a name", async () => {
  assert.deepEqual((await titles("02b fresh", /Weight of key 8/, 6)), [
    "Weight of key 8",
    "Score of key 8",
    "A term in the score of key 8",
    "Vector, on the way to the score of key 8", // as the code calls it
    "Result of erfinv, on the way to the score of key 8",
    "Place, on the way to the score of key 8",
  ]);
  const looked = ["Weight", "Score"].map((word) => `${word} of “2” (place 8) for “0” (place 9)`);
  assert.deepEqual(await titles("05b date-translator", /^0\.20/, 2), looked, "a position has one word on the way");
  assert.deepEqual(await titles("12a pieces", /Weight/, 3), [
    "Weight of the piece in row 1, column 2",
    "Score before the softmax of the piece in row 1, column 2", // of a list that the figure draws as rows and columns
    "Number 1 of ask",
  ]);
  assert.equal((await titles("12b look", /Weight/, 2, 1))[1], "Score before the softmax of the patch in row 1, column 3", "after the class token");
  const { element, terms, destroy } = await begunWith("12a pieces", /Weight/);
  terms().at(1).click();
  const named = terms().map(({ title }) => title);
  assert.equal(named.filter((title) => /^Number of the given in row 1, column [12]$/.test(title)).length, 2, `at its place in the figure, not in the code: ${named}`);
  destroy();
  assert.deepEqual((await titles("10b inside", /Probability/, 4, 1)), [
    "Probability of “H” (character 1)",
    "Score before the softmax: “A”", // by the vocabulary, of which the view shows eight
    "A factor in the score before the softmax: “A”",
    "x, on the way to the score before the softmax: “A”",
  ]);
  assert.match((await titles("03a by-length", /query 1/, 1))[0], /^Weight, sentence 1: /, "and no output by a control that is called as it is");
});
