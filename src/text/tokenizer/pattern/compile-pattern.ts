/**
 * Compiles a pattern of a `tokenizer.json` to a JavaScript regular expression.
 *
 * Such patterns are in the syntax of Oniguruma with Ruby's rules. `\s`, `\w`, `\p{...}`, `$`, `.` and `(?i:...)` mean
 * something else there than in JavaScript, and the version of Unicode differs. So every class is written out as a set
 * of code points. Constructs that JavaScript cannot express exactly throw a PatternError, which names the construct.
 */
import {
  ALL_CHARACTERS,
  type CharacterSet,
  charactersOf,
  complementSet,
  intersectSets,
  toCharacterClass,
  uniteSets,
} from "../unicode/character-set.ts";
import { wordCharacters } from "../unicode/properties.ts";
import { readCharacterClass } from "./character-class.ts";
import { LINE_FEED, PatternReader } from "./pattern-reader.ts";

const START = "(?<![\\s\\S])";
const END = "(?![\\s\\S])";
const LINE_BREAK = "(?:\\r\\n|(?!\\r\\n)[\\n-\\r\\u0085\\u2028\\u2029])";
/** Spellings that a ligature, `ß` and the like also match without case. */
const LONG_FOLDS = /ss|st|ff|fi|fl/i;

/** A part of a pattern, as JavaScript. */
interface Part {
  readonly source: string;
  /** The character, if the part is a single one. */
  readonly literal?: string;
  /** Assertions match no characters and take no quantifier. */
  readonly isAssertion?: boolean;
}

/** Returns the regular expression, with the flags `g` and `u`. Throws a PatternError. */
export function compilePattern(pattern: string): RegExp {
  const compiler = new PatternCompiler(pattern);
  return new RegExp(compiler.compile(), "gu");
}

class PatternCompiler {
  private readonly reader: PatternReader;
  private ignoresCase = false;
  private dotMatchesAll = false;
  private atomicGroups = 0;

  constructor(pattern: string) {
    this.reader = new PatternReader(pattern);
  }

  compile(): string {
    const source = this.alternatives();
    if (!this.reader.isAtEnd) this.reader.fail("there is a closing parenthesis too many");
    return source;
  }

  /** Reads alternatives up to a closing parenthesis or the end. Options inside end with the group. */
  private alternatives(): string {
    const { ignoresCase, dotMatchesAll } = this;
    this.leadingOptions();
    const sources = [this.sequence()];
    while (this.reader.skip("|")) sources.push(this.sequence());
    Object.assign(this, { ignoresCase, dotMatchesAll });
    return sources.join("|");
  }

  /** Reads options such as `(?i)`, which are supported where a group or the pattern starts. */
  private leadingOptions(): void {
    for (;;) {
      const found = this.reader.match(/\(\?([im]*)(?:-([im]+))?\)/);
      if (found === undefined) return;
      this.setOptions(found[1]!, found[2] ?? "");
    }
  }

  private setOptions(on: string, off: string): void {
    if (on.includes("i")) this.ignoresCase = true;
    if (on.includes("m")) this.dotMatchesAll = true;
    if (off.includes("i")) this.ignoresCase = false;
    if (off.includes("m")) this.dotMatchesAll = false;
  }

