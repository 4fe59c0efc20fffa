import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import "../../livetorch/js/page.mjs";
import { button, enter, settle } from "../../livetorch/js/page.mjs";

globalThis.localStorage = window.localStorage;
const { bootQuestions } = await import("../../../attn_lessons/exercises/questions/js/index.mjs");
const { judgeCells } = await import("../../../attn_lessons/exercises/questions/js/cells.mjs");
const { judgeNumber, readings } = await import("../../../attn_lessons/exercises/questions/js/number.mjs");
const { createMemory } = await import("../../../attn_lessons/exercises/questions/js/memory.mjs");

const head = { format: "attn-lessons/question", version: 1 };
const number = { ...head, kind: "number", name: "n", question: "How much?", answer: 0.8808, tolerance: 0.005, shown: "0.8808", explain: "By counting.", mistakes: [{ value: 1, why: "The height." }] };
const choice = { ...head, kind: "choice", name: "c", question: "Which `dim`?", options: [{ text: "<b>0</b>", why: "Batch." }, { text: "-1", why: "Keys." }], answer: 1 };
const cells = { ...head, kind: "cells", name: "m", question: "Where?", rows: ["a", "b"], cols: ["a", "b"], axes: ["query", "key"], answer: ["10", "11"], explain: "The past.", mistakes: [{ cells: ["01", "00"], why: "The future." }] };

/** The questions as a page stores them, brought to life. */
function page(...specs) {
  document.body.replaceChildren();
  const elements = specs.map((spec) => {
    const element = document.createElement("div");
    element.className = "livetorch lt-question";
    const script = document.createElement("script");
    script.type = "application/json";
    script.textContent = JSON.stringify(spec);
    element.append(script);
    document.body.append(element);
    return element;
  });
  bootQuestions();
  return elements;
}
const reply = (element) => element.querySelector(".lt-reply").textContent;
const kind = (element) => element.querySelector(".lt-reply").dataset.kind;
const check = (element) => button(element, "Check").click();

beforeEach(() => localStorage.clear());

test("numbers are read as people write them", () => {
  const table = { "0.25": 0.25, "0,25": 0.25, " .25 ": 0.25, "1/4": 0.25, "25%": 0.25, "25 %": 0.25, "0,5/2": 0.25, "2.5e-1": 0.25, "−3": -3, "+3": 3, "14 080": 14080, "1.234.567": 1234567 };
  for (const [text, value] of Object.entries(table)) assert.deepEqual(readings(text), [value], text);
  assert.deepEqual(readings("14,080"), [14.08, 14080]);
  for (const text of ["", "x", "1/0", "1/2/3", "1,2,3", "--1", "1e", "%", "."]) assert.deepEqual(readings(text), [], text);
});

test("words and signs around a number are read over", () => {
  const table = { "p = 0.25": 0.25, "x=3": 3, "= 3": 3, "(3)": 3, "0.375...": 0.375, "0.375…": 0.375, "it is 3": 3, "3!": 3, "–3": -3, "minus 3": -3, three: 3, half: 0.5, "a half": 0.5, "one-half": 0.5, "two thirds": 2 / 3, "a quarter": 0.25, "1÷4": 0.25 };
  for (const [text, value] of Object.entries(table)) assert.deepEqual(readings(text), [value], text);
  for (const text of ["p", "a", "halves of 3", "p = q", "()"]) assert.deepEqual(readings(text), [], text);
});

test("mixed numbers, products and powers are read", () => {
  const table = { "1 2/3": 5 / 3, "−1 1/2": -1.5, "1⅔": 5 / 3, "½": 0.5, "14 080/2": 7040, "16*25": 400, "16 × 25": 400, "16x25/4": 100, "2^21": 2097152, "2**3": 8, "10^-2": 0.01, "1 1/2 %": 0.015 };
  for (const [text, value] of Object.entries(table)) assert.deepEqual(readings(text), [value], text);
  assert.deepEqual(readings("1 200/300"), [5 / 3, 4]); // either may be meant
  for (const text of ["1 5/3", "2^", "*3", "2^x", "3 x"]) assert.deepEqual(readings(text), [], text);
});

test("a unit is read where the question speaks of it, and percent where it asks for it", () => {
  const told = "How many apples? In GiB?";
  for (const text of ["9 apples", "9 apple", "9GiB", "9 °C", "9 degrees", "9°"]) assert.deepEqual(readings(text, told), [9], text);
  assert.deepEqual(readings("9 MiB", told), []);
  assert.deepEqual(readings("74 percent", told), [0.74]);
  assert.deepEqual(readings("74%", "How many percent?"), [0.74, 74]);
  assert.match(judgeNumber(number, "9 MiB").text, /without a unit/);
});

