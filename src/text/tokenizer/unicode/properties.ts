/** Sets of characters by property, as the Python library `tokenizers` knows them. */
import {
  ALL_CHARACTERS,
  type CharacterSet,
  characterRange,
  charactersOf,
  complementSet,
  intersectSets,
  parseCharacterSet,
  uniteSets,
} from "./character-set.ts";
import {
  ACCENTS,
  CATEGORY_RUNS,
  COMBINING_MARKS,
  CONTROLS,
  NEWEST_NUMBERS,
  PUNCTUATION,
} from "./tables.ts";

/** Returns a function that computes a value when it is first called. */
function once<T>(compute: () => T): () => T {
  let value: { readonly of: T } | undefined;
  return () => {
    value ??= { of: compute() };
    return value.of;
  };
}

/** The general categories of Unicode 16 by their short names. */
const categories = once((): ReadonlyMap<string, CharacterSet> => {
  const found = new Map<string, number[]>();
  let start = 0;
  for (const [, length, name] of CATEGORY_RUNS.matchAll(/([0-9a-z]+)([A-Z][a-z])/g)) {
    const end = start + Number.parseInt(length!, 36);
    found.set(name!, [...(found.get(name!) ?? []), start, end]);
    start = end;
  }
  return new Map([...found].map(([name, boundaries]) => [name, { boundaries }]));
});

/** Returns the characters of a general category, such as `Lu`, or of all categories with a letter, such as `L`. */
export function categorySet(name: string): CharacterSet {
  const known = [...categories()].filter(([category]) => category.startsWith(name));
  return uniteSets(...known.map(([, set]) => set));
}

/** Characters that Unicode 16 has. */
export const assignedCharacters = once(() => complementSet(categories().get("Cn")!));

/** The property White_Space, which all parts of the library agree on. JavaScript's `\s` has U+FEFF and lacks U+0085. */
export const WHITE_SPACE: CharacterSet = uniteSets(
  characterRange(0x9, 0xd),
  charactersOf(" \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000"),
  characterRange(0x2000, 0x200a),
);

/** Letters in circles and squares, which are alphabetic symbols. */
const ALPHABETIC_SYMBOLS = uniteSets(
  characterRange(0x24b6, 0x24e9),
  characterRange(0x1f130, 0x1f149),
  characterRange(0x1f150, 0x1f169),
  characterRange(0x1f170, 0x1f189),
);

/** Characters of `[\w]` in a pattern. */
export const wordCharactersInClass = once(() =>
  uniteSets(...["L", "M", "Nd", "Nl", "Pc"].map(categorySet), ALPHABETIC_SYMBOLS),
);
/** Characters of `\w` in a pattern, which has some fractions and superscripts outside a class only. */
export const wordCharacters = once(() =>
  uniteSets(wordCharactersInClass(), charactersOf("²³¹¼½¾")),
);
/** Characters of `\w` for added tokens and the pre-tokenizer Whitespace. */
export const rustWordCharacters = once(() =>
  uniteSets(wordCharactersInClass(), charactersOf("\u200c\u200d")),
);
/** Characters at which the pre-tokenizer Digits cuts. */
export const numericCharacters = once(() =>
  uniteSets(categorySet("N"), parseCharacterSet(NEWEST_NUMBERS)),
);
export const punctuation = once(() => parseCharacterSet(PUNCTUATION));
export const controlCharacters = once(() => parseCharacterSet(CONTROLS));
export const accents = once(() => parseCharacterSet(ACCENTS));
export const combiningMarks = once(() => parseCharacterSet(COMBINING_MARKS));

/** Long names of general categories in patterns, without spaces, in lower case. */
const LONG_NAMES: Readonly<Record<string, string>> = {
  letter: "L",
  casedletter: "LC",
  uppercaseletter: "Lu",
  lowercaseletter: "Ll",
  titlecaseletter: "Lt",
  modifierletter: "Lm",
  otherletter: "Lo",
  mark: "M",
  nonspacingmark: "Mn",
  spacingmark: "Mc",
  enclosingmark: "Me",
  number: "N",
  decimalnumber: "Nd",
  letternumber: "Nl",
  othernumber: "No",
  punctuation: "P",
  connectorpunctuation: "Pc",
  dashpunctuation: "Pd",
  openpunctuation: "Ps",
  closepunctuation: "Pe",
  initialpunctuation: "Pi",
  finalpunctuation: "Pf",
  otherpunctuation: "Po",
  symbol: "S",
  mathsymbol: "Sm",
  currencysymbol: "Sc",
  modifiersymbol: "Sk",
  othersymbol: "So",
  separator: "Z",
  spaceseparator: "Zs",
  lineseparator: "Zl",
  paragraphseparator: "Zp",
  other: "C",
  control: "Cc",
  format: "Cf",
  privateuse: "Co",
  punct: "P",
  digit: "Nd",
};

/** Scripts and other properties whose characters in Unicode 16 are the same in the library and in JavaScript. */
const OTHER_PROPERTIES = ["Alphabetic", "Uppercase", "Emoji", "Extended_Pictographic"];
const SCRIPTS = [
  ..."Latin Greek Cyrillic Armenian Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Tamil Telugu".split(
    " ",
  ),
  ..."Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Hangul Ethiopic Khmer Mongolian".split(
    " ",
  ),
  ..."Hiragana Katakana Bopomofo Han Common Inherited Cherokee Syriac Thaana Oriya".split(" "),
];

const propertySets = new Map<string, CharacterSet | undefined>();

/** Returns the characters of `\p{name}` in a pattern, or undefined if the property is not supported. */
export function propertySet(name: string): CharacterSet | undefined {
  const key = name.toLowerCase().replace(/[\s_-]/g, "");
  if (!propertySets.has(key)) propertySets.set(key, findProperty(key));
  return propertySets.get(key);
}

function findProperty(key: string): CharacterSet | undefined {
  if (key === "any") return ALL_CHARACTERS;
  if (key === "assigned") return assignedCharacters();
  if (key === "whitespace" || key === "space") return WHITE_SPACE;
  const name = LONG_NAMES[key] ?? key[0]?.toUpperCase() + key.slice(1);
  if (name === "LC" || name === "Lc") return uniteSets(...["Lu", "Ll", "Lt"].map(categorySet));
  if (/^[A-Z][a-z]?$/.test(name)) {
    const set = categorySet(name);
    return set.boundaries.length > 0 ? set : undefined;
  }
  const normalize = (text: string) => text.toLowerCase().replaceAll("_", "");
  const script = SCRIPTS.find((one) => normalize(one) === key);
  const other = OTHER_PROPERTIES.find((one) => normalize(one) === key);
  if (script === undefined && other === undefined) return undefined;
  return enumerateProperty(other ?? `Script=${script}`);
}

/** Returns the characters of Unicode 16 that have a property in this JavaScript engine. */
function enumerateProperty(property: string): CharacterSet {
  const pattern = new RegExp(`\\p{${property}}`, "u");
  const boundaries: number[] = [];
  let inside = false;
  for (let code = 0; code <= 0x110000; code++) {
    const has = code < 0x110000 && pattern.test(String.fromCodePoint(code));
    if (has !== inside) boundaries.push(code);
    inside = has;
  }
  return intersectSets({ boundaries }, assignedCharacters());
}
