/**
 * Habits before and after training: numbers over two evaluations of the same tasks, each with rollouts that show it.
 *
 * An evaluation is read line by line and every rollout reduced to its counts, which are kept as long as the file stays as it
 * is. The number for all and how much a single rollout has of it are one definition (`behaviourOf`).
 */
import { behaviourOf, type Habits, habitsOf } from "../../algo/index.ts";
import { type Attempt, attemptOf, HABIT_MEANINGS, improvedPair } from "../../report/index.ts";
import type { BehaviourView } from "../../spec/studio/index.ts";
import type { Route } from "./routes.ts";
import {
  eachLine,
  markOf,
  type RunFile,
  type RunPlace,
  type Runs,
  turnsOnly,
  withFile,
} from "./runs/index.ts";
import { StudioError } from "./studio-error.ts";

export function behaviourRoutes(runs: Runs): Route[] {
  const counted = countedFiles(runs);
  return [
    {
      method: "GET",
      pattern: "runs/:run/behaviour",
      answer: async ({ query }, { run }) => {
        const place = await runs.place(run!);
        return { json: await behaviourView(runs, place, counted, query.get("split")) };
      },
    },
  ];
}

/** A rollout in counts. */
interface Counted extends Attempt {
  readonly id: string;
  readonly instruction: string;
  readonly habits: Habits | undefined;
}
type CountedFile = (file: RunFile | undefined) => Promise<readonly Counted[]>;

type Column = { readonly file: string; readonly ran: readonly (Counted & Ran)[] };
type Ran = { readonly habits: Habits };

async function behaviourView(
  runs: Runs,
  place: RunPlace,
  counted: CountedFile,
  wanted: string | null,
): Promise<BehaviourView> {
  const evaluations = evaluationsOf(await runs.files(place));
  const splits = [...evaluations.keys()];
  const split = chosenSplit(evaluations, wanted);
  if (split === undefined) return { split: "", splits, habits: [], pair: null };
  const { before, after } = evaluations.get(split)!;
  const [first, second] = [await counted(before), await counted(after)];
  const columns = { before: columnOf(before, first), after: columnOf(after, second) };
  const pair = before && after ? improvedPair(first, second) : undefined;
  return {
    split,
    splits,
    habits: habitRows(columns.before, columns.after),
    pair: pair
      ? {
          before: { file: before!.name, rollout: pair.before.id },
          after: { file: after!.name, rollout: pair.after.id },
          instruction: pair.after.instruction,
        }
      : null,
  };
}

interface Evaluation {
  before?: RunFile;
  after?: RunFile;
}

/** By split (`@T1`: sampled), the two evaluations of the whole: those within a run are of fewer tasks. */
function evaluationsOf(files: readonly RunFile[]): Map<string, Evaluation> {
  const found = new Map<string, Evaluation>();
  for (const file of files) {
    const { when, split, mode } = file;
    if (split === undefined || (when !== "before" && when !== "after")) continue;
    const key = mode === "T1" ? `${split}@T1` : split;
    const evaluation = found.get(key) ?? {};
    evaluation[when] = file;
    found.set(key, evaluation);
  }
  // Greedy ones first.
  const order = (key: string) => `${key.includes("@")} ${key}`;
  return new Map([...found].sort(([a], [b]) => (order(a) < order(b) ? -1 : 1)));
}

/** Greedy on test-normal, where nobody says. Throws 404 for one that is not there. */
function chosenSplit(
  evaluations: ReadonlyMap<string, Evaluation>,
  wanted: string | null,
): string | undefined {
  const splits = [...evaluations.keys()];
  if (wanted === null || wanted === "") {
    return splits.find((split) => split === "test-normal") ?? splits[0];
  }
  if (evaluations.has(wanted)) return wanted;
  throw new StudioError(
    404,
    splits.length === 0
      ? "this run has no evaluation yet"
      : `this run has no evaluation of ${JSON.stringify(wanted.slice(0, 100))}; there are ${splits.join(", ")}`,
  );
}

function columnOf(file: RunFile | undefined, all: readonly Counted[]): Column | undefined {
  if (!file) return undefined;
  const ran = all.flatMap((one) => (one.habits ? [{ ...one, habits: one.habits }] : []));
  return { file: file.name, ran };
}

function habitRows(before: Column | undefined, after: Column | undefined) {
  const [first, second] = [before, after].map((column) =>
    behaviourOf((column?.ran ?? []).map(({ habits }) => habits)),
  ) as [Record<string, number>, Record<string, number>];
  const names = Object.keys(HABIT_MEANINGS).filter((name) => name in first || name in second);
  return names.map((name) => ({
    name,
    meaning: HABIT_MEANINGS[name]!,
    before: first[name] ?? null,
    after: second[name] ?? null,
    examplesBefore: examplesOf(before, name),
    examplesAfter: examplesOf(after, name),
  }));
}

const EXAMPLES = 5;

/** Those that have most of it, in the file's order where they have equally much. */
function examplesOf(column: Column | undefined, name: string) {
  if (!column) return [];
  const measured = column.ran.map((one) => ({
    one,
    amount: behaviourOf([one.habits])[name] ?? 0,
  }));
  return measured
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.amount - a.amount)
    .slice(0, EXAMPLES)
    .map(({ one: { id, habits } }) => {
      const turn = habits.at[name];
      return { file: column.file, rollout: id, ...(turn !== undefined && { turn }) };
    });
}

/** A thousand rollouts are about a million bytes. */
const KEPT_FILES = 24;

function countedFiles({ inside }: Runs): CountedFile {
  const kept = new Map<string, { mark: string; rows: Promise<readonly Counted[]> }>();
  return async (file) => {
    if (!file) return [];
    const { path } = file;
    const mark = markOf(inside.at(path));
    const known = kept.get(path);
    const rows = known?.mark === mark ? known.rows : countLines(inside, path);
    kept.delete(path);
    kept.set(path, { mark, rows });
    const [oldest] = kept.keys();
    if (kept.size > KEPT_FILES && oldest !== undefined) kept.delete(oldest);
    return rows;
  };
}

async function countLines(inside: Runs["inside"], path: string): Promise<readonly Counted[]> {
  const rows: Counted[] = [];
  await withFile(inside, path, (file) =>
    eachLine(file, 0, (bytes, start, end) => {
      const rollout = turnsOnly(bytes, start, end);
      if (rollout === undefined) return;
      const { id, task } = rollout;
      const habits = habitsOf(rollout);
      rows.push({ ...attemptOf(rollout), id, instruction: task.instruction, habits });
    }),
  );
  return rows;
}
