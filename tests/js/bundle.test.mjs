import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { bundle } from "../../attn_helpers/live/js/build.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "attn_helpers/live/js/dist");
const files = ["attention-live.js", "attention-live.css"];

test("the committed bundle is what the sources build, byte for byte", async () => {
  const fresh = mkdtempSync(join(tmpdir(), "attention-live-"));
  try {
    await bundle(fresh);
    for (const file of files) {
      const same = readFileSync(join(fresh, file)).equals(readFileSync(join(dist, file)));
      assert.ok(same, `dist/${file} is not what the sources build: run "npm run build" and commit it.`);
    }
  } finally {
    rmSync(fresh, { recursive: true });
  }
});

test("script and style sheet together are at most 60 kB compressed", () => {
  const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0);
  assert.ok(size <= 60_000, `they are ${size} bytes`);
});

test("the bundle makes no code from text, and asks for nothing", () => {
  const script = readFileSync(join(dist, files[0]), "utf8");
  const found = script.match(/(?<!\.)\beval\s*\(|\bnew Function\b|document\.write|\bfetch\s*\(|XMLHttpRequest|\bimport\s*\(/g);
  assert.deepEqual(found, null);
});

test("our own sources never set HTML", () => {
  const folder = join(root, "attn_helpers/live/js");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".mjs"));
  const guilty = sources.filter((name) => /innerHTML|outerHTML|insertAdjacentHTML|\.html\(/.test(readFileSync(join(folder, name), "utf8")));
  assert.ok(sources.length > 20);
  assert.deepEqual(guilty, []);
});

test("the bundle names no other host", () => {
  const script = readFileSync(join(dist, files[0]), "utf8");
  const hosts = [...script.matchAll(/https?:\/\/([\w.-]+)/g)].map((match) => match[1]);
  assert.deepEqual([...new Set(hosts)].filter((host) => host !== "www.w3.org"), []);
});

test("the lock file names no place to fetch from", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const placed = Object.keys(packages).filter((name) => packages[name].resolved);
  assert.deepEqual(placed, []);
  assert.ok(Object.values(packages).some((one) => /** @type {any} */ (one).integrity));
});

test("the types in the comments fit the code", () => {
  const check = () => execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "attn_helpers/live/js/tsconfig.json"], { cwd: root, encoding: "utf8" });
  assert.equal(check(), "");
});
