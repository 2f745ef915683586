/** Tests the behaviour API on a run whose evaluations are written here. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { measureBehaviour } from "../../algo/index.ts";
import { BEHAVIOUR_MEANINGS } from "../../report/index.ts";
import type { Rollout, Turn } from "../../spec/index.ts";
import { type BehaviourView, behaviourViewSchema } from "../../spec/studio/index.ts";
import { fakeRollout } from "../../testing/fake-rollout.ts";
import { behaviourRoutes } from "./behaviour.ts";
import { createApi } from "./routes.ts";
import { openRuns } from "./runs/index.ts";
import type { StudioError } from "./studio-error.ts";

const makeTurn = (failing: number, code = "x"): Turn => ({
  message: "```js\nx\n```",
  code,
  observation: "",
  status: failing > 0 ? "error" : "ok",
  calls: Array.from({ length: failing }, () => ({
    app: "pay",
    api: "send",
    args: {},
    status: 404,
    wrote: false,
  })),
});

/** Makes a rollout of task `number` with `failing` refused calls in its second turn. */
const makeAttempt = (number: number, failing: number, passes: boolean): Rollout => ({
  ...fakeRollout({
    taskId: `dev/${number}`,
    turns: [makeTurn(0), makeTurn(failing, "y".repeat(10 + number))],
    checks: [passes],
  }),
  id: `eval/${number}/0`,
});

const before = [0, 1, 2, 3, 4, 5, 6].map((n) => makeAttempt(n, n, false));
const after = before.map((_, n) => makeAttempt(n, n === 3 ? 1 : 0, n === 2 || n === 5));

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "bowline-behaviour-"));
  for (const run of ["a", "young"]) {
    mkdirSync(join(root, run, "rollouts"), { recursive: true });
    writeFileSync(join(root, run, "run.json"), "{}");
  }
  const write = (name: string, rows: readonly Rollout[], more = "") =>
    writeFileSync(
      join(root, "a", "rollouts", `${name}.jsonl`),
      `${rows.map((row) => JSON.stringify(row)).join("\n")}\n${more}`,
    );
  write("eval-before-dev-greedy", before, '{"id":"torn');
  write("eval-after-dev-greedy", after, "null\nnot json\n");
  write("eval-before-dev-T1", before);
  write("train-0001", before);
});
afterAll(() => rmSync(root, { recursive: true }));

async function fetchBehaviour(run: string, split?: string): Promise<BehaviourView> {
  const api = createApi(behaviourRoutes(openRuns(root)));
  const reply = await api({
    method: "GET",
    path: ["runs", run, "behaviour"],
    query: new URLSearchParams(split === undefined ? {} : { split }),
    signal: new AbortController().signal,
    json: async () => undefined,
  });
  return behaviourViewSchema.parse("json" in reply ? reply.json : undefined);
}

test("the numbers before and after training are those of the analysis, each with a meaning", async () => {
  const view = await fetchBehaviour("a");
  expect([view.split, view.splits]).toEqual(["dev", ["dev", "dev@T1"]]);
  const measuredHabits = (side: "before" | "after") =>
    Object.fromEntries(
      view.habits.flatMap((row) => (row[side] === null ? [] : [[row.name, row[side]]])),
    );
  expect(measuredHabits("before")).toEqual(measureBehaviour(before));
  expect(measuredHabits("after")).toEqual(measureBehaviour(after));
  expect(Object.keys(BEHAVIOUR_MEANINGS)).toEqual(
    expect.arrayContaining(Object.keys(measuredHabits("before"))),
  );
});

test("each habit has at most five examples per evaluation, the strongest first, each with its turn", async () => {
  const failed = (await fetchBehaviour("a")).habits.find(({ name }) => name === "failed_calls")!;
  expect(failed.examplesBefore).toEqual(
    [6, 5, 4, 3, 2].map((n) => ({
      file: "eval-before-dev-greedy",
      rollout: `eval/${n}/0`,
      turn: 1,
    })),
  );
  expect(failed.examplesAfter.map(({ rollout }) => rollout)).toEqual(["eval/3/0"]);
});

test("the pair is a task that failed before and passes after training, the shorter where two qualify", async () => {
  expect((await fetchBehaviour("a")).pair).toMatchObject({
    before: { file: "eval-before-dev-greedy", rollout: "eval/2/0" },
    after: { file: "eval-after-dev-greedy", rollout: "eval/2/0" },
  });
});

test("missing evaluations give empty columns, and an unknown split answers 404", async () => {
  const half = await fetchBehaviour("a", "dev@T1");
  expect(half.pair).toBeNull();
  expect(half.habits.every((row) => row.after === null && row.before !== null)).toBe(true);
  expect(await fetchBehaviour("young")).toEqual({ split: "", splits: [], habits: [], pair: null });
  for (const split of ["test-normal", "../../a"]) {
    await expect(fetchBehaviour("a", split)).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining("only of dev, dev@T1"),
    } satisfies Partial<StudioError>);
  }
});
