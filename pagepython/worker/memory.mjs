/**
 * How much memory Python may take: a cell that makes lists without end gets a MemoryError, and the reader's machine goes on.
 */

const PAGE = 65536;
export const MOST = 2 ** 30;

/** Lets no memory of WebAssembly grow beyond `most` bytes. */
export function boundMemory(most = MOST) {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function bounded(pages) {
    if (this.buffer.byteLength + Number(pages) * PAGE > most) throw new RangeError("the page's Python has no more room");
    return grow.call(this, pages);
  };
}
