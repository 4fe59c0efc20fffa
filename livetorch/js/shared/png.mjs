// A matrix of colour levels as a PNG with a palette, stored without compression: the same bytes with every zlib.

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

/** @param {number[]} bytes */
function crc32(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = crcTable[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** @param {number[]} bytes */
function adler32(bytes) {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return ((b << 16) | a) >>> 0;
}

const four = (/** @type {number} */ x) => [x >>> 24, (x >>> 16) & 255, (x >>> 8) & 255, x & 255];
const pair = (/** @type {number} */ x) => [x & 255, x >>> 8];

/** @param {string} name @param {number[]} body */
function chunk(name, body) {
  const named = [...name].map((letter) => letter.charCodeAt(0)).concat(body);
  return [...four(body.length), ...named, ...four(crc32(named))];
}

const BLOCK = 65535; // the longest that one stored block holds

/**
 * The data URL of the image.
 * @param {number[]} levels row after row
 * @param {string[]} colours of each level, as #rrggbb
 * @param {number} rows @param {number} cols
 */
export function palettePng(levels, colours, rows, cols) {
  const lines = Array.from({ length: rows }, (_, r) => [0, ...levels.slice(r * cols, (r + 1) * cols)]).flat();
  const stored = [];
  for (let at = 0; at < lines.length; at += BLOCK) {
    const block = lines.slice(at, at + BLOCK);
    stored.push(Number(at + BLOCK >= lines.length), ...pair(block.length), ...pair(block.length ^ 0xffff));
    for (const byte of block) stored.push(byte);
  }
  const palette = colours.flatMap((colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)));
  const bytes = [
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    chunk("IHDR", [...four(cols), ...four(rows), 8, 3, 0, 0, 0]),
    chunk("PLTE", palette),
    chunk("IDAT", [0x78, 0x01, ...stored, ...four(adler32(lines))]),
    chunk("IEND", []),
  ].flat();
  return `data:image/png;base64,${btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""))}`;
}
