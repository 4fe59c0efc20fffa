// What a cell of Python binds, changes and reads: found in its text, so that a page runs only what a cell needs.
//
// Where the text does not say it (a function may change what it is given) the answer is the careful one: it changes it.

import { pythonLanguage } from "@codemirror/lang-python";

/** @typedef {import("@lezer/common").SyntaxNode} Node */
/** @typedef {{binds: Set<string>, touches: Set<string>, reads: Set<string>, later: Set<string>}} Names later: when called */

/** Numbers drawn at random hang on every number that was drawn before: one name stands for the generator. */
export const RANDOM = "random numbers";
const DRAWS = /^(rand|randn|randint|randperm|rand_like|randn_like|multinomial|bernoulli|dropout|shuffle|sample|normal_|uniform_)$/;
const LAYERS = /^(Linear|Embedding|Dropout|GRU|MultiheadAttention|\w*Attention|\w*Layer|\w*Block|Transformer\w*|Parameter)$/;
// what only looks at what it is given
const LOOKS = /^(print|display|len|explore|check|hint|solution|setup|show_\w+|ask\w*|assert_\w+|told)$/;
const COMPREHENSION = /Comprehension|GeneratorExpression/;

/** @param {Node} node */
function* children(node) {
  for (let child = node.firstChild; child; child = child.nextSibling) yield child;
}

