/**
 * What a list shows of a rollout, read from its line without parsing it: most of a line is tokens and turns, of which a list
 * needs counts alone. The cursor walks the top level of the object once and jumps over the rest; only the small values
 * (id, task, evaluation, failure) are parsed. Bytes of no rollout throw, whatever they are.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const ONE = 0x31;

/** JSON values are text still, as they stand there. */
export interface ScannedLine {
  /** `id`, `task`, `index`, `outcome`, `evaluation`, `failure`: those that are there. */
  readonly values: ReadonlyMap<string, string>;
  readonly turns: number;
  /** Sampled tokens of all rows. */
  readonly sampled: number;
}

const WANTED = new Set(["id", "task", "index", "outcome", "evaluation", "failure", "advantage"]);

/** Throws where `bytes[start, end)` is no object. */
export function scanLine(bytes: Buffer, start: number, end: number): ScannedLine {
  const values = new Map<string, string>();
  const cursor = new Cursor(bytes, start, end);
  let turns = 0;
  let sampled = 0;
  cursor.object((key) => {
    if (WANTED.has(key)) values.set(key, cursor.text());
    else if (key === "turns") turns = cursor.array(() => cursor.skip());
    else if (key === "tokens") sampled += cursor.row();
    else if (key === "segments") {
      cursor.array(() => {
        sampled += cursor.row();
      });
    } else cursor.skip();
  });
  return { values, turns, sampled };
}

class Cursor {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** Calls `onKey` at each member's value, which it must pass. */
  object(onKey: (key: string) => void): void {
    this.#take(OPEN_OBJECT);
    if (this.#takes(CLOSE_OBJECT)) return;
    do {
      this.#blank();
      const from = this.#at + 1;
      this.#string();
      const key = this.#bytes.toString("latin1", from, this.#at - 1);
      this.#take(COLON);
      onKey(key);
    } while (this.#takes(COMMA));
    this.#take(CLOSE_OBJECT);
  }

  /** Calls `onItem` at each item, which it must pass; answers how many there are. */
  array(onItem: () => void): number {
    this.#take(OPEN_ARRAY);
    if (this.#takes(CLOSE_ARRAY)) return 0;
    let count = 0;
    do {
      onItem();
      count += 1;
    } while (this.#takes(COMMA));
    this.#take(CLOSE_ARRAY);
    return count;
  }

  /** A training row: counts the ones of its mask. */
  row(): number {
    let sampled = 0;
    this.object((key) => {
      const [from, to] = this.#numbers();
      if (key !== "mask") return;
      for (let i = from; i < to; i++) if (this.#bytes[i] === ONE) sampled += 1;
    });
    return sampled;
  }

  /** Passes a value and answers its text. */
  text(): string {
    this.#blank();
    const from = this.#at;
    this.skip();
    return this.#bytes.toString("utf8", from, this.#at);
  }

  /** Passes a value. */
  skip(): void {
    this.#blank();
    const first = this.#bytes[this.#at];
    if (first === QUOTE) this.#string();
    else if (first === OPEN_OBJECT || first === OPEN_ARRAY) this.#nested();
    else while (this.#at < this.#end && !isAfterValue(this.#bytes[this.#at]!)) this.#at += 1;
  }

  #nested(): void {
    const bytes = this.#bytes;
    let depth = 0;
    do {
      if (this.#at >= this.#end) throw TORN;
      const byte = bytes[this.#at]!;
      if (byte === QUOTE) {
        this.#string();
        continue;
      }
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
      this.#at += 1;
    } while (depth > 0);
  }

  /** Passes an array that holds no other: its end is the next closing bracket. */
  #numbers(): [number, number] {
    this.#take(OPEN_ARRAY);
    const from = this.#at;
    const to = this.#bytes.indexOf(CLOSE_ARRAY, from);
    if (to < 0 || to >= this.#end) throw TORN;
    this.#at = to + 1;
    return [from, to];
  }

  #string(): void {
    const bytes = this.#bytes;
    if (bytes[this.#at] !== QUOTE) throw TORN;
    let at = this.#at + 1;
    for (; at < this.#end; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) at += 1;
    }
    if (at >= this.#end) throw TORN;
    this.#at = at + 1;
  }

  #take(byte: number): void {
    if (!this.#takes(byte)) throw TORN;
  }

  #takes(byte: number): boolean {
    this.#blank();
    if (this.#at >= this.#end || this.#bytes[this.#at] !== byte) return false;
    this.#at += 1;
    return true;
  }

  #blank(): void {
    while (this.#at < this.#end && this.#bytes[this.#at]! <= 0x20) this.#at += 1;
  }
}

/** One object for all: a foreign file may have a million such lines, and a stack for each would cost more than the read. */
const TORN = new Error("not a whole JSON object");

function isAfterValue(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte <= 0x20;
}
