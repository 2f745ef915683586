/**
 * Finds added tokens in a text before the model sees it. Tokens with `normalized` are looked for in the normalized
 * text, the others in the text itself. From left to right, the longest token counts.
 */
import { BowlineError, formatValue } from "../../../core/index.ts";
import type { AddedToken } from "../format/tokenizer-format.ts";
import { hasCharacter } from "../unicode/character-set.ts";
import { rustWordCharacters } from "../unicode/properties.ts";
import { PrefixIndex } from "./prefix-index.ts";
import { endOfSpace, type Segment, sliceSegment, startOfSpace } from "./segment.ts";

/** A part of a text: an added token, or a segment without one. */
export type TextPart = { readonly id: number } | { readonly segment: Segment };

/** Cuts a segment at the added tokens in it. */
export type TokenFinder = (segment: Segment) => readonly TextPart[];

/**
 * Checks the ids of added tokens. The Python library numbers tokens itself: a token that the model knows has the
 * model's id, and the others follow the model's vocabulary in their order. Throws a `checkpoint` error where the file
 * says something else, because then nobody knows which row of the embedding is meant.
 */
export function checkAddedIds(
  tokens: readonly AddedToken[],
  vocabulary: ReadonlyMap<string, number>,
): void {
  const ids = new Map<string, number>();
  let next = vocabulary.size;
  for (const [i, { content, id }] of tokens.entries()) {
    if (content === "") continue;
    const expected = vocabulary.get(content) ?? ids.get(content) ?? next;
    if (expected === next && !vocabulary.has(content)) next++;
    ids.set(content, expected);
    if (id === expected) continue;
    throw new BowlineError(
      "checkpoint",
      `tokenizer.json: added_tokens.${i}: ${formatValue(content)} has the id ${id}, but the tokenizers library gives it ${expected}; put the token into model.vocab with its id`,
    );
  }
}

/**
 * Creates a finder of tokens. `texts` are the texts to look for, which normalization may have changed. A token in
 * `ignored` is found, and the text stays text.
 */
export function createTokenFinder(
  tokens: readonly AddedToken[],
  texts: readonly string[],
  ignored: ReadonlySet<number>,
): TokenFinder {
  const index = new PrefixIndex(texts.map((text, i) => [text, i]));
  const { firstUnits } = index;
  if (firstUnits.length === 0) return (segment) => [{ segment }];
  const escapes = firstUnits.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`);
  const candidates = new RegExp(`[${escapes.join("")}]`, "g");
  return (segment) => {
    const parts: TextPart[] = [];
    let last = 0;
    for (const [start, end, token] of findTokens(
      segment.text,
      index,
      candidates,
      tokens,
      ignored,
    )) {
      const from = token.lstrip ? startOfSpace(segment.text, start) : start;
      const to = token.rstrip ? endOfSpace(segment.text, end) : end;
      if (last < from) parts.push({ segment: sliceSegment(segment, last, from) });
      parts.push({ id: token.id });
      last = to;
    }
    if (last < segment.text.length) {
      parts.push({ segment: sliceSegment(segment, last, segment.text.length) });
    }
    return parts;
  };
}

/** Yields the tokens in a text with their positions. */
function* findTokens(
  text: string,
  index: PrefixIndex,
  candidates: RegExp,
  tokens: readonly AddedToken[],
  ignored: ReadonlySet<number>,
): Generator<[start: number, end: number, token: AddedToken]> {
  candidates.lastIndex = 0;
  for (let found = candidates.exec(text); found !== null; found = candidates.exec(text)) {
    const longest = index.findLongest(text, found.index);
    if (longest === undefined) continue;
    const end = found.index + longest.length;
    candidates.lastIndex = end;
    const token = tokens[longest.value]!;
    if (ignored.has(token.id)) continue;
    if (token.single_word && !standsAlone(text, found.index, end)) continue;
    yield [found.index, end, token];
    candidates.lastIndex = end;
  }
}

/** Tells whether no word character is directly before or after a stretch of text. */
function standsAlone(text: string, start: number, end: number): boolean {
  const word = rustWordCharacters();
  const before = Array.from(text.slice(Math.max(0, start - 2), start)).at(-1);
  const after = text.codePointAt(end);
  if (before !== undefined && hasCharacter(word, before.codePointAt(0)!)) return false;
  return after === undefined || !hasCharacter(word, after);
}
