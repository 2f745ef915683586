/**
 * Seeded randomness with named streams. There is one root seed, and every consumer derives its own stream by name.
 *
 * A stream does not depend on the draws from other streams, so an additional draw in one place never changes the draws
 * in another. `Math.random` is used nowhere in this project.
 */

/** Returns a 32-bit hash of a string and a seed (FNV-1a, then the murmur3 finaliser). */
export function hash32(text: string, seed = 0): number {
  let h = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i);
    h = Math.imul(h, 0x01000193);
  }
  return mix32(h);
}

/** Scrambles 32 bits by a bijection, the murmur3 finaliser. */
export function mix32(x: number): number {
  let h = x >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A stream of seeded draws. Equal seeds give equal draws on every machine. It is not safe for secrets. */
export class Rng {
  #state: number;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = mix32(seed);
    this.#state = this.#seed;
  }

  /** Derives an independent stream by name. The result does not depend on how many draws this stream has made. */
  child(name: string | number): Rng {
    return new Rng(hash32(String(name), this.#seed));
  }

  /** Draws a uniform integer in 0 .. 2^32 - 1 (mulberry32's increment under the murmur3 finaliser). */
  uint32(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    return mix32(this.#state);
  }

  /** Draws a uniform number in [0, 1). */
  uniform(): number {
    return this.uint32() / 2 ** 32;
  }

  /** Draws a uniform integer in [low, high], both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.uniform() * (high - low + 1));
  }

  /** Draws from the standard normal distribution (by the Box-Muller method, using one number of each pair). */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return radius * Math.cos(2 * Math.PI * this.uniform());
  }

  /** Returns true with the given probability. */
  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  /** Returns a random item. Throws when the list is empty. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error("invariant violated: pick from an empty list");
    return items[this.integer(0, items.length - 1)]!;
  }

  /** Returns a new array with the items in random order (Fisher-Yates). */
  shuffle<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.integer(0, i);
      [out[i], out[j]] = [out[j]!, out[i]!];
    }
    return out;
  }

  /** Returns `count` different items in random order. */
  sample<T>(items: readonly T[], count: number): T[] {
    return this.shuffle(items).slice(0, count);
  }
}

/**
 * Returns the random stream of a named piece of work, as an unsigned 32-bit integer. Draws depend on the seed and the
 * name alone, so the order in which work starts or finishes changes nothing.
 */
export function randomStreamId(seed: number, ...name: readonly (string | number)[]): number {
  return hash32(name.join("/"), seed);
}
