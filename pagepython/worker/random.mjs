/**
 * The random numbers that torch draws on a cpu: the generator MT19937, and how numbers are made of its words.
 */

const N = 624;
const M = 397;
const DEFAULT = 67280421310721;

export class Generator {
  constructor(seed = DEFAULT) {
    this.words = new Uint32Array(N);
    this.place = N;
    /** @type {number|null} the second normal number of a pair */
    this.spare = null;
    this.seed(seed);
  }

  /** Begins anew. @param {number} low the lower 32 bits of the seed count */
  seed(low) {
    const { words } = this;
    words[0] = low % 2 ** 32;
    for (let k = 1; k < N; k += 1) words[k] = Math.imul(1812433253, words[k - 1] ^ (words[k - 1] >>> 30)) + k;
    this.place = N;
    this.spare = null;
  }

  /** @returns {Generator} */
  copy() {
    const made = new Generator(0);
    made.words.set(this.words);
    made.place = this.place;
    made.spare = this.spare;
    return made;
  }

  refill() {
    const { words } = this;
    for (let k = 0; k < N; k += 1) {
      const y = (words[k] & 0x80000000) | (words[(k + 1) % N] & 0x7fffffff);
      words[k] = words[(k + M) % N] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.place = 0;
  }

  /** The next word of 32 bits. */
  next() {
    if (this.place >= N) this.refill();
    let y = this.words[this.place++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** A number between 0 and 1 with 24 bits. */
  float() {
    return (this.next() & 0xffffff) / 2 ** 24;
  }

  /** A number between 0 and 1 with 53 bits. */
  double() {
    const high = this.next();
    return ((high & 0x1fffff) * 2 ** 32 + this.next()) / 2 ** 53;
  }
}

/**
 * Fills a stretch with numbers between 0 and 1.
 * @param {Generator} generator @param {Float64Array} out @param {number} from @param {number} to @param {string} dtype
 */
function even(generator, out, from, to, dtype) {
  const isDouble = dtype === "float64";
  for (let k = from; k < to; k += 1) out[k] = isDouble ? generator.double() : generator.float();
  return out;
}

/** @type {Record<string, number>} */
const ONE = { float16: 1 - 2 ** -12, bfloat16: 1 - 2 ** -9 }; // from here on a number would be rounded to 1

/**
 * Numbers between 0 and 1, as a type has them: below 1.
 * @param {Generator} generator @param {number} count @param {string} dtype
 */
export function uniforms(generator, count, dtype) {
  const made = even(generator, new Float64Array(count), 0, count, dtype);
  return dtype in ONE ? made.map((x) => (x >= ONE[dtype] ? 0 : x)) : made;
}

/** Makes 16 normal numbers of 16 uniform ones, in place: eight radii, eight angles. @param {Float64Array} u @param {number} at */
function block(u, at) {
  for (let k = at; k < at + 8; k += 1) {
    const radius = Math.sqrt(-2 * Math.log(1 - u[k]));
    const angle = 2 * Math.PI * u[k + 8];
    u[k] = radius * Math.cos(angle);
    u[k + 8] = radius * Math.sin(angle);
  }
}

/**
 * Normal numbers: 16 and more in blocks, fewer in pairs, as torch makes them; in pairs where memory has another order.
 * @param {Generator} generator @param {number} count @param {string} dtype @param {boolean} [inPairs]
 */
export function normals(generator, count, dtype, inPairs = false) {
  if (count >= 16 && !inPairs) {
    const drawn = dtype.endsWith("16") ? count - (count % 16) : count; // what the last block replaces is not drawn there
    const made = even(generator, new Float64Array(count), 0, drawn, dtype);
    for (let at = 0; at + 16 <= count; at += 16) block(made, at);
    if (count % 16) {
      even(generator, made, count - 16, count, dtype);
      block(made, count - 16);
    }
    return made;
  }
  return Float64Array.from({ length: count }, () => {
    if (generator.spare !== null) {
      const kept = generator.spare;
      generator.spare = null;
      return kept;
    }
    const angle = 2 * Math.PI * generator.double();
    const radius = Math.sqrt(-2 * Math.log1p(-generator.double()));
    generator.spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  });
}

/**
 * Whole numbers from `low` up to `low + span`.
 * @param {Generator} generator @param {number} count @param {number} low @param {number} span
 */
export function integers(generator, count, low, span) {
  const wide = span >= 2 ** 28;
  return Float64Array.from({ length: count }, () => {
    if (!wide) return low + (generator.next() % span);
    const high = BigInt(generator.next());
    return low + Number(((high << 32n) | BigInt(generator.next())) % BigInt(span));
  });
}

/** The numbers below `count` in a random order. @param {Generator} generator @param {number} count */
export function shuffled(generator, count) {
  const order = Float64Array.from({ length: count }, (_, k) => k);
  for (let k = 0; k < count - 1; k += 1) {
    const other = k + (generator.next() % (count - k));
    [order[k], order[other]] = [order[other], order[k]];
  }
  return order;
}
