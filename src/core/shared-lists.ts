/**
 * Lists of integers that begin alike. Rows of tokens share a long prompt: its numbers are held once, its text in JSON
 * is made once, and each list holds only its own rest.
 *
 * Readers that know nothing of shared lists see plain arrays: an object with an attached list has a property that makes
 * the array when it is read.
 */

/** Numbers with which many lists begin. */
export class SharedStart {
  readonly values: Int32Array;
  readonly #lowest: number;
  readonly #largest: number;
  #text: Buffer | undefined;
  #zeros: Buffer | undefined;

  constructor(values: Int32Array) {
    this.values = values;
    let [lowest, largest] = [0, 0];
    for (const value of values) {
      if (value < lowest) lowest = value;
      if (value > largest) largest = value;
    }
    this.#lowest = lowest;
    this.#largest = largest;
  }

  get length(): number {
    return this.values.length;
  }

  /** The numbers as in JSON, separated by commas and without brackets. */
  get text(): Buffer {
    this.#text ??= integersToText(this.values);
    return this.#text;
  }

  /** As many zeros as there are numbers, written in the same way. */
  get zeros(): Buffer {
    this.#zeros ??= Buffer.from(new Uint8Array(this.length).join(","));
    return this.#zeros;
  }

  /** Tells whether all numbers are from 0 to `limit - 1`. */
  isBelow(limit: number): boolean {
    return this.#lowest >= 0 && this.#largest < limit;
  }
}

/** A list: a shared beginning, if it has one, and the rest. A list does not change. */
export class SharedList {
  readonly start: SharedStart | undefined;
  readonly rest: Int32Array;

  constructor(start: SharedStart | undefined, rest: Int32Array) {
    this.start = start;
    this.rest = rest;
  }

  get length(): number {
    return (this.start?.length ?? 0) + this.rest.length;
  }

  /** Tells whether all numbers are from 0 to `limit - 1`. */
  isBelow(limit: number): boolean {
    if (this.start?.isBelow(limit) === false) return false;
    const { rest } = this;
    for (let i = 0; i < rest.length; i++) if (rest[i]! < 0 || rest[i]! >= limit) return false;
    return true;
  }

  toArray(): number[] {
    return joinArrays(this.start?.values, this.rest);
  }

  /** The numbers as in JSON, without brackets, in parts that follow each other. */
  textParts(): Buffer[] {
    return joinTexts(this.start?.text, integersToText(this.rest));
  }
}

/** Returns the two texts with a comma between them, unless one of them is empty. */
export function joinTexts(start: Buffer | undefined, rest: Buffer): Buffer[] {
  if (start === undefined || start.length === 0) return [rest];
  return rest.length === 0 ? [start] : [start, COMMA, rest];
}

const COMMA = Buffer.from(",");
const [COMMA_BYTE, MINUS_BYTE, ZERO_BYTE] = Buffer.from(",-0");
/** The digits of a 32-bit integer, its sign and a comma. */
const MAX_INTEGER_BYTES = 12;
const MAX_SCRATCH = 1 << 20;
let scratch = Buffer.alloc(0);

/**
 * Returns integers of 32 bits as in JSON, separated by commas and without brackets. A run writes its rows again with
 * every turn, and this takes a small part of the time of `join`.
 */
export function integersToText(values: Int32Array | Uint8Array): Buffer {
  const most = MAX_INTEGER_BYTES * values.length;
  if (most > MAX_SCRATCH) return Buffer.from(values.join(","));
  if (scratch.length < most) scratch = Buffer.alloc(Math.min(MAX_SCRATCH, 2 * most));
  let at = scratch.length;
  for (let i = values.length - 1; i >= 0; i--) {
    let rest = Math.abs(values[i]!);
    do {
      const tenth = Math.floor(rest / 10);
      scratch[--at] = ZERO_BYTE! + rest - 10 * tenth;
      rest = tenth;
    } while (rest > 0);
    if (values[i]! < 0) scratch[--at] = MINUS_BYTE!;
    if (i > 0) scratch[--at] = COMMA_BYTE!;
  }
  return Buffer.from(scratch.subarray(at));
}

