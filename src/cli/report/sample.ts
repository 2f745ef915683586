/**
 * Which rollouts the report carries: enough to see what changed, few enough for one file. Training rollouts with
 * per-token notes are spread over the iterations; evaluations come as pairs of one task before and after.
 */
import type { Rollout } from "../../spec/index.ts";
import { type RunRecord, readStoredRollouts, type StoredRollout } from "../run-directory.ts";

export interface Shown extends StoredRollout {
  /** `train-0003`, or `before` and `after` for evaluations. */
  readonly phase: string;
  /** What the list says beside the task. */
  readonly label: string;
}

const TRAIN_FILES = 6;
const PER_FILE = 5;
const PAIRS = 12;

export function sampleRollouts(run: RunRecord): Shown[] {
  return [...evaluationPairs(run), ...trainingSample(run)];
}

function trainingSample({ directory, rolloutFiles }: RunRecord): Shown[] {
  const files = rolloutFiles.filter((name) => name.startsWith("train-"));
  return spread(files, TRAIN_FILES).flatMap((file) => {
    const rows = readStoredRollouts(directory, file);
    const noted = rows.filter(({ notes }) => notes !== undefined);
    return spread(noted.length > 0 ? noted : rows, PER_FILE).map((row) => ({
      ...row,
      phase: "train",
      label: `iteration ${Number(file.slice("train-".length))}`,
    }));
  });
}

/** Tasks that were learned first, then tasks that were lost, then what still fails, then what always worked. */
function evaluationPairs({ directory, rolloutFiles }: RunRecord): Shown[] {
  const split = ["test-normal", "dev"].find((name) =>
    rolloutFiles.includes(`eval-before-${name}-greedy`),
  );
  if (split === undefined) return [];
  const before = readStoredRollouts(directory, `eval-before-${split}-greedy`);
  const after = new Map(
    readStoredRollouts(directory, `eval-after-${split}-greedy`).map((row) => [
      row.rollout.task.id,
      row,
    ]),
  );
  const kinds = [
    before.filter((row) => !passed(row.rollout) && passed(after.get(row.rollout.task.id)?.rollout)),
    before.filter((row) => passed(row.rollout) && !passed(after.get(row.rollout.task.id)?.rollout)),
    before.filter(
      (row) => !passed(row.rollout) && !passed(after.get(row.rollout.task.id)?.rollout),
    ),
    before.filter((row) => passed(row.rollout) && passed(after.get(row.rollout.task.id)?.rollout)),
  ];
  const chosen = [
    ...spread(kinds[0]!, 6),
    ...spread(kinds[1]!, 2),
    ...spread(kinds[2]!, 2),
    ...spread(kinds[3]!, 2),
  ];
  return chosen.slice(0, PAIRS).flatMap((row) => {
    const later = after.get(row.rollout.task.id);
    const first: Shown = { ...row, phase: "before", label: `before · ${split}` };
    return later ? [first, { ...later, phase: "after", label: `after · ${split}` }] : [first];
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