test("a share in percent without its sign is asked about, and a nearly right number gets fitting advice", () => {
  const says = (text) => Object.values(judgeNumber({ ...number, mistakes: [] }, text)).slice(1).join(" ");
  assert.match(says("88"), /^Did you mean 88%/);
  assert.match(says("0.9"), /^Nearly: .*one more digit/);
  assert.match(says("0.91"), /^Nearly: .*Compute it once more/);
});

test("a number is right within the tolerance, and only there", () => {
  const right = (text) => judgeNumber(number, text).right;
  assert.deepEqual(["0.88", "0,8858", "88%", "0.875", "0.9", "0"].map(right), [true, true, true, false, false, false]);
});

test("a wrong number gets the reply to its mistake, else what can be said of it", () => {
  const says = (text) => Object.values(judgeNumber(number, text)).slice(1).join(" ");
  assert.match(says("1"), /The height/);
  assert.match(says("-0.88"), /the sign is not/);
  assert.match(says("0.9"), /Nearly/);
  assert.match(says("7"), /Too large/);
  assert.match(says("-7"), /Too small/);
  assert.match(says("many"), /Write a number such as/);
  const mistakes = [{ value: 1.66667, why: "Divided once." }, { value: 1.67, why: "Rounded." }, { value: 2, why: "Two." }];
  const whole = { ...number, answer: 4, tolerance: 0, shown: "4", mistakes };
  const why = ["5/3", "1.667", "1.67", "2", "1.6", "2.001"].map((text) => judgeNumber(whole, text).text);
  const again = "Try again, or look at the answer.";
  assert.deepEqual(why, ["Divided once.", "Divided once.", "Rounded.", "Two.", again, again]); // a whole answer, slips that are not
});

test("words around a number are taken away, and two numbers are not one", () => {
  assert.deepEqual(["three", "about 3", "≈ 3", "= 3", "half", "2 out of 4", "Three apples"].map((text) => readings(text, "How many apples?")[0]), [3, 3, 3, 3, 0.5, 0.5, 3]);
  for (const text of ["3-4", "3 to 4", "3 – 4"]) assert.match(judgeNumber(number, text).text, /^Write one number/);
  for (const text of ["-0.88", "1e-3", "2^-1"]) assert.doesNotMatch(judgeNumber(number, text).text, /^Write one number/);
});

test("a whole number may be written with thousands marked", () => {
  const many = { ...number, answer: 14080, tolerance: 0, shown: "14,080", mistakes: [] };
  assert.deepEqual(["14080", "14,080", "14.080", "14 080", "14.08", "14081"].map((text) => judgeNumber(many, text).right), [true, true, true, true, false, false]);
});

test("wrong cells are counted and told apart, and a typical drawing gets its own reply", () => {
  assert.equal(judgeCells(cells, ["10", "11"]).right, true);
  const mixed = judgeCells(cells, ["11", "01"]);
  assert.deepEqual(mixed.wrong, [["", "extra"], ["missing", ""]]);
  assert.match(mixed.text, /1 missing .*, 1 too many .*The first wrong cell: query a, key b/);
  assert.equal(judgeCells(cells, ["01", "00"]).text, "The future.");
  const first = judgeCells(cells, ["11", "01"], true);
  assert.deepEqual(first.wrong, [["", ""], ["", ""]]);
  assert.match(first.text, /^1 missing, 1 too many\. Think again/);
});

test("a label that says what it is does not say it twice", () => {
  const heads = { ...cells, axes: ["head", "note"], rows: ["head 1", "Head 2"], mistakes: [] };
  assert.match(judgeCells(heads, ["10", "01"]).text, /The first wrong cell: Head 2, note a\./);
});

test("an answer chosen gets its explanation, and text stays text", () => {
  const [element] = page(choice);
  check(element);
  assert.equal(reply(element), "Choose an answer first.");
  const radios = element.querySelectorAll("input[type=radio]");
  radios[0].checked = true;
  check(element);
  assert.equal(reply(element), "No. Batch.");
  radios[1].checked = true;
  check(element);
  assert.deepEqual([reply(element), kind(element)], ["Right. Keys.", "right"]);
  assert.equal(element.querySelector("legend code").textContent, "dim");
  assert.equal(element.querySelector("b"), null);
});

test("the answer can be shown, and the question started over", () => {
  const [one, two, three] = page(number, choice, cells);
  for (const element of [one, two, three]) button(element, "Show the answer").click();
  assert.deepEqual([one, two, three].map(reply), ["The answer: 0.8808. By counting.", "The answer. Keys.", "The answer. The past."]);
  for (const element of [one, two, three]) button(element, "Start over").click();
  assert.deepEqual([one, two, three].map(reply), ["", "", ""]);
  assert.deepEqual([one.querySelector("input").value, two.querySelector(":checked"), three.querySelector("[aria-pressed=true]")], ["", null, null]);
  assert.equal(localStorage.length, 0);
});

