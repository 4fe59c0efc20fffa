import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { writeQuestions } from "../../../attn_lessons/exercises/questions/js/build.mjs";
import { root, writeEngine } from "../../../livetorch/js/build/build.mjs";

const builds = { "livetorch/built": writeEngine, "attn_lessons/exercises/questions/built": writeQuestions };
const engine = join(root, "livetorch/built/pages");
const files = (/** @type {string} */ folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name) && !name.startsWith("."));
const scripts = Object.keys(builds).flatMap((built) => files(join(root, built)).filter((name) => name.endsWith(".js")).map((name) => join(root, built, name)));

// `make js`, which every check begins with, has just built them: whether a second build gives the same is asked each week
const skip = process.env.SAMPLE_SEED !== "all";
test("the scripts that all other tests look at are what the sources build, byte for byte", { skip }, async () => {
  const fresh = mkdtempSync(join(tmpdir(), "livetorch-"));
  try {
    for (const [built, write] of Object.entries(builds)) {
      await write(join(fresh, built));
      assert.deepEqual(files(join(fresh, built)).sort(), files(join(root, built)).sort());
      for (const name of files(join(root, built))) {
        const same = readFileSync(join(fresh, built, name)).equals(readFileSync(join(root, built, name)));
        assert.ok(same, `${built}/${name} is not what the sources build: run "make js".`);
      }
    }
  } finally {
    rmSync(fresh, { recursive: true });
  }
});

test("what every figure needs, script and style sheet together, is at most 60 kB compressed", () => {
  const size = ["livetorch.js", "livetorch.css"].reduce((sum, name) => sum + gzipSync(readFileSync(join(engine, name)), { level: 9 }).length, 0);
  assert.ok(size <= 60_000, `they are ${size} bytes`);
});

test("what opens a number is at most 25 kB compressed", () => {
  const size = gzipSync(readFileSync(join(engine, "livetorch-open.js")), { level: 9 }).length;
  assert.ok(size <= 25_000, `it is ${size} bytes`);
});

test("the core knows each part by the digest of its file", () => {
  const core = readFileSync(join(engine, "livetorch.js"), "utf8");
  const parts = readdirSync(engine).filter((name) => /^livetorch-.*\.js$/.test(name));
  assert.ok(parts.length >= 2);
  for (const name of parts) {
    const digest = createHash("sha256").update(readFileSync(join(engine, name))).digest("hex").slice(0, 8);
    assert.ok(core.includes(`${name}?v=${digest}`), name);
  }
});

test("what the core holds is in no part again, but for the worker, which has no page to take it from", () => {
  for (const name of readdirSync(engine).filter((each) => /^livetorch-(?!worker).*\.js$/.test(each))) {
    const part = readFileSync(join(engine, name), "utf8");
    assert.ok(!part.includes("cannot multiply matrices") && !part.includes("This page's script"), name);
  }
});

test("the bundles make no code from text, and ask for nothing but their parts, by a script element", () => {
  for (const path of scripts) {
    const found = readFileSync(path, "utf8").match(/(?<!\.)\beval\s*\(|\bnew Function\b|document\.write|\bfetch\s*\(|XMLHttpRequest|\bimport\s*\(/g);
    assert.deepEqual(found, null, path);
  }
});

test("our own sources never set HTML", () => {
  const folders = ["livetorch/js", "pagepython/editing", "pagepython/worker", "pagepython/static"];
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.m?js$/.test(name))
      .map((name) => join(folder, name)),
  );
  const guilty = sources.filter((name) => /innerHTML|outerHTML|insertAdjacentHTML|\.html\(/.test(readFileSync(join(root, name), "utf8")));
  assert.ok(sources.length > 20);
  assert.deepEqual(guilty, []);
});

test("the bundles name no other host", () => {
  for (const path of scripts) {
    const hosts = [...readFileSync(path, "utf8").matchAll(/https?:\/\/([\w.-]+)/g)].map((match) => match[1]);
    assert.deepEqual([...new Set(hosts)].filter((host) => host !== "www.w3.org"), [], path);
  }
});

test("no lock file names a place to fetch from", () => {
  for (const folder of ["", "benchmarks"]) {
    const { packages } = JSON.parse(readFileSync(join(root, folder, "package-lock.json"), "utf8"));
    const placed = Object.keys(packages).filter((name) => packages[name].resolved);
    assert.deepEqual(placed, []);
    assert.ok(Object.values(packages).some((one) => /** @type {any} */ (one).integrity));
  }
});
