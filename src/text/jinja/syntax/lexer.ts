/**
 * Cuts the source of a template into tokens, with `trim_blocks` and `lstrip_blocks` as transformers sets them: a line
 * break after a block is dropped, and so is the white space of a line before a block.
 */
import { SPACE } from "../python/text-split.ts";

export interface Token {
  /**
   * `data` for text, `begin-print`, `end-print`, `begin-block` and `end-block` for tags; inside of tags `name`,
   * `string`, `integer`, `float`, or the operator itself; `end` at the end of the template.
   */
  readonly type: string;
  readonly text: string;
  readonly value?: bigint | number;
  readonly line: number;
}

/** An error in the syntax of a template. */
export class TemplateSyntaxError extends Error {
  constructor(message: string, line: number) {
    super(`line ${line}: ${message}`);
  }
}

const OPENING = /\{%([-+]?)[SPACE]*raw[SPACE]*(?:-%\}[SPACE]*|%\})|\{[{%#][-+]?/g;
const END_OF_BLOCK = /\+%\}|-%\}[SPACE]*|%\}\n?/y;
const END_OF_PRINT = /-\}\}[SPACE]*|\}\}/y;
const END_OF_COMMENT = /\+#\}|-#\}[SPACE]*|#\}\n?/g;
const END_OF_RAW = /\{%([-+]?)[SPACE]*endraw[SPACE]*(?:\+%\}|-%\}[SPACE]*|%\}\n?)/g;
const FLOAT = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy;
const INTEGER = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy;
const NAME = /[\p{L}\p{N}\p{M}\p{Pc}·]+/uy;
const STRING = /'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const OPERATOR = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}<>=.:|,;]/y;
const WHITE = /[SPACE]+/y;

/** Puts Python's white space into a pattern, for which it has the word SPACE. */
function withSpace(pattern: RegExp): RegExp {
  return new RegExp(pattern.source.replaceAll("[SPACE]", `[${SPACE}]`), pattern.flags);
}

const PATTERNS = {
  opening: withSpace(OPENING),
  endOfBlock: withSpace(END_OF_BLOCK),
  endOfPrint: withSpace(END_OF_PRINT),
  endOfComment: withSpace(END_OF_COMMENT),
  endOfRaw: withSpace(END_OF_RAW),
  white: withSpace(WHITE),
  trailingSpace: new RegExp(`[${SPACE}]+$`),
  onlySpace: new RegExp(`^[${SPACE}]+$`),
};

/** Returns the tokens of a template. Throws a `TemplateSyntaxError`. */
export function tokenize(source: string): Token[] {
  return new Lexer(source).run();
}

