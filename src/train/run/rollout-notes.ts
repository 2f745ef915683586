/**
 * What learning knew of each token, on a sample of training rollouts: `rollouts/notes-<iteration>.jsonl`, for the
 * report and the studio (`rolloutNotesSchema`). The token at `at[i]` has entry i of every array. Methods that weigh
 * single tokens tell (the clipped ones, with and without a critic); pairs and imitation have no advantage and no ratio
 * to tell.
 *
 * Tokens are noted of a sample, and the file is bounded in bytes: a run keeps one an iteration, and nobody reads more
 * of it.
 */
import type { GradedRollout } from "../../algo/index.ts";
import type { TokenRatios } from "../../methods/index.ts";
import { NOTES_BYTES, type RolloutNotes } from "../../spec/index.ts";

const SAMPLE = 12;

/**
 * Notes on at most twelve of the rollouts that were learned from, spread evenly over the batch; then the advantages
 * alone of all others that were graded. Those that do not fit into `mostBytes` any more are left out, and those with a
 * number that JSON does not have.
 */
export function rolloutNotes(
  all: readonly TokenRatios[],
  graded: readonly Pick<GradedRollout, "rollout" | "advantage">[] = [],
  mostBytes = NOTES_BYTES,
): RolloutNotes[] {
  const step = Math.max(1, Math.ceil(all.length / SAMPLE));
  const sample = all.filter((_, index) => index % step === 0).flatMap(rounded);
  const noted = new Set(sample.map(({ id }) => id));
  // A method that tells nothing of tokens has no use for an advantage.
  const others = (all.length === 0 ? [] : graded)
    .map(({ rollout: { id }, advantage }) => ({ id, advantage, at: [], ratios: [] }))
    .filter(({ id, advantage }) => Number.isFinite(advantage) && !noted.has(id));
  let left = mostBytes;
  return [...sample, ...others].filter((notes) => {
    const bytes = Buffer.byteLength(JSON.stringify(notes)) + 1;
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
}

/** Columns of a token that a method may have, in the order of the file. */
const COLUMNS = ["ratios", "advantages", "old", "current", "clipped", "entropies"] as const;

function rounded(ratios: TokenRatios): RolloutNotes[] {
  const { id, advantage, at } = ratios;
  const columns = COLUMNS.flatMap((name) => {
    const values = ratios[name];
    return values ? [[name, Array.from(values, fiveDigits)] as const] : [];
  });
  if (!columns.every(([, values]) => values.every(Number.isFinite))) return [];
  return [{ id, advantage, at: [...at], ...Object.fromEntries(columns) } as RolloutNotes];
}

function fiveDigits(value: number): number {
  return Number(value.toFixed(5));
}
