/**
 * Compares habits before and after training: numbers over two evaluations of the same tasks, each with rollouts that
 * show it.
 *
 * An evaluation is read line by line, and every rollout is reduced to its counts. The counts are cached until the file
 * changes. One definition (`averageHabits`) gives the number for all rollouts and the share of a single rollout in it.
 */
import { averageHabits, countHabits, type HabitCounts } from "../../algo/index.ts";
import {
  BEHAVIOUR_MEANINGS,
  findImprovedPair,
  type PairCandidate,
  toPairCandidate,
} from "../../report/index.ts";
import type { BehaviourView } from "../../spec/studio/index.ts";
import type { Route } from "./routes.ts";
import {
  computeFingerprint,
  forEachLine,
  parseWithoutTokens,
  type RunFile,
  type RunLocation,
  type Runs,
  withFile,
} from "./runs/index.ts";
import { StudioError } from "./studio-error.ts";

export function behaviourRoutes(runs: Runs): Route[] {
  const readCounted = createCountedRolloutReader(runs);
  return [
    {
      method: "GET",
      pattern: "runs/:run/behaviour",
      answer: async ({ query }, { run }) => {
        const location = await runs.locate(run!);
        return { json: await buildBehaviourView(runs, location, readCounted, query.get("split")) };
      },
    },
  ];
}

/** A rollout, reduced to the counts from which behaviour is computed. */
interface CountedRollout extends PairCandidate {
  readonly id: string;
  readonly instruction: string;
  readonly habits: HabitCounts | undefined;
}
type ReadCountedRollouts = (file: RunFile | undefined) => Promise<readonly CountedRollout[]>;

type EvaluationColumn = {
  readonly file: string;
  readonly rollouts: readonly (CountedRollout & WithHabits)[];
};
type WithHabits = { readonly habits: HabitCounts };

async function buildBehaviourView(
  runs: Runs,
  location: RunLocation,
  readCounted: ReadCountedRollouts,
  requestedSplit: string | null,
): Promise<BehaviourView> {
  const evaluations = findEvaluations(await runs.listFiles(location));
  const splits = [...evaluations.keys()];
  const split = chooseSplit(evaluations, requestedSplit);
  if (split === undefined) return { split: "", splits, habits: [], pair: null };
  const { before, after } = evaluations.get(split)!;
  const [first, second] = [await readCounted(before), await readCounted(after)];
  const columns = { before: buildColumn(before, first), after: buildColumn(after, second) };
  const pair = before && after ? findImprovedPair(first, second) : undefined;
  return {
    split,
    splits,
    habits: buildHabitRows(columns.before, columns.after),
    pair: pair
      ? {
          before: { file: before!.name, rollout: pair.before.id },
          after: { file: after!.name, rollout: pair.after.id },
          instruction: pair.after.instruction,
        }
      : null,
  };
}

interface EvaluationFiles {
  before?: RunFile;
  after?: RunFile;
}

/**
 * Returns the evaluations before and after training by split; `@T1` marks a sampled one. Evaluations during training
 * are left out because they cover fewer tasks.
 */
function findEvaluations(files: readonly RunFile[]): Map<string, EvaluationFiles> {
  const found = new Map<string, EvaluationFiles>();
  for (const file of files) {
    const { when, split, mode } = file;
    if (split === undefined || (when !== "before" && when !== "after")) continue;
    const key = mode === "T1" ? `${split}@T1` : split;
    const evaluation = found.get(key) ?? {};
    evaluation[when] = file;
    found.set(key, evaluation);
  }
  // Greedy evaluations come first.
  const sortKey = (key: string) => `${key.includes("@")} ${key}`;
  return new Map([...found].sort(([a], [b]) => (sortKey(a) < sortKey(b) ? -1 : 1)));
}

/** Chooses greedy test-normal where the request names no split. Throws 404 for a split without an evaluation. */
function chooseSplit(
  evaluations: ReadonlyMap<string, EvaluationFiles>,
  requestedSplit: string | null,
): string | undefined {
  const splits = [...evaluations.keys()];
  if (requestedSplit === null || requestedSplit === "") {
    return splits.find((split) => split === "test-normal") ?? splits[0];
  }
  if (evaluations.has(requestedSplit)) return requestedSplit;
  throw new StudioError(
    404,
    splits.length === 0
      ? "this run has no evaluation yet"
      : `this run has no evaluation of ${JSON.stringify(requestedSplit.slice(0, 100))}, only of ${splits.join(", ")}`,
  );
}

function buildColumn(
  file: RunFile | undefined,
  all: readonly CountedRollout[],
): EvaluationColumn | undefined {
  if (!file) return undefined;
  const ran = all.flatMap((one) => (one.habits ? [{ ...one, habits: one.habits }] : []));
  return { file: file.name, rollouts: ran };
}

function buildHabitRows(before: EvaluationColumn | undefined, after: EvaluationColumn | undefined) {
  const [first, second] = [before, after].map((column) =>
    averageHabits((column?.rollouts ?? []).map(({ habits }) => habits)),
  ) as [Record<string, number>, Record<string, number>];
  const names = Object.keys(BEHAVIOUR_MEANINGS).filter((name) => name in first || name in second);
  return names.map((name) => ({
    name,
    meaning: BEHAVIOUR_MEANINGS[name]!,
    before: first[name] ?? null,
    after: second[name] ?? null,
    examplesBefore: findExamples(before, name),
    examplesAfter: findExamples(after, name),
  }));
}

const MAX_EXAMPLES = 5;

/** Returns the rollouts that show the habit most, in the order of the file where they show it equally. */
function findExamples(column: EvaluationColumn | undefined, name: string) {
  if (!column) return [];
  const measured = column.rollouts.map((one) => ({
    one,
    amount: averageHabits([one.habits])[name] ?? 0,
  }));
  return measured
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount)
    .slice(0, MAX_EXAMPLES)
    .map(({ one: { id, habits } }) => {
      const turn = habits.strongestTurn[name];
      return { file: column.file, rollout: id, ...(turn !== undefined && { turn }) };
    });
}

/** The counts of a thousand rollouts take about a million bytes. */
const MAX_CACHED_FILES = 24;

function createCountedRolloutReader({ folder }: Runs): ReadCountedRollouts {
  const cache = new Map<
    string,
    { fingerprint: string; rows: Promise<readonly CountedRollout[]> }
  >();
  return async (file) => {
    if (!file) return [];
    const { path } = file;
    const fingerprint = computeFingerprint(folder.inspect(path));
    const known = cache.get(path);
    const rows =
      known?.fingerprint === fingerprint ? known.rows : countRolloutsInFile(folder, path);
    cache.delete(path);
    cache.set(path, { fingerprint, rows });
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED_FILES && oldest !== undefined) cache.delete(oldest);
    return rows;
  };
}

async function countRolloutsInFile(
  inside: Runs["folder"],
  path: string,
): Promise<readonly CountedRollout[]> {
  const rows: CountedRollout[] = [];
  await withFile(inside, path, (file) =>
    forEachLine(file, 0, (bytes, start, end) => {
      const rollout = parseWithoutTokens(bytes, start, end);
      if (rollout === undefined) return;
      const { id, task } = rollout;
      const habits = countHabits(rollout);
      rows.push({ ...toPairCandidate(rollout), id, instruction: task.instruction, habits });
    }),
  );
  return rows;
}
