/** A position in the text of a pattern, with the escapes that classes and the rest of a pattern share. */
import {
  type CharacterSet,
  characterRange,
  charactersOf,
  complementSet,
  uniteSets,
} from "../unicode/character-set.ts";
import { categorySet, propertySet, WHITE_SPACE } from "../unicode/properties.ts";
import { PatternError } from "./pattern-error.ts";

export const HEX_DIGITS = uniteSets(
  characterRange(0x30, 0x39),
  characterRange(0x41, 0x46),
  characterRange(0x61, 0x66),
);
const CONTROL_ESCAPES: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  f: 12,
  v: 11,
  a: 7,
  e: 27,
};
/** Escapes that mean something in Oniguruma and are not supported. */
const REFUSED_ESCAPES = /[0-9cCMgkKXyYpP]/;

/** What an escape stands for: one character, or a set. */
export type EscapedAtom =
  | { readonly kind: "character"; readonly code: number }
  | { readonly kind: "set"; readonly set: CharacterSet };

/** Reads a pattern from left to right. */
export class PatternReader {
  readonly pattern: string;
  position = 0;

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  get isAtEnd(): boolean {
    return this.position >= this.pattern.length;
  }

  /** Tells whether the rest of the pattern starts with a text. */
  startsWith(text: string): boolean {
    return this.pattern.startsWith(text, this.position);
  }

  /** Skips a text if the rest of the pattern starts with it, and tells whether it did. */
  skip(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.position += text.length;
    return true;
  }

  /** Reads what an expression matches here, or returns undefined and reads nothing. */
  match(expression: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(expression.source, "yu");
    sticky.lastIndex = this.position;
    const found = sticky.exec(this.pattern);
    if (found === null) return undefined;
    this.position += found[0].length;
    return found;
  }

  /** Reads one character. Throws a PatternError at the end of the pattern. */
  character(): string {
    if (this.isAtEnd) this.fail("it ends too early");
    const character = String.fromCodePoint(this.pattern.codePointAt(this.position)!);
    this.position += character.length;
    return character;
  }

  fail(reason: string): never {
    throw new PatternError(`${reason} (at position ${this.position})`);
  }

  /** Reads an escape after its backslash. `wordSet` is the meaning of `\w`, which is larger outside a class. */
  escape(wordSet: CharacterSet): EscapedAtom {
    const property = this.match(/([pP])\{(\^?)([^}]*)\}/);
    if (property !== undefined) return this.property(property[1]!, property[2]!, property[3]!);
    const hex = this.match(/x\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})/);
    if (hex !== undefined) return this.codePoint(hex[1] ?? hex[2] ?? hex[3]!);
    const letter = this.character();
    const set = this.escapedSet(letter, wordSet);
    if (set !== undefined) return { kind: "set", set };
    if (REFUSED_ESCAPES.test(letter)) this.fail(`the escape \\${letter} is not supported`);
    return { kind: "character", code: CONTROL_ESCAPES[letter] ?? letter.codePointAt(0)! };
  }

  private escapedSet(letter: string, wordSet: CharacterSet): CharacterSet | undefined {
    const sets: Readonly<Record<string, () => CharacterSet>> = {
      s: () => WHITE_SPACE,
      d: () => categorySet("Nd"),
      w: () => wordSet,
      h: () => HEX_DIGITS,
    };
    const set = sets[letter.toLowerCase()]?.();
    if (set === undefined) return undefined;
    return letter === letter.toLowerCase() ? set : complementSet(set);
  }

  private codePoint(digits: string): EscapedAtom {
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      this.fail(`U+${digits} is no character`);
    }
    return { kind: "character", code };
  }

  private property(letter: string, caret: string, name: string): EscapedAtom {
    const set = propertySet(name);
    if (set === undefined) this.fail(`the property \\p{${name}} is not supported`);
    const isComplement = (letter === "P") !== (caret === "^");
    return { kind: "set", set: isComplement ? complementSet(set) : set };
  }
}

export const LINE_FEED = charactersOf("\n");
