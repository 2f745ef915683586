/**
 * Selects the rollouts that a report includes: enough to see what changed, and few enough for one file. Training
 * rollouts with notes on their tokens are taken evenly from all iterations. Evaluations come in pairs of the same task
 * before and after training.
 */

import { isPassed } from "../algo/index.ts";
import type { Rollout } from "../spec/index.ts";
import { type RunRecord, readNotes, readRollouts, type TokenNotes } from "./run-directory.ts";

export interface SelectedRollout {
  readonly rollout: Rollout;
  readonly notes?: TokenNotes;
  /** The phase of the rollout: `train`, or `before` and `after` for evaluations. */
  readonly phase: string;
  /** The text that the list shows next to the task. */
  readonly label: string;
}

const MAX_TRAINING_FILES = 6;
const ROLLOUTS_PER_FILE = 5;

export function selectReportRollouts(run: RunRecord): SelectedRollout[] {
  return [...selectEvaluationPairs(run), ...selectTrainingRollouts(run)];
}

function selectTrainingRollouts({ directory, rolloutFiles }: RunRecord): SelectedRollout[] {
  const files = rolloutFiles.filter((name) => name.startsWith("train-"));
  return pickEvenly(files, MAX_TRAINING_FILES).flatMap((file) => {
    const iteration = file.slice("train-".length);
    const notes = readNotes(directory, iteration);
    const rows = readRollouts(directory, file);
    const rolloutsWithNotes = rows.filter(({ id }) => notes.has(id));
    return pickEvenly(
      rolloutsWithNotes.length > 0 ? rolloutsWithNotes : rows,
      ROLLOUTS_PER_FILE,
    ).map((rollout): SelectedRollout => {
      const shown = { rollout, phase: "train", label: `iteration ${Number(iteration)}` };
      const own = notes.get(rollout.id);
      return own ? { ...shown, notes: own } : shown;
    });
  });
}

/**
 * Returns pairs of rollouts of one task, before and after training. First come tasks that were learned, then tasks that
 * were lost, then tasks that failed twice, then tasks that passed twice.
 */
function selectEvaluationPairs({ directory, rolloutFiles }: RunRecord): SelectedRollout[] {
  const split = ["test-normal", "dev"].find((name) =>
    rolloutFiles.includes(`eval-before-${name}-greedy`),
  );
  if (split === undefined) return [];
  const before = readRollouts(directory, `eval-before-${split}-greedy`);
  const rollouts = readRollouts(directory, `eval-after-${split}-greedy`);
  const after = new Map(rollouts.map((rollout) => [rollout.task.id, rollout]));
  const selectByResult = (first: boolean, second: boolean) =>
    before.filter(
      (row) => hasPassed(row) === first && hasPassed(after.get(row.task.id)) === second,
    );
  const chosen = [
    ...pickEvenly(selectByResult(false, true), 6),
    ...pickEvenly(selectByResult(true, false), 2),
    ...pickEvenly(selectByResult(false, false), 2),
    ...pickEvenly(selectByResult(true, true), 2),
  ];
  return chosen.flatMap((rollout) => {
    const later = after.get(rollout.task.id);
    const first: SelectedRollout = { rollout, phase: "before", label: `before · ${split}` };
    return later ? [first, { rollout: later, phase: "after", label: `after · ${split}` }] : [first];
  });
}

const hasPassed = (rollout: Rollout | undefined) => rollout !== undefined && isPassed(rollout);

/** Returns at most `limit` items, evenly spaced from first to last. */
export function pickEvenly<T>(items: readonly T[], limit: number): T[] {
  if (items.length <= limit) return [...items];
  return Array.from(
    { length: limit },
    (_, i) => items[Math.round((i * (items.length - 1)) / (limit - 1))]!,
  );
}
