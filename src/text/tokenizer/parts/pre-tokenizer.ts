/** Creates the pre-tokenizer of a `tokenizer.json`, which cuts a text into pieces. */
import { BowlineError } from "../../../core/index.ts";
import type { PreTokenizerPart, SplitBehavior } from "../format/pre-tokenizer-tables.ts";
import { compilePattern } from "../pattern/compile-pattern.ts";
import { PIECE_PATTERN, splitIntoPieces } from "../pieces.ts";
import { charactersOf, toCharacterClass, uniteSets } from "../unicode/character-set.ts";
import {
  numericCharacters,
  punctuation,
  rustWordCharacters,
  WHITE_SPACE,
} from "../unicode/properties.ts";
import { toByteText } from "./byte-characters.ts";
import { cutAtMatches, findMatches, type Range } from "./find-matches.ts";
import { mapSegment, prependToSegment, type Segment, sliceSegment } from "./segment.ts";

/** One step of a pre-tokenizer: it changes a segment, cuts it, and then changes the pieces. */
interface Step {
  readonly before?: (segment: Segment) => Segment;
  readonly cut?: (text: string) => readonly Range[];
  /** Cuts a text like `cut`, but faster, because it returns no positions. */
  readonly cutFast?: (text: string) => readonly string[] | undefined;
  /** Changes each piece by itself. */
  readonly rewrite?: (text: string) => string;
  /** Tells that the step asks where a segment comes from. */
  readonly readsHead?: boolean;
}

/** Cuts segments of text into pieces. */
export interface PreTokenizer {
  /** Tells that the result depends on where a segment comes from. */
  readonly readsHead: boolean;
  /** Returns the pieces before `rewrite`. No piece is empty. */
  cut(segment: Segment): string[];
  /** The last change of each piece. It is separate so that its result can be remembered with the piece's tokens. */
  rewrite(piece: string): string;
}

/** How GPT-2 cuts a text, also where a file asks for `ByteLevel` with `use_regex`. */
export const GPT2_PATTERN =
  "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

/** Creates a pre-tokenizer. Without a part, each segment is one piece. Throws a `checkpoint` error. */
export function createPreTokenizer(part: PreTokenizerPart | null | undefined): PreTokenizer {
  const steps = part ? listSteps(part) : [];
  const last = steps.at(-1);
  return {
    readsHead: steps.some((step) => step.readsHead === true),
    cut(segment) {
      let segments = segment.text === "" ? [] : [segment];
      for (const step of steps) segments = runStep(step, segments, step === last);
      return segments.map(({ text }) => text);
    },
    rewrite: last?.rewrite ?? ((piece) => piece),
  };
}

function runStep(step: Step, segments: readonly Segment[], isLast: boolean): Segment[] {
  const out: Segment[] = [];
  for (const segment of segments) {
    const changed = step.before?.(segment) ?? segment;
    for (const piece of cutSegment(step, changed)) {
      if (piece.text === "") continue;
      out.push(step.rewrite === undefined || isLast ? piece : mapSegment(piece, step.rewrite));
    }
  }
  return out;
}

function cutSegment({ cut, cutFast }: Step, segment: Segment): readonly Segment[] {
  if (cut === undefined) return [segment];
  const { text, head } = segment;
  const pieces = head === 0 ? cutFast?.(text) : undefined;
  if (pieces !== undefined) return pieces.map((piece) => ({ text: piece, head: 0 }));
  return cut(text).map(([start, end]) => sliceSegment(segment, start, end));
}

