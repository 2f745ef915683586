/**
 * Compares runs. Runs of one setting and method form an arm. Statistics are over runs: an interval is Student's t over
 * the runs of an arm, and a difference is over pairs of runs with the same seed, which share their warm start. Fewer
 * than five pairs give no test. The tests were not planned in advance, so p-values are corrected (Holm) for all tests
 * shown.
 */
import { areAllEqual, groupBy, meanInterval, meanShareInterval } from "../../../algo/index.ts";
import type { Overlay, RunRow } from "../../../spec/studio/index.ts";
import { adjustByHolm, pairedTest } from "../../../train/index.ts";
import { StudioError } from "../studio-error.ts";
import { type ConfigOfRun, findConfigDifferences, readConfigLeaves } from "./config-differences.ts";
import type { Runs } from "./runs.ts";

const MAX_RUNS = 200;
/** With fewer pairs the t test detects almost nothing and depends strongly on its assumption of normal differences. */
const MIN_PAIRS = 5;

type Arm = Overlay["arms"][number];
type Test = Overlay["tests"][number];

/** Throws 400 for fewer than two runs or too many, and 404 for an unknown run. */
export async function buildOverlay(runs: Runs, ids: readonly string[]): Promise<Overlay> {
  const names = [...new Set(ids)];
  if (names.length < 2 || names.length > MAX_RUNS) {
    throw new StudioError(400, `run: expected 2 to ${MAX_RUNS} runs, got ${names.length}`);
  }
  const rows: RunRow[] = [];
  const leaves: ConfigOfRun[] = [];
  for (const id of names) {
    const location = await runs.locate(id);
    rows.push(await runs.readRow(location));
    leaves.push([id, readConfigLeaves(runs.folder, location)]);
  }
  const byArm = groupBy(rows, ({ setting = "?", method = "?" }) => `${setting}/${method}`);
  const arms = [...byArm].map(([name, members]) => buildArm(name, members));
  return { arms, tests: testAllArms(byArm), differences: nameRuns(leaves) };
}

function nameRuns(leaves: readonly ConfigOfRun[]): Overlay["differences"] {
  return findConfigDifferences(leaves).map(({ path, values }) => ({
    path,
    values: Object.fromEntries(leaves.map(([id], i) => [id, values[i]!])),
  }));
}

function buildArm(name: string, rows: readonly RunRow[]): Arm {
  const [first] = rows;
  const splits = [...new Set(rows.flatMap(({ after = {} }) => Object.keys(after)))].sort();
  return {
    name,
    setting: first?.setting ?? "?",
    method: first?.method ?? "?",
    runs: rows.map(({ id }) => id),
    seeds: rows.flatMap(({ seed }) => (seed === undefined ? [] : [seed])),
    after: Object.fromEntries(
      splits.map((split) => [split, summariseScores(listScores(rows, split))]),
    ),
  };
}

function listScores(rows: readonly RunRow[], split: string): number[] {
  return rows.flatMap(({ after }) => after?.[split]?.tgc ?? []);
}

function summariseScores(values: readonly number[]): Arm["after"][string] {
  return {
    mean: mean(values),
    interval: meanShareInterval(values) ?? null,
    runs: [...values],
  };
}

/** Compares every two arms on every split on which both were scored. */
function testAllArms(arms: ReadonlyMap<string, readonly RunRow[]>): Test[] {
  const names = [...arms.keys()];
  const tests = names.flatMap((a, i) =>
    names.slice(i + 1).flatMap((b) => {
      const [left, right] = [arms.get(a)!, arms.get(b)!];
      const splits = [...new Set(left.flatMap(({ after = {} }) => Object.keys(after)))].sort();
      return splits.flatMap((split) => {
        const test = testArms(left, right, split);
        return test ? [{ a, b, split, ...test }] : [];
      });
    }),
  );
  return correctForManyTests(tests);
}

/** Tests the score of arm a minus that of arm b. Returns undefined if one of them was not scored. */
function testArms(
  a: readonly RunRow[],
  b: readonly RunRow[],
  split: string,
): Omit<Test, "a" | "b" | "split"> | undefined {
  const [left, right] = [listScores(a, split), listScores(b, split)];
  if (left.length === 0 || right.length === 0) return undefined;
  const isOneSetting = a[0]?.setting === b[0]?.setting;
  const pairs = isOneSetting ? differencesBySeed(a, b, split) : [];
  if (pairs.length === 0) {
    const why = isOneSetting ? "no seed in common" : "different settings, so different warm starts";
    const note = `${why}: difference of the means, not tested`;
    return { difference: mean(left) - mean(right), interval: null, p: null, note };
  }
  const interval = meanInterval(pairs) ?? null;
  const [difference, over] = [mean(pairs), `over ${pluralize(pairs.length, "pair")} of runs`];
  if (pairs.length < MIN_PAIRS) {
    const note = `${over}${explainMissingInterval(pairs)}: too few for a test, which needs ${MIN_PAIRS} seeds`;
    return { difference, interval, p: null, note };
  }
  const { p = null } = pairedTest(pairs);
  const note = p === null ? `not tested ${over}` : `paired t test ${over}`;
  return { difference, interval, p, note: note + explainMissingInterval(pairs) };
}

function explainMissingInterval(pairs: readonly number[]): string {
  if (pairs.length === 1) return ", which has no interval";
  return areAllEqual(pairs) ? ", which all differ equally, so there is no interval" : "";
}

/**
 * Returns the difference for each seed of both arms. Several runs of one seed in an arm count as one, with their mean.
 */
function differencesBySeed(a: readonly RunRow[], b: readonly RunRow[], split: string): number[] {
  const [left, right] = [a, b].map((rows) => {
    const scored = rows.filter(({ after, seed }) => after?.[split] && seed !== undefined);
    return groupBy(scored, ({ seed }) => seed!);
  });
  return [...left!].flatMap(([seed, rows]) => {
    const others = right!.get(seed);
    return others ? [mean(listScores(rows, split)) - mean(listScores(others, split))] : [];
  });
}

function correctForManyTests(tests: readonly Test[]): Test[] {
  const done = tests.filter(({ p }) => p !== null);
  if (done.length < 2) return [...tests];
  const values = adjustByHolm(done.map(({ p }) => p!));
  const byTest = new Map(done.map((test, i) => [test, values[i]!]));
  return tests.map((test) => {
    const p = byTest.get(test);
    const note = `${test.note}, p corrected for ${done.length} tests (Holm)`;
    return p === undefined ? test : { ...test, p, note };
  });
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
const pluralize = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
