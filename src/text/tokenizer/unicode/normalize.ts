/**
 * Unicode normalization and lower case as the Python library `tokenizers` computes them.
 *
 * The library normalizes with the tables of Unicode 9. Normalized forms are stable: text of characters that Unicode 9
 * has gets the same form in every later version. So JavaScript normalizes the stretches between newer characters, and
 * the newer characters stay as they are.
 */
import {
  complementSet,
  hasCharacter,
  parseCharacterSet,
  toCharacterClass,
  uniteSets,
} from "./character-set.ts";
import { assignedCharacters } from "./properties.ts";
import { INERT, NEWEST_LOWER_CASE } from "./tables.ts";

export type NormalizationForm = "NFC" | "NFD" | "NFKC" | "NFKD";

const ASCII_ONLY = /^\p{ASCII}*$/u;
let inertStretches: RegExp | undefined;

export function normalizeUnicode(text: string, form: NormalizationForm): string {
  if (ASCII_ONLY.test(text)) return text;
  inertStretches ??= compileInertStretches();
  if (!inertStretches.test(text)) return text.normalize(form);
  return text
    .split(inertStretches)
    .map((part, i) => (i % 2 === 0 ? part.normalize(form) : part))
    .join("");
}

function compileInertStretches(): RegExp {
  const inert = uniteSets(complementSet(assignedCharacters()), parseCharacterSet(INERT));
  return new RegExp(`(${toCharacterClass(inert)}+)`, "u");
}

let newestLowerCase: ReadonlyMap<number, number> | undefined;

/**
 * Lowers each character by itself, so that a capital sigma becomes σ also at the end of a word. Characters that Unicode
 * 16 lacks are lowered as Rust's newer Unicode does.
 */
export function lowerCharacters(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  newestLowerCase ??= new Map(
    NEWEST_LOWER_CASE.split(",").map((pair) => {
      const [upper, lower] = pair.split(":").map((code) => Number.parseInt(code, 36));
      return [upper!, lower!];
    }),
  );
  let lowered = "";
  for (const character of text) lowered += lowerCharacter(character, newestLowerCase);
  return lowered;
}

function lowerCharacter(character: string, newest: ReadonlyMap<number, number>): string {
  const lower = character.toLowerCase();
  const code = character.codePointAt(0)!;
  const newer = newest.get(code);
  if (newer !== undefined) return String.fromCodePoint(newer);
  return lower === character || hasCharacter(assignedCharacters(), code) ? lower : character;
}
