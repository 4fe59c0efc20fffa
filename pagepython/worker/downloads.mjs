/**
 * What Python needs, as it comes from the site. The large parts are stored compressed, so that they are small on every
 * host, and are taken apart here while they come.
 */

/** @typedef {{url: string, size: number}} Part */

/**
 * A part's content; `told` hears of each piece.
 * @param {Part} part @param {string} base @param {(bytes: number) => void} told
 */
async function fetchPart({ url, size }, base, told) {
  const response = await fetch(new URL(url, base));
  if (!response.ok || !response.body) throw new Error(`${url} could not be loaded: ${response.status} ${response.statusText}`);
  let left = size;
  const count = new TransformStream({
    transform(chunk, out) {
      const seen = Math.min(left, chunk.length);
      left -= seen;
      if (seen) told(seen);
      out.enqueue(chunk);
    },
  });
  return response.body.pipeThrough(count);
}

const unpacked = (/** @type {ReadableStream} */ stream) => stream.pipeThrough(/** @type {any} */ (new DecompressionStream("gzip")));

/** Takes apart what ../build/bytecode.mjs has packed. @param {ArrayBuffer} buffer @returns {Record<string, Uint8Array>} */
export function filesOf(buffer) {
  const bytes = new Uint8Array(buffer);
  let from = bytes.indexOf(10) + 1;
  /** @type {Record<string, number>} */
  const lengths = JSON.parse(new TextDecoder().decode(bytes.subarray(0, from)));
  return Object.fromEntries(Object.entries(lengths).map(([path, length]) => [path, bytes.subarray(from, (from += length))]));
}

/**
 * Fetches the parts, all at once.
 * @param {Record<string, Part>} parts @param {string} base
 * @param {(bytes: number) => void} told
 */
export async function fetchParts(parts, base, told) {
  const get = (/** @type {string} */ name) => fetchPart(parts[name], base, told);
  const script = new URL(parts.script.url, base).href;
  const [wasm, library, contents, module] = await Promise.all([
    get("wasm"),
    get("library"),
    get("contents"),
    import(script).then((made) => {
      told(parts.script.size);
      return made.default;
    }),
  ]);
  /** @type {Record<string, Response>} */
  const answers = {
    "pyodide.asm.wasm": new Response(unpacked(wasm), { headers: { "Content-Type": "application/wasm" } }),
    "python_stdlib.zip": new Response(library),
  };
  return {
    module,
    files: new Response(unpacked(contents)).arrayBuffer().then(filesOf),
    /** What stands for a file that Pyodide asks for. @param {string} url */
    fetched: (url) => answers[url.replace(/.*\//, "")],
  };
}
