/**
 * SentencePiece's byte-pair encoding (Llama 2, Mistral). Spaces become the character `▁`, and characters that are not
 * in the vocabulary become bytes such as `<0x41>`. There is no list of merges: each token has a score, and the pair
 * whose token has the highest score is merged first. A `tokenizer.json` gets the merges in the order of these scores.
 */

const SPACE = "▁";

/** Returns all pairs of tokens that form another token, highest score first, as transformers converts a vocabulary. */
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

/** Returns the parts of a `tokenizer.json` besides the model. `addsSpacePrefix` puts a space before every text. */
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
