/** Creates the normalizer of a `tokenizer.json`, which changes a text before it is cut. */
import type { NormalizerPart } from "../format/normalizer-tables.ts";
import { complementSet, toCharacterClass, uniteSets } from "../unicode/character-set.ts";
import { lowerCharacters, normalizeUnicode } from "../unicode/normalize.ts";
import { accents, combiningMarks, controlCharacters, WHITE_SPACE } from "../unicode/properties.ts";
import { toByteText } from "./byte-characters.ts";
import { findMatches } from "./find-matches.ts";
import { createPrecompiledNormalizer } from "./precompiled.ts";
import { mapSegment, prependToSegment, type Segment } from "./segment.ts";

export type Normalizer = (segment: Segment) => Segment;

const SPACE = toCharacterClass(WHITE_SPACE);
const WHITE_SPACES = new RegExp(SPACE, "gu");
const NOT_SPACE = toCharacterClass(complementSet(WHITE_SPACE));
const CHINESE =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const NMT_REMOVED = new RegExp(
  toCharacterClass({ boundaries: [1, 9, 11, 12, 14, 32, 127, 128, 143, 144, 159, 160] }),
  "gu",
);
const NMT_SPACES = /[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]/g;

export function createNormalizer(part: NormalizerPart): Normalizer {
  switch (part.type) {
    case "Sequence": {
      const normalizers = part.normalizers.map(createNormalizer);
      return (segment) => normalizers.reduce((one, normalize) => normalize(one), segment);
    }
    case "Prepend":
      return (segment) => (segment.text === "" ? segment : prependToSegment(segment, part.prepend));
    case "Replace":
      return (segment) => replaceMatches(segment, part.pattern.expression, part.content);
    case "Strip":
      return (segment) => stripSegment(segment, part.strip_left, part.strip_right);
    default: {
      const change = createCharacterNormalizer(part);
      return (segment) => mapSegment(segment, change);
    }
  }
}

/** Creates a normalizer that changes characters where they are. */
function createCharacterNormalizer(
  part: Exclude<NormalizerPart, { type: "Sequence" | "Prepend" | "Replace" | "Strip" }>,
): (text: string) => string {
  switch (part.type) {
    case "NFC":
    case "NFD":
    case "NFKC":
    case "NFKD":
      return (text) => normalizeUnicode(text, part.type);
    case "Lowercase":
      return lowerCharacters;
    case "StripAccents":
      return createRemover(toCharacterClass(combiningMarks()));
    case "Nmt":
      return (text) => text.replace(NMT_REMOVED, "").replace(NMT_SPACES, " ");
    case "ByteLevel":
      return toByteText;
    case "Precompiled":
      return createPrecompiledNormalizer(part.precompiled_charsmap);
    case "BertNormalizer":
      return createBertNormalizer(part);
  }
}

function createRemover(characterClass: string): (text: string) => string {
  const expression = new RegExp(characterClass, "gu");
  return (text) => text.replace(expression, "");
}

function createBertNormalizer({
  clean_text,
  handle_chinese_chars,
  strip_accents,
  lowercase,
}: Extract<NormalizerPart, { type: "BertNormalizer" }>): (text: string) => string {
  const removedByCleaning = uniteSets(controlCharacters(), { boundaries: [0xfffd, 0xfffe] });
  const clean = createRemover(toCharacterClass(removedByCleaning));
  const removeAccents = createRemover(toCharacterClass(accents()));
  const steps: ((text: string) => string)[] = [];
  if (clean_text) steps.push((text) => clean(text).replace(WHITE_SPACES, " "));
  if (handle_chinese_chars) steps.push((text) => text.replace(CHINESE, " $& "));
  if (strip_accents ?? lowercase) {
    steps.push((text) => removeAccents(normalizeUnicode(text, "NFD")));
  }
  if (lowercase) steps.push(lowerCharacters);
  return (text) => steps.reduce((changed, step) => step(changed), text);
}

/** Replaces all matches. A replacement comes from where its match ends. */
function replaceMatches({ text, head }: Segment, expression: RegExp, content: string): Segment {
  const matches = findMatches(expression, text);
  if (matches.length === 0) return { text, head };
  let [replaced, newHead, last] = ["", 0, 0];
  for (const [start, end] of matches) {
    if (last < head) newHead = replaced.length + Math.min(start, head) - last;
    replaced += text.slice(last, start) + content;
    if (end <= head) newHead = replaced.length;
    last = end;
  }
  if (last < head) newHead = replaced.length + head - last;
  return { text: replaced + text.slice(last), head: head === 0 ? 0 : newHead };
}

const LEADING_SPACE = new RegExp(`^${SPACE}+`, "u");

function stripSegment({ text, head }: Segment, left: boolean, right: boolean): Segment {
  const start = left ? (LEADING_SPACE.exec(text)?.[0].length ?? 0) : 0;
  const end = right ? endWithoutSpace(text) : text.length;
  return { text: text.slice(start, Math.max(start, end)), head: Math.max(0, head - start) };
}

const NOT_SPACE_AT = new RegExp(NOT_SPACE, "u");

/** Returns where the white space at the end of a text starts. It looks from the end, so that the time is linear. */
function endWithoutSpace(text: string): number {
  let end = text.length;
  while (end > 0 && !NOT_SPACE_AT.test(text[end - 1]!)) end--;
  return end;
}
