/**
 * Sets of code points as sorted boundaries: a set contains the code points from boundary 0 up to boundary 1, from
 * boundary 2 up to boundary 3, and so on. Patterns and normalizers are built from such sets, so their results do not
 * depend on the version of Unicode that a JavaScript engine has.
 */

const END = 0x110000;

/** A set of code points. */
export interface CharacterSet {
  /** Where the set begins and ends, in ascending order: an even number of boundaries from 0 to 0x110000. */
  readonly boundaries: readonly number[];
}

export const EMPTY_SET: CharacterSet = { boundaries: [] };
export const ALL_CHARACTERS: CharacterSet = { boundaries: [0, END] };

/** Returns the set of the code points from `first` to `last`. */
export function characterRange(first: number, last: number): CharacterSet {
  return { boundaries: [first, last + 1] };
}

/** Returns the set of the characters of a text. */
export function charactersOf(text: string): CharacterSet {
  return uniteSets(
    ...Array.from(text, (character) => {
      const code = character.codePointAt(0)!;
      return characterRange(code, code);
    }),
  );
}

/** Reads a set from the distances between its boundaries, in base 36 and separated by commas. */
export function parseCharacterSet(distances: string): CharacterSet {
  let boundary = 0;
  const boundaries = distances.split(",").map((distance) => {
    boundary += Number.parseInt(distance, 36);
    return boundary;
  });
  return { boundaries };
}

export function uniteSets(...sets: readonly CharacterSet[]): CharacterSet {
  const ranges = sets
    .flatMap(({ boundaries }) =>
      boundaries.flatMap((start, i) => (i % 2 === 0 ? [[start, boundaries[i + 1]!] as const] : [])),
    )
    .sort(([a], [b]) => a - b);
  const boundaries: number[] = [];
  for (const [start, end] of ranges) {
    const last = boundaries.length - 1;
    if (last < 0 || start > boundaries[last]!) boundaries.push(start, end);
    else boundaries[last] = Math.max(boundaries[last]!, end);
  }
  return { boundaries };
}

export function complementSet({ boundaries }: CharacterSet): CharacterSet {
  const inside = boundaries[0] === 0 ? boundaries.slice(1) : [0, ...boundaries];
  return { boundaries: inside.at(-1) === END ? inside.slice(0, -1) : [...inside, END] };
}

export function intersectSets(a: CharacterSet, b: CharacterSet): CharacterSet {
  return complementSet(uniteSets(complementSet(a), complementSet(b)));
}

export function hasCharacter({ boundaries }: CharacterSet, code: number): boolean {
  let [low, high] = [0, boundaries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (boundaries[middle]! <= code) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

/** Returns the set as a character class of a regular expression with the flag `u`. */
export function toCharacterClass({ boundaries }: CharacterSet): string {
  let ranges = "";
  for (let i = 0; i < boundaries.length; i += 2) {
    const [first, last] = [boundaries[i]!, boundaries[i + 1]! - 1];
    ranges += first === last ? escapeCode(first) : `${escapeCode(first)}-${escapeCode(last)}`;
  }
  return `[${ranges}]`;
}

const escapeCode = (code: number) => `\\u{${code.toString(16)}}`;
