/**
 * Searches the text of rollouts: messages, code, observations and speech.
 *
 * Most lines do not hold the words, so bytes are searched first. Only the turns of lines that hold all words are parsed,
 * because the words may be in a name of JSON or in an argument that the text does not show.
 */
import { asksForText, matchesText, type Query } from "../../../algo/index.ts";
import { giveWay } from "../../../core/index.ts";
import { parseTurnTexts, type RunFile, type Runs, withFile } from "../runs/index.ts";
import type { PlacedFacts } from "./load-facts.ts";

/** Returns those of the rollouts of a file whose text matches the query. All match a query that does not ask for it. */
export async function searchText(
  runs: Runs,
  file: RunFile,
  query: Query,
  rollouts: readonly PlacedFacts[],
): Promise<readonly PlacedFacts[]> {
  if (!asksForText(query) || rollouts.length === 0) return rollouts;
  const mayMatch = createByteFilter(query);
  const found: PlacedFacts[] = [];
  await withFile(runs.folder, file.path, async (opened) => {
    let buffer = Buffer.allocUnsafe(1 << 16);
    for (const placed of rollouts) {
      const [offset, length] = placed.at;
      if (buffer.length < length) buffer = Buffer.allocUnsafe(length * 2);
      const { bytesRead } = await opened.read(buffer, 0, length, offset);
      await giveWay();
      if (bytesRead < length || !mayMatch(buffer, length)) continue;
      const rollout = parseTurnTexts(buffer, 0, length);
      if (rollout && matchesText(query, rollout)) found.push(placed);
    }
  });
  return found;
}

/**
 * Returns a function that says whether a line may match. It only looks for words of plain letters: others may be written
 * in several ways in JSON, or in other bytes when their case differs.
 */
function createByteFilter({ terms }: Query): (bytes: Buffer, length: number) => boolean {
  const words = terms.flatMap((term) =>
    term.kind === "text" && !term.negated ? (term.text.match(/[ !#-.0-[\]-~]+/g) ?? []) : [],
  );
  const patterns = words.map((word) => new RegExp(escapeForRegExp(word), "i"));
  return (bytes, length) => {
    if (patterns.length === 0) return true;
    const text = bytes.toString("latin1", 0, length);
    return patterns.every((pattern) => pattern.test(text));
  };
}

const escapeForRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
