/**
 * SentencePiece's byte-pair encoding (Llama 2, Mistral): spaces are the character `▁`, characters that the vocabulary lacks
 * become bytes `<0x41>`, and in place of an order of merges each token has a score: of all pairs that spell a token, the one of
 * the highest score is merged first. Merges in that order are the same, so they are what `tokenizer.json` gets.
 */

const SPACE = "▁";

/** All ways to spell a token by two others, the best first: as transformers converts such a vocabulary. */
export function computeMerges(
  tokens: readonly string[],
  scores: readonly number[],
): readonly (readonly [string, string])[] {
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const merges = tokens.flatMap((token, id) =>
    listSplits(token)
      .filter(([left, right]) => ids.has(left) && ids.has(right))
      .sort(([a, b], [c, d]) => ids.get(a)! - ids.get(c)! || ids.get(b)! - ids.get(d)!)
      .map((pair) => ({ pair, score: scores[id]! })),
  );
  return merges.sort((a, b) => b.score - a.score).map(({ pair }) => pair);
}

function listSplits(token: string): [string, string][] {
  const characters = Array.from(token);
  return characters
    .slice(1)
    .map((_, i) => [characters.slice(0, i + 1).join(""), characters.slice(i + 1).join("")]);
}

/** The parts of `tokenizer.json` beside the model. `prefix`: a text begins as if a space stood before it. */
export function createSentencePieceParts(addsSpacePrefix: boolean): Record<string, unknown> {
  const spaces = { type: "Replace", pattern: { String: " " }, content: SPACE };
  const start = { type: "Prepend", prepend: SPACE };
  const restoreSpaces = { type: "Replace", pattern: { String: SPACE }, content: " " };
  const strip = { type: "Strip", content: " ", start: 1, stop: 0 };
  return {
    normalizer: { type: "Sequence", normalizers: addsSpacePrefix ? [start, spaces] : [spaces] },
    pre_tokenizer: null,
    decoder: {
      type: "Sequence",
      decoders: [
        restoreSpaces,
        { type: "ByteFallback" },
        { type: "Fuse" },
        ...(addsSpacePrefix ? [strip] : []),
      ],
    },
  };
}
