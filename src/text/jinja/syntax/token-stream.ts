/** Reads tokens one after another. */
import { TemplateSyntaxError, type Token } from "./lexer.ts";

export class TokenStream {
  readonly #tokens: readonly Token[];
  #at = 0;
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }
  get current(): Token {
    return this.#tokens[this.#at]!;
  }
  get line(): number {
    return this.current.line;
  }
  /** Tells whether a token, by default the current one, is the operator or kind, or one of several. */
  is(...types: readonly string[]): boolean {
    return types.includes(this.current.type);
  }
  /** Tells whether the current token is one of these words. */
  isWord(...words: readonly string[]): boolean {
    return this.current.type === "name" && words.includes(this.current.text);
  }
  /** Returns the token after the current one. */
  peek(): Token {
    return this.#tokens[Math.min(this.#at + 1, this.#tokens.length - 1)]!;
  }
  next(): Token {
    const token = this.current;
    if (this.#at < this.#tokens.length - 1) this.#at++;
    return token;
  }
  skip(type: string): boolean {
    if (!this.is(type)) return false;
    this.next();
    return true;
  }
  skipWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.next();
    return true;
  }
  expect(type: string): Token {
    if (this.is(type)) return this.next();
    return this.fail(`expected ${describeType(type)}, got ${describeToken(this.current)}`);
  }
  expectWord(word: string): Token {
    if (this.isWord(word)) return this.next();
    return this.fail(`expected '${word}', got ${describeToken(this.current)}`);
  }
  fail(message: string, line = this.line): never {
    throw new TemplateSyntaxError(message, line);
  }
}

const NAMES: Readonly<Record<string, string>> = {
  data: "text",
  end: "the end of the template",
  name: "a name",
  "begin-print": "{{",
  "end-print": "}}",
  "begin-block": "{%",
  "end-block": "%}",
};

function describeType(type: string): string {
  return NAMES[type] ?? `'${type}'`;
}

export function describeToken({ type, text }: Token): string {
  return type === "name" ? `'${text}'` : describeType(type);
}
