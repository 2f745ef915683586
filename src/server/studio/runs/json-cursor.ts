/**
 * Reads parts of one JSON object from its bytes without parsing the whole. It skips values that are not needed and
 * returns the small values that are. Bytes that are not a complete object throw; skipped values are not validated.
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
const TRUE = 0x74;

/** Member names as bytes. Comparing bytes avoids a string for every name of every line, which would be most garbage. */
export type EncodedKeys = readonly { readonly name: string; readonly bytes: Buffer }[];

export const encodeKeys = (...names: string[]): EncodedKeys =>
  names.map((name) => ({ name, bytes: Buffer.from(name) }));

const ROW_KEYS = encodeKeys("mask");

export class JsonCursor {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** The offset of the next byte to read. */
  get position(): number {
    return this.#at;
  }

  /**
   * Calls `onKey` before each member's value, which `onKey` must read or skip. Names not among `keys` are passed as "".
   */
  forEachMember(keys: EncodedKeys, onKey: (key: string) => void): void {
    this.#expectByte(OPEN_OBJECT);
    if (this.#consumeIf(CLOSE_OBJECT)) return;
    do {
      this.#skipWhitespace();
      const from = this.#at + 1;
      this.#skipString();
      const key = this.#matchKey(keys, from, this.#at - 1);
      this.#expectByte(COLON);
      onKey(key);
    } while (this.#consumeIf(COMMA));
    this.#expectByte(CLOSE_OBJECT);
  }

  /** Calls `onItem` before each item, which `onItem` must read or skip. Returns the number of items. */
  forEachItem(onItem: () => void): number {
    this.#expectByte(OPEN_ARRAY);
    if (this.#consumeIf(CLOSE_ARRAY)) return 0;
    let count = 0;
    do {
      onItem();
      count += 1;
    } while (this.#consumeIf(COMMA));
    this.#expectByte(CLOSE_ARRAY);
    return count;
  }

  /** Reads a row of tokens and returns how many were sampled: the ones in its mask. */
  countSampledInRow(): number {
    let sampled = 0;
    this.forEachMember(ROW_KEYS, (key) => {
      const from = this.#at;
      this.#skipFlatArray();
      if (key !== "mask") return;
      for (let i = from; i < this.#at; i++) if (this.#bytes[i] === ONE) sampled += 1;
    });
    return sampled;
  }

  /** Reads a value and returns its JSON text. */
  readRawText(): string {
    this.#skipWhitespace();
    const from = this.#at;
    this.skipValue();
    return this.#bytes.toString("utf8", from, this.#at);
  }

  /** Reads a string. Throws for any other value. */
  readString(): string {
    const value: unknown = JSON.parse(this.readRawText());
    if (typeof value !== "string") throw NOT_AN_OBJECT;
    return value;
  }

  /** Reads a number. Returns NaN for any other value. */
  readNumber(): number {
    const text = this.readRawText();
    return /^-?\d/.test(text) ? Number(text) : Number.NaN;
  }

  /** Reads a value and returns whether it is `true`. */
  readIsTrue(): boolean {
    this.#skipWhitespace();
    const first = this.#bytes[this.#at];
    this.skipValue();
    return first === TRUE;
  }

  /** Skips a value. */
  skipValue(): void {
    this.#skipWhitespace();
    const first = this.#bytes[this.#at];
    if (first === QUOTE) this.#skipString();
    else if (first === OPEN_OBJECT || first === OPEN_ARRAY) this.#skipNested();
    else while (this.#at < this.#end && !endsValue(this.#bytes[this.#at]!)) this.#at += 1;
  }

  #skipNested(): void {
    const bytes = this.#bytes;
    let depth = 0;
    do {
      if (this.#at >= this.#end) throw NOT_AN_OBJECT;
      const byte = bytes[this.#at]!;
      if (byte === QUOTE) {
        this.#skipString();
        continue;
      }
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
      this.#at += 1;
    } while (depth > 0);
  }

  /** Skips an array without nested arrays, which ends at the next closing bracket. */
  #skipFlatArray(): void {
    this.#expectByte(OPEN_ARRAY);
    const to = this.#bytes.indexOf(CLOSE_ARRAY, this.#at);
    if (to < 0 || to >= this.#end) throw NOT_AN_OBJECT;
    this.#at = to + 1;
  }

  #matchKey(keys: EncodedKeys, from: number, to: number): string {
    const bytes = this.#bytes;
    for (const { name, bytes: wanted } of keys) {
      if (wanted.length !== to - from) continue;
      let at = 0;
      while (at < wanted.length && wanted[at] === bytes[from + at]) at += 1;
      if (at === wanted.length) return name;
    }
    return "";
  }

  #skipString(): void {
    const bytes = this.#bytes;
    if (bytes[this.#at] !== QUOTE) throw NOT_AN_OBJECT;
    let at = this.#at + 1;
    for (; at < this.#end; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) at += 1;
    }
    if (at >= this.#end) throw NOT_AN_OBJECT;
    this.#at = at + 1;
  }

  #expectByte(byte: number): void {
    if (!this.#consumeIf(byte)) throw NOT_AN_OBJECT;
  }

  #consumeIf(byte: number): boolean {
    this.#skipWhitespace();
    if (this.#at >= this.#end || this.#bytes[this.#at] !== byte) return false;
    this.#at += 1;
    return true;
  }

  #skipWhitespace(): void {
    while (this.#at < this.#end && this.#bytes[this.#at]! <= 0x20) this.#at += 1;
  }
}

/** One shared error: a file may have a million bad lines, and a stack trace for each would cost more than reading. */
export const NOT_AN_OBJECT = new Error("not a complete JSON object");

function endsValue(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte <= 0x20;
}
