/** Reads a character class of Oniguruma's syntax, such as `[^\r\n\p{L}]` or `[a-z&&[^aeiou]]`, as a set. */
import {
  type CharacterSet,
  characterRange,
  complementSet,
  EMPTY_SET,
  intersectSets,
  uniteSets,
} from "../unicode/character-set.ts";
import {
  categorySet,
  propertySet,
  WHITE_SPACE,
  wordCharactersInClass,
} from "../unicode/properties.ts";
import { HEX_DIGITS, type PatternReader } from "./pattern-reader.ts";

const NAMED_CLASSES: Readonly<Record<string, () => CharacterSet>> = {
  alpha: () => propertySet("Alphabetic")!,
  alnum: () => uniteSets(propertySet("Alphabetic")!, categorySet("Nd")),
  digit: () => categorySet("Nd"),
  upper: () => propertySet("Uppercase")!,
  space: () => WHITE_SPACE,
  blank: () => uniteSets(categorySet("Zs"), characterRange(9, 9)),
  punct: () => uniteSets(categorySet("P"), categorySet("S")),
  cntrl: () => categorySet("Cc"),
  word: wordCharactersInClass,
  xdigit: () => HEX_DIGITS,
  ascii: () => characterRange(0, 0x7f),
};

/** Reads the rest of a class after its `[`. Throws a PatternError if it is malformed or not supported. */
export function readCharacterClass(reader: PatternReader): CharacterSet {
  const isNegated = reader.skip("^");
  let set: CharacterSet | undefined;
  let operand = EMPTY_SET;
  let isEmpty = true;
  for (;;) {
    if (!isEmpty && reader.skip("]")) break;
    if (reader.startsWith("]") && !reader.pattern.slice(reader.position + 1).includes("]")) {
      reader.fail("an empty class is not supported");
    }
    if (reader.skip("&&")) {
      if (isEmpty) reader.fail("an intersection with nothing is not supported");
      set = set === undefined ? operand : intersectSets(set, operand);
      operand = EMPTY_SET;
      isEmpty = true;
      continue;
    }
    operand = uniteSets(operand, readItem(reader));
    isEmpty = false;
  }
  const whole = set === undefined ? operand : intersectSets(set, operand);
  return isNegated ? complementSet(whole) : whole;
}

/** Reads a character, a range or a set inside a class. */
function readItem(reader: PatternReader): CharacterSet {
  const first = readAtom(reader);
  if (typeof first !== "number") {
    if (/^-[^\]]/.test(reader.pattern.slice(reader.position))) {
      reader.fail("a range that starts with a set is not supported");
    }
    return first;
  }
  const isRange = reader.startsWith("-") && !reader.startsWith("-]") && !reader.startsWith("-&&");
  if (!isRange) return characterRange(first, first);
  reader.skip("-");
  const last = readAtom(reader);
  if (typeof last !== "number") reader.fail("a range that ends with a set is not supported");
  if (last < first) reader.fail("a range ends before it starts");
  return characterRange(first, last);
}

/** Reads one code point, or a set such as `\p{L}`, `[:alpha:]` or a class inside the class. */
function readAtom(reader: PatternReader): number | CharacterSet {
  const named = reader.match(/\[:(\^?)(\w+):\]/);
  if (named !== undefined) {
    const set = NAMED_CLASSES[named[2]!]?.();
    if (set === undefined) reader.fail(`the class [:${named[2]}:] is not supported`);
    return named[1] === "^" ? complementSet(set) : set;
  }
  if (reader.skip("[")) return readCharacterClass(reader);
  if (!reader.skip("\\")) return reader.character().codePointAt(0)!;
  if (reader.skip("b")) return 8;
  if (reader.match(/[RNOABzZG]/) !== undefined) reader.fail("this escape has no place in a class");
  const atom = reader.escape(wordCharactersInClass());
  return atom.kind === "character" ? atom.code : atom.set;
}
