// Lines of code of every function in the files that are named, closures included: [file, name, lines], without blank lines and comments.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { parse } = createRequire(createRequire(import.meta.url).resolve("terser"))("acorn"); // the parser that the build brings

/** @param {string} file */
function* functionsOf(file) {
  const text = readFileSync(file, "utf8");
  /** @type {any[]} */
  const comments = [];
  const tree = parse(text, { ecmaVersion: "latest", sourceType: "module", locations: true, onComment: comments, allowHashBang: true });
  const lines = text.split("\n");
  for (const { loc } of comments) {
    for (let i = loc.start.line; i <= loc.end.line; i += 1) {
      const [from, to] = [i === loc.start.line ? loc.start.column : 0, i === loc.end.line ? loc.end.column : lines[i - 1].length];
      lines[i - 1] = lines[i - 1].slice(0, from).padEnd(to) + lines[i - 1].slice(to);
    }
  }
  /** @param {any} node @param {string} name @returns {Generator<[string, string, number]>} */
  function* walk(node, name = "") {
    if (Array.isArray(node)) for (const one of node) yield* walk(one, name);
    if (!node || typeof node.type !== "string") return;
    if (/Function/.test(node.type)) {
      const { start, end } = node.loc;
      yield [file, node.id?.name ?? name, lines.slice(start.line - 1, end.line).filter((line) => line.trim()).length];
    }
    const own = node.type === "VariableDeclarator" ? node.id.name : /Property|MethodDefinition/.test(node.type) ? node.key?.name : undefined;
    for (const [key, child] of Object.entries(node)) if (key !== "loc") yield* walk(child, own ?? "");
  }
  yield* walk(tree);
}

console.log(JSON.stringify(process.argv.slice(2).flatMap((file) => [...functionsOf(file)])));
