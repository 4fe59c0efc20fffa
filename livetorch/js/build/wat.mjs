// WebAssembly's text as a tree, and functions of it written out where they are called: not every engine does that itself.

/** @typedef {string | Tree[]} Tree */

/** @param {string} text @returns {Tree[]} */
function parse(text) {
  const plain = text.replace(/;;.*$/gm, "");
  /** @type {Tree[][]} */
  const open = [[]];
  for (const [word] of plain.matchAll(/[()]|"[^"]*"|[^\s()]+/g)) {
    if (word === "(") open.push([]);
    else if (word === ")") {
      const done = /** @type {Tree[]} */ (open.pop());
      open[open.length - 1].push(done);
    } else open[open.length - 1].push(word);
  }
  return open[0];
}

/** @param {Tree} tree @returns {string} */
const written = (tree) => (Array.isArray(tree) ? `(${tree.map(written).join(" ")})` : tree);

/** @param {Tree} tree @param {string} head */
const isA = (tree, head) => Array.isArray(tree) && tree[0] === head;

/** @param {Tree} tree @param {string} name @returns {Tree} its locals under names of their own */
const renamed = (tree, name) =>
  Array.isArray(tree)
    ? tree.map((part, i) =>
        i > 0 && typeof part === "string" && /^(local\.(get|set|tee)|param|local)$/.test(String(tree[0])) && part[0] === "$"
          ? `${name}${part.slice(1)}`
          : renamed(part, name),
      )
    : tree;

/**
 * A module in which each call of a function that is not exported is replaced by what the function does.
 * @param {string} text @returns {string}
 */
export function inlined(text) {
  const [module] = /** @type {Tree[][]} */ (parse(text));
  /** @type {Map<string, Tree[]>} */
  const helpers = new Map();
  const rest = [];
  for (const part of module) {
    if (isA(part, "func") && typeof part[1] === "string") helpers.set(part[1], /** @type {Tree[]} */ (part));
    else rest.push(part);
  }
  let calls = 0;
  /** @param {Tree} tree @param {Tree[]} locals @returns {Tree} */
  const open = (tree, locals) => {
    if (!Array.isArray(tree)) return tree;
    const found = tree[0] === "call" ? helpers.get(String(tree[1])) : undefined;
    if (!found) return tree.map((part) => open(part, locals));
    calls += 1;
    const [, , ...parts] = /** @type {Tree[]} */ (renamed(found, `$_${calls}`));
    const [param] = parts.filter((part) => isA(part, "param"));
    locals.push(["local", ...param.slice(1)], ...parts.filter((part) => isA(part, "local")));
    const body = parts.filter((part) => !["param", "local", "result"].some((head) => isA(part, head)));
    const result = parts.filter((part) => isA(part, "result"));
    return ["block", ...result, ["local.set", param[1], open(tree[2], locals)], ...body.map((part) => open(part, locals))];
  };
  const done = rest.map((part) => {
    if (!isA(part, "func")) return part;
    /** @type {Tree[]} */
    const locals = [];
    const whole = /** @type {Tree[]} */ (open(part, locals));
    const at = whole.findLastIndex((each) => ["func", "export", "param", "local"].some((head) => isA(each, head) || each === head)) + 1;
    return [...whole.slice(0, at), ...locals, ...whole.slice(at)];
  });
  return written(done);
}
