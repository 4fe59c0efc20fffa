/** The live figures that the notebooks store, whole: with the constants that lie beside their notebook. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../notebooks/", import.meta.url));
const FIGURE = /<figure class="livetorch".*?<script type="application\/json">(.*?)<\/script>/gs;

/** What a file beside a notebook hands to a page. @param {string} url */
const constants = (url) => JSON.parse(readFileSync(folder + url, "utf8").replace(/^[^,]*,/, "").replace(/\);\n$/, ""));

/** A figure's JSON with the constants that lie beside the notebook. @param {string} html @param {string} json */
function whole(html, json) {
  const urls = html.match(/^[^>]* data-pool="([^"]*)"/)?.[1].split(" ");
  return urls ? { ...JSON.parse(json), pool: urls.flatMap(constants) } : JSON.parse(json);
}

/** The figures of a notebook, as their cells store them. @param {string} file */
function figuresOf(file) {
  const { cells } = JSON.parse(readFileSync(folder + file, "utf8"));
  const pages = cells.flatMap((/** @type {any} */ { outputs = [] }) => outputs.map((/** @type {any} */ { data }) => [data?.["text/html"] ?? ""].flat().join("")));
  return pages.flatMap((/** @type {string} */ page) => [...page.matchAll(FIGURE)].map(([html, json]) => whole(html, json)));
}

/** @type {{file: string, spec: any}[]} each figure of each notebook */
export const figures = readdirSync(folder)
  .filter((name) => name.endsWith(".ipynb"))
  .flatMap((file) => figuresOf(file).map((spec) => ({ file, spec })));
