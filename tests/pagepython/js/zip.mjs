// A zip file whose entries are stored as they are.

import { crc32 } from "node:zlib";

/** @param {number[]} widths @param {number[]} values */
function fields(widths, values) {
  const buffer = Buffer.alloc(widths.reduce((sum, width) => sum + width));
  let at = 0;
  widths.forEach((width, i) => {
    at = buffer.writeUIntLE(values[i], at, width);
  });
  return buffer;
}

/** @param {Record<string, string>} files name -> text */
export function zipSync(files) {
  const [bodies, index] = [[], []];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [data, title] = [Buffer.from(text), Buffer.from(name)];
    const same = [20, 0, 0, 0, 33, crc32(data), data.length, data.length, title.length, 0];
    const widths = [2, 2, 2, 2, 2, 4, 4, 4, 2, 2];
    const body = Buffer.concat([fields([4, ...widths], [0x04034b50, ...same]), title, data]);
    index.push(fields([4, 2, ...widths, 2, 2, 2, 4, 4], [0x02014b50, 20, ...same, 0, 0, 0, 0, offset]), title);
    bodies.push(body);
    offset += body.length;
  }
  const [list, count] = [Buffer.concat(index), Object.keys(files).length];
  return Buffer.concat([...bodies, list, fields([4, 2, 2, 2, 2, 4, 4, 2], [0x06054b50, 0, 0, count, count, list.length, offset, 0])]);
}
