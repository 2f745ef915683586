/** Finds the names that somebody may have meant who wrote one that does not exist, such as `deleteMail`. */
import { editDistance } from "../../core/index.ts";
import { splitWords, stem, synonymsOf } from "./words.ts";

/**
 * Says that a name does not exist, and which names there are. `quote` encloses a name. A slip of the pen is answered by
 * the one name that was meant. Otherwise all names are listed when they are at most `few`, or else the three nearest.
 */
export function explainUnknownName(
  what: string,
  name: string,
  known: readonly string[],
  quote: '"' | "'",
  few = 3,
): string {
  const quoted = (text: string) => quote + text + quote;
  const start = `${what} ${quoted(name)}`;
  const slips = known.filter((other) => isSlip(name, other));
  if (slips.length === 0 && known.length <= few) {
    return `${start}; there ${known.length === 1 ? "is" : "are"} ${known.join(", ")}`;
  }
  const near = slips.length === 1 ? slips : nearestNames(name, known);
  const [last, ...others] = near.map(quoted).toReversed();
  const list = others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`;
  return `${start}; did you mean ${list}?`;
}

/** Returns true when one name is the other with another case, other marks between its words, or a wrong letter. */
function isSlip(name: string, other: string): boolean {
  const [a, b] = [name, other].map((text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
  return a !== "" && editDistance(a!, b!) <= (Math.min(a!.length, b!.length) >= 4 ? 2 : 1);
}

/** Returns the three names that are nearest by their words, synonyms of these, and their letters, the nearest first. */
function nearestNames(name: string, known: readonly string[]): string[] {
  const asked = splitWords(name).map(stem);
  const scored = known.map((other) => {
    const words = splitWords(other).map(stem);
    const shared = asked.reduce((sum, word) => sum + likeness(word, words), 0);
    const length = Math.max(name.length, other.length, 1);
    const letters = 1 - editDistance(name.toLowerCase(), other.toLowerCase()) / length;
    return { other, score: shared / Math.sqrt(words.length || 1) + letters };
  });
  const ranked = scored.sort((a, b) => b.score - a.score);
  return ranked.slice(0, 3).map(({ other }) => other);
}

/** Returns 1 when the word is among others, and 0.7 when a synonym of it is. */
function likeness(word: string, others: readonly string[]): number {
  if (others.includes(word)) return 1;
  return others.some((other) => synonymsOf(word).has(other)) ? 0.7 : 0;
}