/** @param {string} source @returns {Names} */
export function namesOf(source) {
  const found = { binds: new Set(), touches: new Set(), reads: new Set(), later: new Set() };
  /** @type {Set<string>} */
  const called = new Set();
  const text = (/** @type {Node} */ node) => source.slice(node.from, node.to);

  /** The name that an expression such as `model.weight[0]` starts with. @param {Node} node @returns {string|null} */
  const root = (node) => (node.name === "VariableName" ? text(node) : node.firstChild ? root(node.firstChild) : null);

  /** @param {string} name @param {Set<string>|null} local */
  function read(name, local) {
    if (local?.has(name)) return;
    if (local?.has("")) called.add(name);
    else if (!found.binds.has(name)) found.reads.add(name);
  }

  /** @param {Node} node @param {Set<string>|null} local @param {boolean} sure */
  function bind(node, local, sure) {
    if (node.name === "VariableName") {
      if (local) local.add(text(node));
      else (sure ? found.binds : found.touches).add(text(node));
    } else if (node.name === "MemberExpression") {
      const name = root(node);
      if (name && !local?.has(name)) found.touches.add(name);
      visit(node, local, sure);
    } else for (const child of children(node)) bind(child, local, sure);
  }

  /** What a function binds inside: those names are its own. @param {Node} node @param {Set<string>} own */
  function ownNames(node, own) {
    for (const child of children(node)) {
      if (/Assign|Update|For|With|Named/.test(node.name) && child.name === "VariableName") {
        const next = child.nextSibling?.name ?? "";
        const before = child.prevSibling?.name ?? "";
        if (/AssignOp|TypeDef|^,$|^in$|UpdateOp/.test(next) || /^(as|for|,)$/.test(before)) own.add(text(child));
      }
      if (/FunctionDefinition|ClassDefinition/.test(child.name)) {
        const name = child.getChild("VariableName");
        if (name) own.add(text(name));
      } else ownNames(child, own);
    }
    if (node.name === "TupleExpression" && /Assign|For/.test(node.parent?.name ?? "")) {
      for (const child of node.getChildren("VariableName")) own.add(text(child));
    }
  }

  /** @param {Node} node @param {Set<string>|null} local @param {boolean} sure */
  function visitFunction(node, local, sure) {
    const name = node.getChild("VariableName");
    if (name && node.name !== "LambdaExpression") bind(name, local, sure);
    const own = new Set(local ?? []).add("");
    for (const list of node.getChildren("ParamList")) {
      for (const child of children(list)) {
        if (child.name === "VariableName" && child.prevSibling?.name !== "AssignOp") own.add(text(child));
        else visit(child, local, sure);
      }
    }
    const body = node.getChild("Body");
    if (body) ownNames(body, own);
    for (const child of children(node)) {
      if (child.name !== "ParamList" && child.from !== name?.from) visit(child, own, sure);
    }
  }

  /** @param {Node} node @param {Set<string>|null} local @param {boolean} sure */
  function visitAssign(node, local, sure) {
    const signs = node.getChildren("AssignOp");
    const end = signs.length ? signs[signs.length - 1].from : node.to;
    for (const child of children(node)) if (child.from > end || child.name === "TypeDef") visit(child, local, sure);
    for (const child of children(node)) if (child.from < end && child.name !== "TypeDef") bind(child, local, sure);
  }

  /** `for x in ...`, `with ... as x`, `import x as y`: names after a word. @param {Node} node @param {Set<string>|null} local @param {boolean} sure */
  function visitNaming(node, local, sure) {
    let naming = false;
    for (const child of children(node)) {
      if (/^(for|as|import)$/.test(child.name)) naming = true;
      else if (/^(in|:)$/.test(child.name) || (child.name === "," && node.name === "WithStatement")) naming = false;
      else if (naming) bind(child, local, sure);
      else if (node.name !== "ImportStatement") visit(child, local, child.name === "Body" ? false : sure);
    }
  }

  /** A statement that is only a call: what it is given may come out changed. @param {Node} call @param {Set<string>|null} local */
  function visitCall(call, local) {
    const callee = call.firstChild;
    if (!callee) return;
    const name = root(callee);
    if (callee.name === "MemberExpression" && name && !local?.has(name)) found.touches.add(name);
    if (callee.name !== "VariableName" || LOOKS.test(text(callee))) return;
    for (const child of children(call.getChild("ArgList") ?? call)) {
      if (child.name === "VariableName" && child.nextSibling?.name !== "AssignOp" && !local?.has(text(child)))
        found.touches.add(text(child));
    }
  }

  /** @param {Node} node @param {Set<string>|null} local @param {boolean} sure whether it runs for sure */
  function visit(node, local, sure) {
    const { name } = node;
    if (name === "VariableName") {
      if (node.parent?.name !== "ArgList" || node.nextSibling?.name !== "AssignOp") read(text(node), local);
      draw(text(node));
    } else if (name === "PropertyName") draw(text(node));
    else if (name === "FunctionDefinition" || name === "LambdaExpression") visitFunction(node, local, sure);
    else if (name === "ClassDefinition") visitFunction(node, local, sure);
    else if (name === "AssignStatement") visitAssign(node, local, sure);
    else if (name === "ForStatement" || name === "WithStatement" || name === "ImportStatement") visitNaming(node, local, sure);
    else if (COMPREHENSION.test(name)) {
      const own = new Set(local ?? []);
      let naming = false;
      for (const child of children(node)) {
        if (child.name === "for") naming = true;
        else if (child.name === "in") naming = false;
        else if (naming) bind(child, own, sure);
      }
      for (const child of children(node)) visit(child, own, sure);
    } else {
      if (name === "ExpressionStatement" && node.firstChild?.name === "CallExpression") visitCall(node.firstChild, local);
      if (name === "UpdateStatement" && node.firstChild && !local) bind(node.firstChild, local, false);
      const maybe = /IfStatement|WhileStatement|TryStatement|MatchStatement/.test(name);
      for (const child of children(node)) visit(child, local, sure && !maybe);
    }
  }

  /** @param {string} name */
  function draw(name) {
    if (name === "manual_seed") found.binds.add(RANDOM);
    else if (DRAWS.test(name) || LAYERS.test(name)) {
      if (!found.binds.has(RANDOM)) found.reads.add(RANDOM);
      found.touches.add(RANDOM);
    }
  }

  visit(pythonLanguage.parser.parse(source).topNode, null, true);
  for (const name of called) if (!found.binds.has(name)) found.later.add(name);
  return found;
}
