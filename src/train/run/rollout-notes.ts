/**
 * Notes for the report and the studio on what learning computed for each token of some training rollouts, such as its
 * ratio and advantage. They are stored in `rollouts/notes-<iteration>.jsonl` (`rolloutNotesSchema`). Entry i of every
 * array belongs to the token at position `at[i]`. Methods that weight single tokens write notes; preference and
 * imitation methods do not.
 *
 * Only a sample of the rollouts gets notes on tokens, and the size of the file is limited, since every iteration writes
 * one.
 */
import { type GradedRollout, isScored, type RewardOptions, rewardOf } from "../../algo/index.ts";
import type { TokenRatios } from "../../methods/index.ts";
import { NOTES_BYTES, type RolloutNotes } from "../../spec/index.ts";

const SAMPLE_SIZE = 12;

export interface NotesOptions {
  /** Returns to note, by rollout id. */
  readonly returns?: ReadonlyMap<string, number>;
  readonly maxBytes?: number;
}

/**
 * Returns, by rollout id, the returns that differ from the rewards of the outcomes, because other reward terms were
 * paid. A reader can compute the others from the rollouts.
 */
export function findOtherReturns(
  graded: readonly Pick<GradedRollout, "rollout" | "reward">[],
  options: RewardOptions,
): Map<string, number> {
  const others = graded.filter(
    ({ rollout, reward }) =>
      Number.isFinite(reward) && isScored(rollout) && reward !== rewardOf(rollout, options),
  );
  return new Map(others.map(({ rollout, reward }) => [rollout.id, reward]));
}

/**
 * Returns notes on at most twelve of the rollouts that were learned from, evenly spread over the batch. The advantages
 * of all other graded rollouts follow. Notes that do not fit into `maxBytes`, and notes with numbers that JSON cannot
 * hold, are left out.
 */
export function makeRolloutNotes(
  all: readonly TokenRatios[],
  graded: readonly Pick<GradedRollout, "rollout" | "advantage">[] = [],
  { returns, maxBytes = NOTES_BYTES }: NotesOptions = {},
): RolloutNotes[] {
  const step = Math.max(1, Math.ceil(all.length / SAMPLE_SIZE));
  const sample = all.filter((_, index) => index % step === 0).flatMap(roundNotes);
  const noted = new Set(sample.map(({ id }) => id));
  // A method without token ratios has no advantages to show.
  const others = (all.length === 0 ? [] : graded)
    .map(({ rollout: { id }, advantage }) => ({ id, advantage, at: [], ratios: [] }))
    .filter(({ id, advantage }) => Number.isFinite(advantage) && !noted.has(id));
  const addReturn = (notes: RolloutNotes): RolloutNotes => {
    const { id, advantage, ...rest } = notes;
    const paid = returns?.get(id);
    return paid === undefined ? notes : { id, advantage, return: roundToFiveDigits(paid), ...rest };
  };
  let left = maxBytes;
  return [...sample, ...others].map(addReturn).filter((notes) => {
    const bytes = Buffer.byteLength(JSON.stringify(notes)) + 1;
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
}

/** The columns with one number per token that a method may report, in the order of the file. */
const TOKEN_COLUMNS = ["ratios", "advantages", "old", "current", "clipped", "entropies"] as const;

function roundNotes(ratios: TokenRatios): RolloutNotes[] {
  const { id, advantage, at } = ratios;
  const columns = TOKEN_COLUMNS.flatMap((name) => {
    const values = ratios[name];
    return values ? [[name, Array.from(values, roundToFiveDigits)] as const] : [];
  });
  if (!columns.every(([, values]) => values.every(Number.isFinite))) return [];
  return [{ id, advantage, at: [...at], ...Object.fromEntries(columns) } as RolloutNotes];
}

function roundToFiveDigits(value: number): number {
  return Number(value.toFixed(5));
}
