// Reads [{latex, display}] from stdin, writes [{html} | {error}] to stdout.
const katex = require("./katex.min.cjs");

const formulas = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const rendered = formulas.map(({ latex, display }) => {
  try {
    const options = { displayMode: display, output: "htmlAndMathml", strict: "ignore" };
    return { html: katex.renderToString(latex, options) };
  } catch (error) {
    return { error: error.message };
  }
});
process.stdout.write(JSON.stringify(rendered));