class Lexer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;
  /** True when the last tag or text ended with a line break. */
  #startsLine = true;

  constructor(source: string) {
    const lines = source.split(/\r\n|\r|\n/);
    // One line break at the end of the source is not part of the template.
    if (lines.at(-1) === "") lines.pop();
    this.#source = lines.join("\n");
  }

  run(): Token[] {
    while (this.#at < this.#source.length) this.#readTextAndTag();
    this.#push("end", "");
    return this.#tokens;
  }

  #push(type: string, text: string, value?: bigint | number): void {
    this.#tokens.push({ type, text, line: this.#line, ...(value !== undefined && { value }) });
  }

  /** Moves behind a piece of the source and counts its lines. */
  #advance(length: number): string {
    const piece = this.#source.slice(this.#at, this.#at + length);
    this.#at += length;
    this.#line += piece.split("\n").length - 1;
    this.#startsLine = piece.endsWith("\n");
    return piece;
  }

  #readTextAndTag(): void {
    const opening = this.#find(PATTERNS.opening);
    if (opening === null) {
      this.#push("data", this.#advance(this.#source.length - this.#at));
      return;
    }
    const [tag, rawSign] = opening;
    const sign = rawSign ?? tag.slice(2);
    this.#pushText(this.#source.slice(this.#at, opening.index), sign, !tag.startsWith("{{"));
    this.#advance(opening.index - this.#at + tag.length);
    if (rawSign !== undefined) this.#readRaw();
    else if (tag.startsWith("{#")) this.#skipComment();
    else this.#readTag(tag.startsWith("{%") ? "block" : "print");
  }

  #find(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#source);
  }

  /** Pushes the text before a tag without the white space that the tag removes. */
  #pushText(text: string, sign: string, mayStripLine: boolean): void {
    let kept = text;
    if (sign === "-") kept = text.replace(PATTERNS.trailingSpace, "");
    else if (sign !== "+" && mayStripLine) {
      const from = text.lastIndexOf("\n") + 1;
      const beginsLine = from > 0 || this.#startsLine;
      if (beginsLine && PATTERNS.onlySpace.test(text.slice(from))) kept = text.slice(0, from);
    }
    if (kept !== "") this.#push("data", kept);
  }

  #readRaw(): void {
    const end = this.#find(PATTERNS.endOfRaw);
    if (end === null) this.#requireNothing("Missing end of raw directive");
    else {
      this.#pushText(this.#source.slice(this.#at, end.index), end[1]!, true);
      this.#advance(end.index - this.#at + end[0].length);
    }
  }

  /** Like Jinja, accepts a tag without its end if nothing at all follows it. */
  #requireNothing(message: string): void {
    if (this.#at < this.#source.length) throw new TemplateSyntaxError(message, this.#line);
  }

  #skipComment(): void {
    const end = this.#find(PATTERNS.endOfComment);
    if (end === null) this.#requireNothing("Missing end of comment tag");
    else this.#advance(end.index - this.#at + end[0].length);
  }

  #readTag(kind: "block" | "print"): void {
    const endPattern = kind === "block" ? PATTERNS.endOfBlock : PATTERNS.endOfPrint;
    this.#push(`begin-${kind}`, "");
    const brackets: string[] = [];
    for (;;) {
      const end = brackets.length === 0 ? this.#find(endPattern) : null;
      if (end !== null) {
        this.#push(`end-${kind}`, "");
        this.#advance(end[0].length);
        return;
      }
      if (this.#at >= this.#source.length)
        throw new TemplateSyntaxError("unexpected end of template", this.#line);
      this.#readTagToken(brackets);
    }
  }

  #readTagToken(brackets: string[]): void {
    const match = (pattern: RegExp) => this.#find(pattern)?.[0];
    const white = match(PATTERNS.white);
    const float = white === undefined ? match(FLOAT) : undefined;
    const integer = white ?? float ?? match(INTEGER);
    if (white !== undefined) this.#advance(white.length);
    else if (float !== undefined)
      this.#pushToken("float", float, Number(float.replaceAll("_", "")));
    else if (integer !== undefined)
      this.#pushToken("integer", integer, BigInt(integer.replaceAll("_", "").toLowerCase()));
    else this.#readNameOrOperator(brackets);
  }

  #readNameOrOperator(brackets: string[]): void {
    const name = this.#find(NAME)?.[0];
    if (name !== undefined) {
      if (!/^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name))
        throw new TemplateSyntaxError("Invalid character in identifier", this.#line);
      this.#pushToken("name", name);
      return;
    }
    const string = this.#find(STRING)?.[0];
    if (string !== undefined) {
      this.#push("string", unescapeString(string.slice(1, -1), this.#line));
      this.#advance(string.length);
      return;
    }
    const operator = this.#find(OPERATOR)?.[0];
    if (operator === undefined) {
      const character = String.fromCodePoint(this.#source.codePointAt(this.#at)!);
      throw new TemplateSyntaxError(`unexpected char '${character}'`, this.#line);
    }
    this.#balance(operator, brackets);
    this.#pushToken(operator, operator);
  }

  #pushToken(type: string, text: string, value?: bigint | number): void {
    this.#push(type, text, value);
    this.#advance(text.length);
  }

  #balance(operator: string, brackets: string[]): void {
    const closing = { "{": "}", "(": ")", "[": "]" }[operator];
    if (closing !== undefined) brackets.push(closing);
    if (!["}", ")", "]"].includes(operator)) return;
    const expected = brackets.pop();
    if (expected === operator) return;
    const wanted = expected === undefined ? "" : `, expected '${expected}'`;
    throw new TemplateSyntaxError(`unexpected '${operator}'${wanted}`, this.#line);
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Replaces the escapes of Python. An unknown escape keeps its backslash. */
function unescapeString(text: string, line: number): string {
  const pattern = /\\(?:x(.{0,2})|u(.{0,4})|U(.{0,8})|N(.)|([0-7]{1,3})|(.))/gsu;
  return text.replace(pattern, (whole, x, u, long, named, octal, other) => {
    if (named !== undefined) throw new TemplateSyntaxError("\\N{...} is not supported", line);
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    if (other !== undefined) return ESCAPES[other as string] ?? whole;
    const hex = (x ?? u ?? long) as string;
    const width = x !== undefined ? 2 : u !== undefined ? 4 : 8;
    const code = Number.parseInt(hex, 16);
    if (!new RegExp(`^[0-9a-fA-F]{${width}}$`).test(hex) || code > 0x10ffff)
      throw new TemplateSyntaxError(`the escape ${whole} is incomplete`, line);
    return width === 4 ? String.fromCharCode(code) : String.fromCodePoint(code);
  });
}
