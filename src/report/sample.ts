/**
 * Which rollouts the report carries: enough to see what changed, few enough for one file. Training rollouts with
 * per-token notes are spread over the iterations; evaluations come as pairs of one task before and after.
 */

import type { Rollout } from "../spec/index.ts";
import { type Notes, type RunRecord, readNotes, readRollouts } from "./run-directory.ts";

export interface Shown {
  readonly rollout: Rollout;
  readonly notes?: Notes;
  /** `train-0003`, or `before` and `after` for evaluations. */
  readonly phase: string;
  /** What the list says beside the task. */
  readonly label: string;
}

const TRAIN_FILES = 6;
const PER_FILE = 5;

export function sampleRollouts(run: RunRecord): Shown[] {
  return [...evaluationPairs(run), ...trainingSample(run)];
}

function trainingSample({ directory, rolloutFiles }: RunRecord): Shown[] {
  const files = rolloutFiles.filter((name) => name.startsWith("train-"));
  return spread(files, TRAIN_FILES).flatMap((file) => {
    const iteration = file.slice("train-".length);
    const notes = readNotes(directory, iteration);
    const rows = readRollouts(directory, file);
    const noted = rows.filter(({ id }) => notes.has(id));
    return spread(noted.length > 0 ? noted : rows, PER_FILE).map((rollout): Shown => {
      const shown = { rollout, phase: "train", label: `iteration ${Number(iteration)}` };
      const own = notes.get(rollout.id);
      return own ? { ...shown, notes: own } : shown;
    });
  });
}

/** Tasks that were learned first, then tasks that were lost, then what still fails, then what always worked. */
function evaluationPairs({ directory, rolloutFiles }: RunRecord): Shown[] {
  const split = ["test-normal", "dev"].find((name) =>
    rolloutFiles.includes(`eval-before-${name}-greedy`),
  );
  if (split === undefined) return [];
  const before = readRollouts(directory, `eval-before-${split}-greedy`);
  const rollouts = readRollouts(directory, `eval-after-${split}-greedy`);
  const after = new Map(rollouts.map((rollout) => [rollout.task.id, rollout]));
  const kind = (first: boolean, second: boolean) =>
    before.filter((row) => passed(row) === first && passed(after.get(row.task.id)) === second);
  const chosen = [
    ...spread(kind(false, true), 6),
    ...spread(kind(true, false), 2),
    ...spread(kind(false, false), 2),
    ...spread(kind(true, true), 2),
  ];
  return chosen.flatMap((rollout) => {
    const later = after.get(rollout.task.id);
    const first: Shown = { rollout, phase: "before", label: `before · ${split}` };
    return later ? [first, { rollout: later, phase: "after", label: `after · ${split}` }] : [first];
  });
}

const passed = (rollout: Rollout | undefined) => rollout?.evaluation?.passed === true;

/** At most `limit` items, evenly from first to last. */
export function spread<T>(items: readonly T[], limit: number): T[] {
  if (items.length <= limit) return [...items];
  return Array.from(
    { length: limit },
    (_, i) => items[Math.round((i * (items.length - 1)) / (limit - 1))]!,
  );
}
