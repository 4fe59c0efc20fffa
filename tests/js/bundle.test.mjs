import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { Path as D3Path } from "d3-path";

import { bundle } from "../../attn_helpers/live/js/build.mjs";
import { Path } from "../../attn_helpers/live/js/d3_parts.mjs";

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

test("what the bundle holds in place of d3's parts writes paths as d3 does", () => {
  const [ours, theirs] = [new Path(3), new D3Path(3)];
  for (const path of [ours, theirs]) {
    path.moveTo(1, 2.00049);
    path.lineTo(-3.14159, 1e3);
    path.closePath();
  }
  assert.equal(String(ours), String(theirs));
});

test("no view calls a method of d3's selections that the bundle leaves out", () => {
  const names = readFileSync(join(root, "attn_helpers/live/js/build.mjs"), "utf8").match(/const methods = "([^"]+)"/)?.[1].split(" ") ?? [];
  const folder = join(root, "attn_helpers/live/js/views");
  const sources = [join(root, "node_modules/d3-axis/src/axis.js"), ...readdirSync(folder).map((name) => join(folder, name))];
  const called = (/** @type {string} */ text) => names.filter((name) => new RegExp(`[\\w)]\\s*\\.${name}\\(`).test(text));
  assert.ok(names.length > 10);
  assert.deepEqual(sources.flatMap((path) => called(readFileSync(path, "utf8"))), []);
});
