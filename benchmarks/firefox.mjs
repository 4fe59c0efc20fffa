// Drives Firefox over WebDriver BiDi: opens the pages it is told on standard input, tries the live figures at
// the given settings, answers a question, edits and runs a cell, and writes one line of JSON for each visit.

import { readFileSync } from "node:fs";
import puppeteer from "puppeteer-core";

/** @type {{program: string, wake: string, attempt: string, edit: string, visits: any[]}} */
const { program, wake, attempt, edit, visits } = JSON.parse(readFileSync(0, "utf8"));

const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath: program,
  headless: true,
  // a browser that is only looked at by this program asks nobody for updates
  extraPrefsFirefox: { "app.update.enabled": false, "extensions.update.enabled": false, "browser.region.update.enabled": false },
});

/**
 * Moves the first slider of a figure that a reader can move, with the keyboard as they do.
 * @param {import("puppeteer-core").Page} page
 * @param {string} name
 */
async function press(page, name) {
  /** @type {any} */
  let slider = null;
  for (const each of await page.$$(`figure.livetorch[data-name="${name}"] input[type="range"]:enabled`)) {
    const seen = await each.evaluate((input) => {
      input.closest("details:not([open])")?.setAttribute("open", "");
      return input.checkVisibility({ visibilityProperty: true });
    });
    if (seen) slider ??= each;
  }
  if (!slider) return null;
  const before = await slider.evaluate((input) => input.value);
  for (const key of ["ArrowRight", "ArrowLeft"]) {
    await slider.focus();
    await page.keyboard.press(key);
    if ((await slider.evaluate((input) => input.value)) !== before) {
      return (await page.evaluate(`(${attempt})(${JSON.stringify([name, [[]]])})`))[0];
    }
  }
  return "no key moves the slider";
}

/**
 * Types the answer of a question that asks for a number; gives how the page judges it.
 * @param {import("puppeteer-core").Page} page
 * @param {{name: string, shown: string} | null} question
 */
async function answer(page, question) {
  if (!question) return null;
  const card = await page.$(`.lt-question[data-name="${question.name}"]`);
  const input = await card?.$("input");
  if (!card || !input) return "not on the page";
  await input.focus();
  await page.keyboard.type(question.shown);
  await page.keyboard.press("Enter");
  return card.$eval(".lt-reply", (reply) => reply.dataset.kind ?? "no reply");
}

/** @param {any} visit */
async function open({ page: name, scheme, home, settings, question, edit: given }) {
  const page = await browser.newPage();
  const errors = [];
  const foreign = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => /^(data:|blob:|about:)/.test(request.url()) || request.url().startsWith(home) || foreign.push(request.url()));
  await page.evaluateOnNewDocument(() => {
    globalThis.refused = [];
    document.addEventListener("securitypolicyviolation", (event) => globalThis.refused.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  const found = { page: name, scheme, figures: {}, question: null, edited: null };
  try {
    await page.goto(`${home}/${name}.html`, { waitUntil: "load" });
    await page.waitForSelector("html:not([data-scripted]), html[data-awake]"); // scripts come after the first paint
    found.names = await page.evaluate(`(${wake})()`);
    for (const [figure, drawn] of Object.entries(settings)) {
      // the first try is the figure as it opens
      const tries = await page.evaluate(`(${attempt})(${JSON.stringify([figure, [[], ...drawn]])})`);
      found.figures[figure] = { tries, pressed: await press(page, figure) };
    }
    found.question = await answer(page, question);
    if (given) found.edited = await page.evaluate(`(${edit})(${JSON.stringify(given)})`);
    errors.push(...(await page.evaluate("globalThis.refused")));
  } catch (error) {
    errors.push(String(error));
  }
  await page.close();
  return { ...found, errors, foreign };
}

console.log(JSON.stringify({ version: await browser.version() }));
for (const visit of visits) console.log(JSON.stringify(await open(visit)));
await browser.close();