test("cells with the same label are told apart", () => {
  const [element] = page({ ...cells, rows: ["x", "x"] });
  const names = Array.from(element.querySelectorAll(".lt-toggle"), (each) => each.getAttribute("aria-label"));
  assert.deepEqual(names, ["query x (1), key a", "query x (1), key b", "query x (2), key a", "query x (2), key b"]);
});

test("cells are switched, walked, and named; wrong ones say so", () => {
  const [element] = page(cells);
  const toggles = Array.from(element.querySelectorAll(".lt-toggle"));
  assert.deepEqual(toggles.map((each) => each.tabIndex), [0, -1, -1, -1]);
  toggles[0].focus();
  for (const key of ["ArrowRight", "ArrowDown", "ArrowDown"]) document.activeElement.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true }));
  assert.equal(document.activeElement, toggles[3]);
  toggles[1].click();
  check(element);
  assert.deepEqual(toggles.map((each) => each.dataset.wrong), ["", "", "", ""]);
  check(element);
  assert.deepEqual(toggles.map((each) => each.getAttribute("aria-label")), ["query a, key a, missing", "query a, key b, extra", "query b, key a, missing", "query b, key b, missing"]);
  toggles[1].click();
  assert.equal(toggles[1].getAttribute("aria-label"), "query a, key b");
  assert.equal(toggles[1].getAttribute("aria-pressed"), "false");
});

test("answers are remembered for the page, judged again, and forgotten when told", () => {
  let [one, two] = page(number, cells);
  assert.equal(document.querySelector(".lt-forget").hidden, true);
  enter(one.querySelector("input"), "1");
  check(one);
  button(two, "Show the answer").click();
  [one, two] = page(number, cells);
  assert.equal(one.querySelector("input").value, "1");
  assert.match(reply(one), /The height/);
  assert.deepEqual([reply(two), kind(two)], ["The answer. The past.", "shown"]);
  button(document.querySelector(".lt-forget"), "Forget my answers").click();
  assert.deepEqual([reply(one), reply(two), localStorage.length], ["", "", 0]);
  [one, two] = page(number, cells);
  assert.deepEqual([reply(one), reply(two)], ["", ""]);
});

test("what is remembered but makes no sense is passed over", () => {
  for (const kept of ["no json", "[]", "null", '{"n":[7,false],"m":[["1"],false],"c":[9,false]}', '{"n":"x","c":[-1],"m":[5]}']) {
    localStorage.setItem("attention-live answers /page.html", kept);
    assert.deepEqual(page(number, cells, choice).map((element) => [element.classList.contains("lt-mounted"), reply(element)]), [[true, ""], [true, ""], [true, ""]], kept);
  }
});

test("a browser that keeps nothing does not stand in the way", () => {
  const before = globalThis.localStorage;
  const refuse = () => {
    throw new Error("SecurityError");
  };
  globalThis.localStorage = /** @type {any} */ ({ getItem: refuse, setItem: refuse, removeItem: refuse });
  try {
    const memory = createMemory("/x");
    memory.set("a", 1);
    assert.deepEqual([memory.get("a"), memory.get("toString")], [1, null]);
    memory.forget();
    assert.equal(memory.any(), false);
  } finally {
    globalThis.localStorage = before;
  }
});

test("a question that the script does not know stays as it was stored", () => {
  const before = console.error;
  const told = [];
  console.error = (...parts) => told.push(parts.join(" "));
  const [strange, known] = page({ ...number, version: 2 }, choice);
  console.error = before;
  assert.equal(strange.querySelector("script")?.type, "application/json");
  assert.ok(known.classList.contains("lt-mounted"));
  assert.match(told.join(), /stays as it was stored/);
});

test("a drag paints cells with what its first cell became, and one click is one switch", async () => {
  const [element] = page({ ...cells, rows: ["a"], cols: ["a", "b"], answer: ["11"], mistakes: [] });
  const [first, second] = element.querySelectorAll(".lt-toggle");
  const event = (type, more = {}) => Object.assign(new window.Event(type, { bubbles: true }), { button: 0, buttons: 1, pointerId: 1, clientX: 0, clientY: 0, ...more });
  const state = () => [first, second].map((each) => each.getAttribute("aria-pressed"));
  document.elementFromPoint = () => second;
  first.dispatchEvent(event("pointerdown"));
  first.dispatchEvent(event("pointermove"));
  assert.deepEqual(state(), ["true", "true"]);
  first.dispatchEvent(event("pointerup", { buttons: 0 }));
  first.click(); // what a browser sends after it
  assert.deepEqual(state(), ["true", "true"]);
  await settle();
  first.dispatchEvent(event("pointerdown"));
  first.dispatchEvent(event("pointerup", { buttons: 0 }));
  first.click();
  assert.deepEqual(state(), ["false", "true"]);
});
