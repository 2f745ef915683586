/**
 * SentencePiece's precompiled replacements. The binary form has the length of a trie in bytes, the trie as a double
 * array of 32-bit units, and the replacements, each with a zero byte at its end.
 */
import { BowlineError } from "../../../core/index.ts";

const ASCII_ONLY = /^\p{ASCII}*$/u;
/** Graphemes of more bytes are replaced character by character. */
const MAX_GRAPHEME_BYTES = 5;

/** How many code units the segmenter gets at a time. */
const WINDOW = 128;

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Creates the normalizer. Throws a `checkpoint` error if the binary form is malformed. */
export function createPrecompiledNormalizer(charsmap: string): (text: string) => string {
  const bytes = Buffer.from(charsmap, "base64");
  const trieBytes = bytes.length >= 4 ? bytes.readUInt32LE(0) : -1;
  if (trieBytes < 4 || trieBytes % 4 !== 0 || 4 + trieBytes > bytes.length) {
    throw new BowlineError(
      "checkpoint",
      `normalizer.precompiled_charsmap: expected the length of a trie below ${bytes.length} bytes, got ${trieBytes}`,
    );
  }
  const units = Uint32Array.from({ length: trieBytes / 4 }, (_, i) =>
    bytes.readUInt32LE(4 + 4 * i),
  );
  const replacements = bytes.subarray(4 + trieBytes);
  const known = new Map<string, string | undefined>();
  const replace = (part: string) => {
    if (!known.has(part)) known.set(part, findReplacement(units, replacements, part));
    return known.get(part);
  };
  return (text) => {
    let normalized = "";
    visitGraphemes(text, (grapheme) => {
      const isShort = grapheme.length <= MAX_GRAPHEME_BYTES;
      const whole =
        isShort && Buffer.byteLength(grapheme) <= MAX_GRAPHEME_BYTES
          ? replace(grapheme)
          : undefined;
      if (whole !== undefined) normalized += whole;
      else for (const character of grapheme) normalized += replace(character) ?? character;
    });
    return normalized;
  };
}

/** Calls `visit` with what a reader takes for one character, again and again. */
function visitGraphemes(text: string, visit: (grapheme: string) => void): void {
  // In ASCII only a carriage return may belong to the next character.
  if (ASCII_ONLY.test(text) && !text.includes("\r")) {
    for (const character of text) visit(character);
    return;
  }
  // The segmenter takes quadratic time for a long text, so it gets windows. Each starts where a grapheme starts.
  let size = WINDOW;
  for (let start = 0; start < text.length; ) {
    const end = start + size;
    const graphemes = Array.from(segmenter.segment(text.slice(start, end)), (one) => one.segment);
    const isLastWindow = end >= text.length;
    // The last grapheme of a window may go on after it.
    const whole = isLastWindow ? graphemes : graphemes.slice(0, -1);
    for (const grapheme of whole) {
      visit(grapheme);
      start += grapheme.length;
    }
    size = whole.length > 0 ? WINDOW : size * 2;
  }
}

/** Returns the replacement of the shortest beginning of `part` that has one, which then replaces the whole part. */
function findReplacement(
  units: Uint32Array,
  replacements: Buffer,
  part: string,
): string | undefined {
  let node = 0;
  let unit = units[0]!;
  node ^= offsetOf(unit);
  for (const byte of Buffer.from(part)) {
    node ^= byte;
    unit = units[node] ?? 0;
    if (byte === 0 || (unit & 0x800000ff) >>> 0 !== byte) return undefined;
    node ^= offsetOf(unit);
    const hasValue = ((unit >>> 8) & 1) === 1;
    if (hasValue) {
      const start = (units[node] ?? 0) & 0x7fffffff;
      const end = replacements.indexOf(0, start);
      return replacements.toString("utf8", start, end < 0 ? undefined : end);
    }
  }
  return undefined;
}

const offsetOf = (unit: number) => (unit >>> 10) << ((unit & (1 << 9)) >>> 6);
