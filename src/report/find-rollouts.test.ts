/** Tests answers from run directories, against rollouts whose answers are known. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runBowlineInProcess as bowline } from "../../tests/support/terminal.ts";
import { groupByTask } from "../algo/index.ts";
import type { Rollout } from "../spec/index.ts";
import { createMemoryFolder } from "../testing/fake-makers.ts";
import { fakeRollout } from "../testing/fake-rollout.ts";
import { findRollouts } from "./find-rollouts.ts";

const root = createMemoryFolder("bowline-query-");
afterAll(() => rmSync(root, { recursive: true, force: true }));

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

function writeRun(name: string, reward: string, files: Record<string, readonly Rollout[]>): string {
  const run = join(root, name);
  for (const folder of ["rollouts", "journal"]) mkdirSync(join(run, folder), { recursive: true });
  const config = { algo: { reward } };
  writeFileSync(
    join(run, "run.json"),
    JSON.stringify({ version: 2, seed: 1, config, versions: {} }),
  );
  for (const [file, rollouts] of Object.entries(files))
    writeFileSync(join(run, `${file}.jsonl`), lines(rollouts));
  return run;
}

/** A rollout of task dev/`task`/1. Half of the checks of a failed one pass. */
const play = (id: string, task: number, passed: boolean) =>
  fakeRollout({ id, taskId: `dev/${task}/1`, checks: passed ? [true, true] : [true, false] });

const first = writeRun("a", "fraction", {
  "rollouts/eval-before-dev-greedy": [play("b0", 0, true), play("b1", 1, false)],
  "rollouts/train-0001": [play("1/0/0", 0, false), play("1/0/1", 0, true)],
  "rollouts/train-0010": [play("10/0/0", 2, true)],
  "rollouts/eval-iteration-0010-dev-greedy": [play("i0", 0, false)],
  "rollouts/eval-after-dev-greedy": [play("a0", 0, false), play("a1", 1, true)],
  "journal/train-0010": [play("never read", 0, true)],
  "journal/train-0011": [play("11/0/0", 1, false)],
});
writeFileSync(
  join(first, "rollouts", "notes-0001.jsonl"),
  lines([{ id: "1/0/0", advantage: -0.5, return: 0.25, at: [], ratios: [] }]),
);
const second = writeRun("b", "strict", {
  "rollouts/eval-after-dev-greedy": [play("a0", 0, true), play("a1", 1, false)],
});

const findIds = (runs: readonly string[], query: string) =>
  findRollouts(runs, query).rollouts.map(({ id }) => id);

test("rollouts come in the order of time, and the journal only adds what is not whole yet", () => {
  const { total, rollouts } = findRollouts([first], "");
  expect(total).toBe(9);
  expect(rollouts.map(({ id }) => id)).toEqual([
    ...["1/0/0", "1/0/1", "10/0/0", "11/0/0"],
    ...["b0", "b1", "i0", "a0", "a1"],
  ]);
});

test("returns follow the rule of each run, and the trainer's notes where there are any", () => {
  const { rollouts } = findRollouts([first, second], "passed:no");
  expect(rollouts.map(({ id, return: paid, advantage }) => [id, paid, advantage])).toEqual([
    ["1/0/0", 0.25, -0.5],
    ["11/0/0", 0.5, undefined],
    ["b1", 0.5, undefined],
    ["i0", 0.5, undefined],
    ["a0", 0.5, undefined],
    ["a1", 0, undefined],
  ]);
});

test("fields about time select training and evaluations", () => {
  expect(findIds([first], "iteration:10")).toEqual(["10/0/0", "i0"]);
  expect(findIds([first], "phase:before mode:greedy passed:yes")).toEqual(["b0"]);
  expect(findIds([first], "has:notes")).toEqual(["1/0/0"]);
  expect(findIds([first, second], `run:"${second}"`)).toEqual(["a0", "a1"]);
});

test("grouped by task, a row has each run's history, and says which tasks were lost", () => {
  const rows = groupByTask(findRollouts([first, second], "").rollouts);
  expect(
    rows.map(({ task, passed, rollouts, regressed }) => [task.id, passed, rollouts, regressed]),
  ).toEqual([
    ["dev/0/1", 3, 6, true],
    ["dev/2/1", 1, 1, false],
    ["dev/1/1", 1, 4, false],
  ]);
  const [{ runs }] = rows as [(typeof rows)[number]];
  expect(runs.map(({ points }) => points)).toEqual([
    [
      { phase: "before", passed: 1, rollouts: 1 },
      { phase: "train", iteration: 1, passed: 1, rollouts: 2 },
      { phase: "iteration", iteration: 10, passed: 0, rollouts: 1 },
      { phase: "after", passed: 0, rollouts: 1 },
    ],
    [{ phase: "after", passed: 1, rollouts: 1 }],
  ]);
});

test("bowline rollouts prints a table, or JSON", async () => {
  const table = await bowline(["rollouts", first, second, "phase:after passed:no"]);
  expect(table.stderr).toBe("");
  expect(table.stdout).toContain("2 of 11 rollouts");
  expect(table.stdout).toMatch(/✗ +\S+a +after +a0 +dev\/0\/1 +0\.5 /);
  const json = await bowline(["rollouts", first, "phase:after", "--group", "task", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    total: 9,
    matching: 2,
    tasks: [{ passed: 0 }, { passed: 1 }],
  });
});

test.each([
  [["rollouts", join(root, "none"), "passed:no"], /none does not exist/],
  [["rollouts", root, "passed:no"], /is not a run \(it has no run\.json\)/],
  [
    ["rollouts", first, "passed:no", "turns:2"],
    /neither "passed:no" nor "turns:2" is a run directory/,
  ],
  [["rollouts", first, "pased:no"], /did you mean passed\?/],
])("bowline %s is refused", async (words, reason) => {
  const { code, stdout, stderr } = await bowline(words as string[]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(reason);
});
