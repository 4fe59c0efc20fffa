// Reads texts as a page does: one JSON of {tokenizer, special, texts} in, one of [ids, ...] out.
import { readFileSync } from "node:fs";
import { read } from "../../../livetorch/js/parts/tokenizer.mjs";

const { readings, texts } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(readings.map((/** @type {any} */ reading) => texts.map((/** @type {string} */ text) => read(reading, text)))));
