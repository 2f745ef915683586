/**
 * `rollouts/facts-<file>.jsonl`: the facts of the rollouts of a file, so that lists and queries need not read tokens and
 * turns. The file is written beside the rollouts, and can be missing: whoever reads facts can compute them.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  addFirstDifferences,
  collectFacts,
  listCalls,
  parseFileName,
  type RewardOptions,
} from "../../algo/index.ts";
import { readFittingLines, writeFileAtomic } from "../../core/index.ts";
import { type Rollout, type StoredFacts, storedFactsSchema } from "../../spec/index.ts";
import { encodeLine } from "./rollout-lines.ts";

/** Writes `rollouts/<name>.jsonl`, and the facts beside it if the name is one of a file of rollouts. */
export function writeRolloutFile(
  folder: string,
  name: string,
  rows: readonly unknown[],
  reward: RewardOptions,
): void {
  const lengths: number[] = [];
  writeFileAtomic(join(folder, `${name}.jsonl`), encodeLines(rows, lengths));
  if (!parseFileName(name)) return;
  let offset = 0;
  const facts = lengths.map((lineLength, i) => {
    const at: [number, number] = [offset, lineLength - 1];
    offset += lineLength;
    const rollout = rows[i] as Rollout;
    return { facts: { at, ...collectFacts(rollout, reward) }, calls: listCalls(rollout) };
  });
  const text = addFirstDifferences<StoredFacts>(facts)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
  writeFileAtomic(join(folder, factsFileName(name)), text);
}

/** Yields the lines of a file one by one, because all of them may not fit into memory, and records their lengths. */
function* encodeLines(rows: readonly unknown[], lengths: number[]): Iterable<Uint8Array> {
  for (const row of rows) {
    const line = encodeLine(row);
    lengths.push(line.length);
    yield line;
  }
}

/** Returns the name of the file with the facts of the rollouts in `<file>.jsonl`. */
export const factsFileName = (file: string): string => `facts-${file}.jsonl`;

/**
 * Reads the facts of the rollouts in `<file>.jsonl`. Returns undefined if there are none, or if they are not those of
 * the file as it is now.
 */
export function readStoredFacts(folder: string, file: string): StoredFacts[] | undefined {
  const path = join(folder, factsFileName(file));
  if (!existsSync(path)) return undefined;
  const facts = readFittingLines(path, storedFactsSchema);
  return describesFile(facts, statSync(join(folder, `${file}.jsonl`)).size) ? facts : undefined;
}

/** Returns whether the facts' lines cover a file of `size` bytes without a gap. */
export function describesFile(facts: readonly StoredFacts[], size: number): boolean {
  let end = 0;
  for (const { at } of facts) {
    if (at[0] !== end) return false;
    end = at[0] + at[1] + 1;
  }
  return end === size;
}