/** Returns a plain array of both lists. */
export function joinArrays<T extends ArrayLike<number>>(start: T | undefined, rest: T): number[] {
  const from = start?.length ?? 0;
  const all = new Array<number>(from + rest.length);
  for (let i = 0; i < from; i++) all[i] = start![i]!;
  for (let i = 0; i < rest.length; i++) all[from + i] = rest[i]!;
  return all;
}

/** A shorter common beginning is not worth sharing. */
const MIN_START = 256;
/** By how much a new common beginning must be longer than a known one. */
const MIN_GAIN = 128;
const MAX_STARTS = 16;
const MAX_RECENT = 2;

/** Finds what lists begin with alike, by comparison with the beginnings of earlier lists. */
export class StartFinder {
  #starts: SharedStart[] = [];
  #recent: Int32Array[] = [];

  /**
   * Returns the longest known beginning of the list, of at most `limit` numbers. The second of two lists with a common
   * beginning makes it known.
   */
  find(list: ArrayLike<number>, limit: number = list.length): SharedStart | undefined {
    let best: SharedStart | undefined;
    for (const start of this.#starts) {
      const isLonger = start.length > (best?.length ?? 0) && start.length <= limit;
      if (isLonger && countCommon(start.values, list) === start.length) best = start;
    }
    const common = Math.min(limit, Math.max(0, ...this.#recent.map((r) => countCommon(r, list))));
    if (common >= MIN_START && common >= (best?.length ?? 0) + MIN_GAIN) {
      best = new SharedStart(Int32Array.from({ length: common }, (_, i) => list[i]!));
      this.#starts = [best, ...this.#starts].slice(0, MAX_STARTS);
    } else if (best !== undefined) {
      this.#starts = [best, ...this.#starts.filter((start) => start !== best)];
    }
    if (limit >= MIN_START) {
      const recent = Int32Array.from({ length: limit }, (_, i) => list[i]!);
      this.#recent = [recent, ...this.#recent].slice(0, MAX_RECENT);
    }
    return best;
  }
}

function countCommon(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const most = Math.min(a.length, b.length);
  for (let i = 0; i < most; i++) if (a[i] !== b[i]) return i;
  return most;
}

const attached = new WeakMap<object, SharedList>();

/** Arrays that were made last, so that a reader in a loop does not make one for each read. */
const made: { readonly key: object; readonly array: unknown }[] = [];
const MAX_MADE = 12;

/** Adds a property to an object whose value, an array, is made when it is read. */
export function defineLazyArray<T>(object: object, name: string, make: () => T[]): void {
  const key = make;
  const get = (): T[] => {
    const known = made.find((entry) => entry.key === key);
    if (known) return known.array as T[];
    const array = make();
    made.unshift({ key, array });
    if (made.length > MAX_MADE) made.pop();
    return array;
  };
  Object.defineProperty(object, name, { enumerable: true, configurable: true, get });
}

/** Returns the object with the property `tokens`, a plain array that is made from the list when it is read. */
export function attachList<T extends object>(
  object: T,
  list: SharedList,
): T & { readonly tokens: readonly number[] } {
  defineLazyArray(object, "tokens", () => list.toArray());
  attached.set(object, list);
  return object as T & { readonly tokens: readonly number[] };
}

/** Returns the list that was attached to this object. */
export function findList(object: object): SharedList | undefined {
  return attached.get(object);
}

/** Returns a copy with other values of some properties. A list stays attached. */
export function copyWithList<T extends object>(object: T, change: Partial<T>): T {
  const list = attached.get(object);
  if (list === undefined) return { ...object, ...change };
  const { tokens: _, ...descriptors } = Object.getOwnPropertyDescriptors(object) as Record<
    string,
    PropertyDescriptor
  >;
  return attachList({ ...Object.defineProperties({}, descriptors), ...change } as T, list);
}
