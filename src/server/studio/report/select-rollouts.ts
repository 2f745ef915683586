/**
 * Selects the rollouts that a report contains: enough to see what changed, and few enough for one file. Training
 * rollouts with notes on their tokens are taken evenly from all iterations. Evaluations come in pairs of the same task
 * before and after training.
 */
import type { RolloutIndex, RunFile, RunLocation, Runs } from "../runs/index.ts";

export interface SelectedRollout {
  readonly file: RunFile;
  readonly id: string;
  readonly passed: boolean;
  readonly task: RolloutIndex["tasks"][number];
  /** When the rollout was made. */
  readonly label: string;
}

const MAX_TRAINING_FILES = 6;
const ROLLOUTS_PER_FILE = 5;
/** How many pairs of each kind are taken at most, by whether the task passed before and after training. */
const PAIR_KINDS = [
  { before: false, after: true, most: 6 },
  { before: true, after: false, most: 2 },
  { before: false, after: false, most: 2 },
  { before: true, after: true, most: 2 },
] as const;

export async function selectRollouts(
  runs: Runs,
  location: RunLocation,
): Promise<SelectedRollout[]> {
  const files = await runs.listFiles(location);
  return [
    ...(await selectEvaluationPairs(runs, files)),
    ...(await selectTrainingRollouts(runs, location, files)),
  ];
}

async function selectTrainingRollouts(
  runs: Runs,
  location: RunLocation,
  files: readonly RunFile[],
): Promise<SelectedRollout[]> {
  const selected: SelectedRollout[] = [];
  const training = files.filter(({ kind }) => kind === "train");
  for (const file of pickEvenly(training, MAX_TRAINING_FILES)) {
    const noted = await runs.notes.readAdvantages(location, file);
    const rollouts = listRollouts(
      file,
      await runs.indexes.load(file),
      `iteration ${file.iteration}`,
    );
    const withNotes = rollouts.filter(({ id }) => noted.has(id));
    selected.push(...pickEvenly(withNotes.length > 0 ? withNotes : rollouts, ROLLOUTS_PER_FILE));
  }
  return selected;
}

/** Returns pairs of rollouts of one task, before and after training. Tasks that were learned come first. */
async function selectEvaluationPairs(
  runs: Runs,
  files: readonly RunFile[],
): Promise<SelectedRollout[]> {
  const [beforeFile, afterFile] = findEvaluationPair(files);
  if (beforeFile === undefined) return [];
  const list = async (file: RunFile | undefined, when: string) =>
    file === undefined
      ? []
      : listRollouts(file, await runs.indexes.load(file), `${file.split}, ${when} training`);
  const before = await list(beforeFile, "before");
  const after = new Map((await list(afterFile, "after")).map((one) => [one.task.id, one]));
  const hasPassed = (rollout: SelectedRollout | undefined) => rollout?.passed === true;
  return PAIR_KINDS.flatMap((kind) =>
    pickEvenly(
      before.filter(
        (one) => hasPassed(one) === kind.before && hasPassed(after.get(one.task.id)) === kind.after,
      ),
      kind.most,
    ),
  ).flatMap((first) => {
    const second = after.get(first.task.id);
    return second ? [first, second] : [first];
  });
}

/** Finds the evaluations before and after training: those of test-normal if there are any, and greedy ones first. */
function findEvaluationPair(files: readonly RunFile[]): readonly (RunFile | undefined)[] {
  const order = ["test-normal greedy", "dev greedy", "test-normal T1", "dev T1"];
  for (const evaluation of order) {
    const found = files.filter(({ split, mode }) => `${split} ${mode}` === evaluation);
    const before = found.find(({ when }) => when === "before");
    if (before) return [before, found.find(({ when }) => when === "after")];
  }
  return [];
}

function listRollouts(file: RunFile, index: RolloutIndex, label: string): SelectedRollout[] {
  return index.ids.map((id, at) => ({
    ...{ file, id, label, task: index.taskAt(at) },
    passed: index.getNumber(at, "passed") === 1,
  }));
}

/** Returns at most `most` items, evenly spaced from first to last. */
function pickEvenly<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  return Array.from(
    { length: most },
    (_, i) => items[Math.round((i * (items.length - 1)) / (most - 1))]!,
  );
}
