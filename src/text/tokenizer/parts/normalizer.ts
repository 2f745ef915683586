/** Creates the normalizer of a `tokenizer.json`, which changes a text before it is cut. */
import type { NormalizerPart } from "../format/normalizer-tables.ts";
import { toCharacterClass, uniteSets } from "../unicode/character-set.ts";
import { lowerCharacters, normalizeUnicode } from "../unicode/normalize.ts";
import { accents, combiningMarks, controlCharacters, WHITE_SPACE } from "../unicode/properties.ts";
import { toByteText } from "./byte-characters.ts";
import { createPrecompiledNormalizer } from "./precompiled.ts";
import {
  endOfSpace,
  mapSegment,
  prependToSegment,
  replaceMatches,
  type Segment,
  sliceSegment,
  startOfSpace,
} from "./segment.ts";

export type Normalizer = (segment: Segment) => Segment;

const SPACE = toCharacterClass(WHITE_SPACE);
const WHITE_SPACES = new RegExp(SPACE, "gu");
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

function stripSegment(segment: Segment, left: boolean, right: boolean): Segment {
  const { text } = segment;
  const start = left ? endOfSpace(text, 0) : 0;
  const end = right ? startOfSpace(text, text.length) : text.length;
  return sliceSegment(segment, start, Math.max(start, end));
}
