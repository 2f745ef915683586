/**
 * Reads and writes JSON without losing anything. `JSON.parse` turns 12345678901234567890 into another number and 1.0
 * into 1, and it puts the keys "10" and "2" of an object into numerical order. Here a number keeps its source text and
 * an object is a `Map`, whose keys stay in the order in which they were written. As in Python, a key that is written
 * twice keeps its first place and its last value.
 */

/** A number with the text in which it was written, such as `1.0`, `1e22` or an integer of any length. */
export class JsonNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
  /** Allows `JSON.stringify` to print the number that JavaScript would have read. */
  toJSON(): number {
    return Number(this.source);
  }
}

export type ExactJson = null | boolean | string | JsonNumber | ExactJson[] | Map<string, ExactJson>;

/** The depth of brackets above which a text is refused, because it could exhaust the stack. */
const MAX_DEPTH = 1000;

/** Parses a text that is one JSON value. Throws a `SyntaxError` for the texts that `JSON.parse` refuses. */
export function parseExactJson(text: string): ExactJson {
  const parser = new ExactParser(text);
  const value = parser.readValue(0);
  parser.requireEnd();
  return value;
}

/** The value of a member of an object, and its text as it was written, without the white space around it. */
export interface JsonMember {
  readonly value: ExactJson;
  readonly source: string;
}

/**
 * Parses a text that is one JSON object, and returns its members. Returns undefined for another JSON value. Throws a
 * `SyntaxError` when the text is not JSON.
 */
export function parseJsonMembers(text: string): Map<string, JsonMember> | undefined {
  const parser = new ExactParser(text);
  const members = parser.readMembers();
  if (members === undefined) parser.readValue(0);
  parser.requireEnd();
  return members;
}

/**
 * Returns a value as JSON text without spaces. Numbers are printed as they were written. Plain data may contain exact
 * values; it is printed as by `JSON.stringify`.
 */
export function printExactJson(value: unknown): string {
  if (value instanceof JsonNumber) return value.source;
  if (Array.isArray(value)) return `[${value.map(printExactJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const members = entries
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}:${printExactJson(item)}`);
  return `{${members.join(",")}}`;
}

/**
 * Returns a value as `JSON.parse` would have read it. Where `isKept` is given, the objects for whose path it returns
 * true stay maps. A path joins keys and indices by dots, such as `messages.0.content`.
 */
export function toPlainJson(
  value: ExactJson,
  isKept: (path: string) => boolean = () => false,
  path = "",
): unknown {
  const inner = (key: string | number) => (path === "" ? String(key) : `${path}.${key}`);
  if (value instanceof JsonNumber) return value.toJSON();
  if (Array.isArray(value)) return value.map((item, i) => toPlainJson(item, isKept, inner(i)));
  if (!(value instanceof Map) || isKept(path)) return value;
  const plain: Record<string, unknown> = {};
  for (const [key, item] of value) {
    const changed = toPlainJson(item, isKept, inner(key));
    // Setting `__proto__` by assignment would replace the prototype.
    if (key !== "__proto__") plain[key] = changed;
    else Object.defineProperty(plain, key, { value: changed, enumerable: true, writable: true });
  }
  return plain;
}

const SPACE = /[ \t\n\r]*/y;
/** A string without escapes, which most are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a string with one of these is not JSON
const PLAIN_STRING = /"[^"\\\u0000-\u001f]*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

class ExactParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  requireEnd(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail("the end");
  }

  readValue(depth: number): ExactJson {
    if (depth > MAX_DEPTH) throw new SyntaxError(`JSON is nested deeper than ${MAX_DEPTH} levels`);
    this.#skipSpace();
    switch (this.#text[this.#at]) {
      case "{":
        return this.#readObject((value) => value, depth);
      case "[":
        return this.#readArray(depth);
      case '"':
        return this.#readString();
      default: {
        const word = this.#match(WORD);
        if (word !== undefined) return WORDS[word]!;
        const number = this.#match(NUMBER);
        return number === undefined ? this.#fail("a value") : new JsonNumber(number);
      }
    }
  }

  /** Reads the members of an object. Reads nothing when another value follows. */
  readMembers(): Map<string, JsonMember> | undefined {
    this.#skipSpace();
    if (this.#text[this.#at] !== "{") return undefined;
    return this.#readObject((value, start) => {
      return { value, source: this.#text.slice(start, this.#at) };
    }, 0);
  }

  /** Reads an object. `toMember` gets each value and where its text starts; the text ends at the present place. */
  #readObject<V>(toMember: (value: ExactJson, start: number) => V, depth: number): Map<string, V> {
    const map = new Map<string, V>();
    this.#at += 1;
    if (this.#skip("}")) return map;
    do {
      this.#skipSpace();
      const key = this.#readString();
      if (!this.#skip(":")) this.#fail("a colon");
      this.#skipSpace();
      const start = this.#at;
      map.set(key, toMember(this.readValue(depth + 1), start));
    } while (this.#skip(","));
    if (!this.#skip("}")) this.#fail("a comma or }");
    return map;
  }

  #readArray(depth: number): ExactJson[] {
    const items: ExactJson[] = [];
    this.#at += 1;
    if (this.#skip("]")) return items;
    do items.push(this.readValue(depth + 1));
    while (this.#skip(","));
    if (!this.#skip("]")) this.#fail("a comma or ]");
    return items;
  }

  #readString(): string {
    const plain = this.#match(PLAIN_STRING);
    if (plain !== undefined) return plain.slice(1, -1);
    const text = this.#text;
    if (text[this.#at] !== '"') this.#fail("a string");
    const end = findStringEnd(text, this.#at);
    if (end < 0) this.#fail("a string that ends");
    const value = JSON.parse(text.slice(this.#at, end + 1)) as string;
    this.#at = end + 1;
    return value;
  }

  /** Skips white space and then this character. Returns false when another character follows. */
  #skip(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    // Most texts have little white space, and this comparison is cheaper than an expression.
    if (this.#text.charCodeAt(this.#at) <= 0x20) this.#match(SPACE);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #fail(expected: string): never {
    const got = this.#text.slice(this.#at, this.#at + 20) || "the end of the text";
    throw new SyntaxError(`JSON at position ${this.#at}: expected ${expected}, got ${got}`);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns the position of the quote that ends the string which begins at `start`, or -1. */
function findStringEnd(text: string, start: number): number {
  const first = text.indexOf('"', start + 1);
  if (first < 0 || text.charCodeAt(first - 1) !== BACKSLASH) return first;
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
  }
  return -1;
}