function listSteps(part: PreTokenizerPart): readonly Step[] {
  switch (part.type) {
    case "Sequence":
      return part.pretokenizers.flatMap(listSteps);
    case "BertPreTokenizer":
      return [
        matchStep(toCharacterClass(WHITE_SPACE), "Removed"),
        matchStep(toCharacterClass(punctuation()), "Isolated"),
      ];
    case "ByteLevel":
      return [createByteLevelStep(part)];
    case "CharDelimiterSplit":
      return [matchStep(toCharacterClass(charactersOf(part.delimiter)), "Removed")];
    case "Digits": {
      const behavior = part.individual_digits ? "Isolated" : "Contiguous";
      return [matchStep(toCharacterClass(numericCharacters()), behavior)];
    }
    case "FixedLength":
      return [matchStep(`[^]{1,${part.length}}`, "Isolated")];
    case "Metaspace":
      return [createMetaspaceStep(part)];
    case "Punctuation":
      return [matchStep(toCharacterClass(punctuation()), part.behavior)];
    case "Split":
      return [createSplitStep(part)];
    case "Whitespace":
      return [matchStep(createWhitespacePattern(), "Removed", true)];
    case "WhitespaceSplit":
      return [matchStep(toCharacterClass(WHITE_SPACE), "Removed")];
  }
}

function createWhitespacePattern(): string {
  const word = rustWordCharacters();
  const classes = toCharacterClass(uniteSets(word, WHITE_SPACE));
  return `${toCharacterClass(word)}+|[^${classes.slice(1)}+`;
}

function matchStep(source: string, behavior: SplitBehavior, invert = false): Step {
  return expressionStep(new RegExp(source, "gu"), behavior, invert);
}

function expressionStep(expression: RegExp, behavior: SplitBehavior, invert: boolean): Step {
  return {
    cut: (text) => cutAtMatches(findMatches(expression, text), text.length, behavior, invert),
    ...(behavior === "Isolated" && { cutFast: (text) => matchWholeText(expression, text) }),
  };
}

/** Returns the matches of a pattern if they make up the whole text, as those of most models do. */
function matchWholeText(expression: RegExp, text: string): readonly string[] | undefined {
  const pieces: readonly string[] = text.match(expression) ?? [];
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length === text.length && !pieces.includes("") ? pieces : undefined;
}

function createSplitStep({
  pattern,
  behavior,
  invert,
}: Extract<PreTokenizerPart, { type: "Split" }>): Step {
  const step = expressionStep(pattern.expression, behavior, invert);
  const isOurs = "Regex" in pattern.source && pattern.source.Regex === PIECE_PATTERN;
  if (!isOurs || behavior !== "Isolated") return step;
  // The pattern of tokenizers that are trained here looks ahead over long rows of punctuation. This takes linear time.
  return { cut: (text) => toRanges(splitIntoPieces(text)), cutFast: splitIntoPieces };
}

function toRanges(pieces: readonly string[]): Range[] {
  let start = 0;
  return pieces.map((piece): Range => {
    start += piece.length;
    return [start - piece.length, start];
  });
}

function createByteLevelStep({
  add_prefix_space,
  use_regex,
}: Extract<PreTokenizerPart, { type: "ByteLevel" }>): Step {
  const addSpace = (segment: Segment) =>
    segment.text.startsWith(" ") ? segment : prependToSegment(segment, " ");
  return {
    ...(add_prefix_space && { before: addSpace }),
    ...(use_regex && expressionStep(compilePattern(GPT2_PATTERN), "Isolated", false)),
    rewrite: toByteText,
  };
}

function createMetaspaceStep({
  replacement,
  add_prefix_space,
  prepend_scheme,
  split,
}: Extract<PreTokenizerPart, { type: "Metaspace" }>): Step {
  if (add_prefix_space === false && prepend_scheme !== "never") {
    throw new BowlineError(
      "checkpoint",
      `tokenizer.json: pre_tokenizer Metaspace: add_prefix_space false does not go with prepend_scheme ${prepend_scheme}; expected never`,
    );
  }
  const before = (segment: Segment) => {
    const replaced = mapSegment(segment, (text) => text.replaceAll(" ", replacement));
    const prepends =
      prepend_scheme === "always" || (prepend_scheme === "first" && segment.head > 0);
    return prepends && !replaced.text.startsWith(replacement)
      ? prependToSegment(replaced, replacement)
      : replaced;
  };
  const expression = new RegExp(toCharacterClass(charactersOf(replacement)), "gu");
  return {
    before,
    ...(split !== false && expressionStep(expression, "MergedWithNext", false)),
    readsHead: prepend_scheme === "first",
  };
}
