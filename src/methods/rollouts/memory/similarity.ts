/**
 * Computes how similar stored texts are to a query: BM25 over words (Robertson and Zaragoza 2009, k1 = 1.2, b = 0.75),
 * divided by the score of the query itself. It uses no model and gives the same numbers on every machine.
 */
const K1 = 1.2;
const B = 0.75;

/** Returns the words and numbers of a text in lower case, in order. */
export function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the similarity of each text to the query, from 0 (no common word) to about 1 (the query itself). */
export function computeSimilarities(query: string, texts: readonly string[]): number[] {
  const asked = splitWords(query);
  const documents = texts.map(splitWords);
  const all = [...documents, asked];
  const meanLength = all.reduce((sum, words) => sum + words.length, 0) / all.length;
  const weights = new Map(
    [...new Set(asked)].map((word) => {
      const holders = all.filter((words) => words.includes(word)).length;
      return [word, Math.log(1 + (all.length - holders + 0.5) / (holders + 0.5))];
    }),
  );
  const score = (words: readonly string[]) => {
    let sum = 0;
    for (const [word, weight] of weights) {
      const count = words.filter((other) => other === word).length;
      const norm = K1 * (1 - B + (B * words.length) / Math.max(meanLength, 1));
      sum += (weight * count * (K1 + 1)) / (count + norm);
    }
    return sum;
  };
  const own = score(asked);
  return documents.map((words) => (own === 0 ? 0 : score(words) / own));
}