  private sequence(): string {
    let source = "";
    let spelled = "";
    while (!(this.reader.isAtEnd || this.reader.startsWith("|") || this.reader.startsWith(")"))) {
      if (this.reader.match(/\(\?#[^)]*\)/) !== undefined) continue;
      const part = this.part();
      spelled = part.literal === undefined ? "" : spelled + part.literal;
      if (this.ignoresCase && LONG_FOLDS.test(spelled)) {
        this.reader.fail(`${spelled} without case also means a ligature, which is not supported`);
      }
      source += this.quantified(part);
    }
    return source;
  }

  private part(): Part {
    const { reader } = this;
    if (reader.skip("(")) return this.group();
    if (reader.skip("[")) return this.set(readCharacterClass(reader));
    if (reader.skip("\\")) return this.escape();
    if (reader.skip(".")) {
      return { source: toCharacterClass(this.dotMatchesAll ? ALL_CHARACTERS : NOT_LINE_FEED) };
    }
    // Ruby's ^ and $ are about lines, and ^ does not match after a last line feed.
    if (reader.skip("^")) {
      return { source: `(?:${START}|(?<=\\n)(?=[\\s\\S]))`, isAssertion: true };
    }
    if (reader.skip("$")) return { source: `(?:(?=\\n)|${END})`, isAssertion: true };
    if (reader.match(/[*+?]/) !== undefined) reader.fail("a quantifier has nothing to repeat");
    return this.literal(reader.character());
  }

  private literal(character: string): Part {
    if (!this.ignoresCase) return { source: escapeText(character), literal: character };
    return { ...this.set(charactersOf(character)), literal: character };
  }

  private set(set: CharacterSet): Part {
    if (!this.ignoresCase) return { source: toCharacterClass(set) };
    return { source: toCharacterClass(this.withoutCase(set)) };
  }

  /** Adds the characters that equal those of an ASCII set without case: ſ equals s, and the Kelvin sign equals k. */
  private withoutCase(set: CharacterSet): CharacterSet {
    if (intersectSets(set, NOT_ASCII).boundaries.length > 0) {
      this.reader.fail("characters beyond ASCII without case are not supported");
    }
    const variants = ASCII_CASES.filter((variant) => {
      const some = intersectSets(set, charactersOf(variant));
      return some.boundaries.length > 0;
    });
    return uniteSets(set, ...variants.map(charactersOf));
  }

  private escape(): Part {
    const { reader } = this;
    const assertion = reader.match(/[AzZbB]/)?.[0];
    if (assertion !== undefined) return { source: ASSERTIONS[assertion]!(), isAssertion: true };
    if (reader.skip("R")) return { source: LINE_BREAK };
    if (reader.skip("N")) return { source: toCharacterClass(NOT_LINE_FEED) };
    if (reader.skip("O")) return { source: toCharacterClass(ALL_CHARACTERS) };
    if (reader.skip("G")) reader.fail("the escape \\G is not supported");
    const atom = reader.escape(wordCharacters());
    if (atom.kind === "character") return this.literal(String.fromCodePoint(atom.code));
    if (this.ignoresCase) reader.fail("sets without case are not supported");
    return { source: toCharacterClass(atom.set) };
  }

  private group(): Part {
    const { reader } = this;
    const look = reader.match(/\?(?:=|!|<=|<!)/)?.[0];
    if (look !== undefined) return { source: `(${look}${this.groupBody()})`, isAssertion: true };
    if (reader.skip("?>")) return { source: this.atomic(this.groupBody()) };
    const options = reader.match(/\?([im]*)(?:-([im]+))?:/);
    if (options !== undefined) {
      const { ignoresCase, dotMatchesAll } = this;
      this.setOptions(options[1]!, options[2] ?? "");
      const body = this.groupBody();
      Object.assign(this, { ignoresCase, dotMatchesAll });
      return { source: `(?:${body})` };
    }
    // Nothing asks what a group captured, because references to it are not supported.
    if (reader.match(/\?(?:<\w+>|'\w+')/) === undefined && reader.startsWith("?")) {
      reader.fail(
        `the group (${reader.pattern.slice(reader.position, reader.position + 3)} is not supported`,
      );
    }
    return { source: `(?:${this.groupBody()})` };
  }

  private groupBody(): string {
    const body = this.alternatives();
    if (!this.reader.skip(")")) this.reader.fail("a group is not closed");
    return body;
  }

  /** Returns a group that gives nothing back. A lookahead does that, and a reference then reads what it matched. */
  private atomic(body: string): string {
    const name = `atomic${this.atomicGroups++}`;
    return `(?:(?=(?<${name}>${body}))\\k<${name}>)`;
  }

  /** Reads the quantifiers after a part. */
  private quantified(part: Part): string {
    const { reader } = this;
    let { source } = part;
    for (let count = 0; ; count++) {
      const found = reader.match(/([?*+])([?+]?)|\{(\d+)(?:(,)(\d*))?\}(\??)|\{,(\d+)\}(\??)/);
      if (found === undefined) return source;
      if (part.isAssertion === true)
        reader.fail("a quantifier after an assertion is not supported");
      const target = count === 0 ? source : `(?:${source})`;
      source = this.quantify(target, found);
    }
  }

  private quantify(target: string, found: RegExpExecArray): string {
    const [, sign, suffix, least, comma, most, lazy, limit, lazyLimit] = found;
    if (sign !== undefined) {
      return suffix === "+" ? this.atomic(target + sign) : target + sign + suffix;
    }
    if (limit !== undefined) return `${target}{0,${limit}}${lazyLimit}`;
    // In Ruby, {n}? means "n times, or not at all".
    if (comma === undefined)
      return lazy === "?" ? `(?:${target}{${least}})?` : `${target}{${least}}`;
    if (most !== "" && Number(most) < Number(least)) this.reader.fail("a quantifier counts down");
    return `${target}{${least},${most}}${lazy}`;
  }
}

const NOT_LINE_FEED = complementSet(LINE_FEED);
const NOT_ASCII = complementSet({ boundaries: [0, 0x80] });
/** Each ASCII letter with all characters that equal it without case. */
const ASCII_CASES = Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => {
  const others = { s: "ſ", k: "\u212a" }[letter] ?? "";
  return letter + letter.toUpperCase() + others;
});

function wordBoundary(isNegated: boolean): string {
  const word = toCharacterClass(wordCharacters());
  const [start, end] = [`(?<!${word})(?=${word})`, `(?<=${word})(?!${word})`];
  return isNegated ? `(?:(?<!${word})(?!${word})|(?<=${word})(?=${word}))` : `(?:${start}|${end})`;
}

const ASSERTIONS: Readonly<Record<string, () => string>> = {
  A: () => START,
  z: () => END,
  Z: () => `(?=\\n?${END})`,
  b: () => wordBoundary(false),
  B: () => wordBoundary(true),
};

/** Returns a regular expression, with the flags `g` and `u`, that matches a text itself. */
export function compileText(text: string): RegExp {
  return new RegExp(escapeText(text), "gu");
}

function escapeText(text: string): string {
  return Array.from(text, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`).join("");
}
