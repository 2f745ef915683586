/**
 * Tests how a row of the systems table is shortened to three iterations, the verdict on a row, and the choice of rows
 * by name.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Rollout } from "../../src/spec/index.ts";
import { createMemoryFolder } from "../../src/testing/fake-makers.ts";
import { fakeRollout } from "../../src/testing/fake-rollout.ts";
import { findRows } from "./check.ts";
import { createCheckConfig } from "./check-size.ts";
import type { System } from "./system.ts";
import { computeVerdict } from "./verdict.ts";

let folder: string;
beforeAll(() => {
  folder = createMemoryFolder("bowline-systems-");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const createRow = (fields: System["fields"], method = "on-policy"): System => ({
  system: "one",
  arxiv: "0000.00000",
  method,
  fields,
  mechanisms: ["judge", "planner"],
  outside: "",
});

describe("rows shortened to three iterations", () => {
  const shortenedFields = (fields: System["fields"], method?: string) =>
    createCheckConfig(createRow(fields, method)) as unknown as Record<
      string,
      Record<string, unknown>
    >;

  test("a shortened row has an iteration for every stage", () => {
    const stages = [5, 10].map((iterations) => ({ iterations, patch: {} }));
    const { algo, schedule } = shortenedFields({ "schedule.stages": stages });
    expect(algo).toMatchObject({ iterations: 3, tasksPerIteration: 8 });
    expect(schedule!["stages"]).toMatchObject([{ iterations: 1 }, { iterations: 2 }]);
  });

  test("a shortened row ends all of its schedules in the last iteration", () => {
    const { schedule, rewards } = shortenedFields({
      "schedule.maxTurns": { shape: "steps", values: [4, 6, 8], every: 5 },
      "rewards.terms": [
        { term: "outcome", weight: { shape: "linear", from: 0, to: 1, over: 200 } },
      ],
    });
    expect(schedule!["maxTurns"]).toMatchObject({ every: 1 });
    expect(rewards!["terms"]).toMatchObject([{ weight: { over: 2 } }]);
  });

  test("a shortened row has a smaller pool of tasks, and one warm-up iteration for a critic", () => {
    expect(shortenedFields({ "tasks.pool": 60 })["tasks"]).toMatchObject({ pool: 12 });
    expect(shortenedFields({}, "ppo-critic")["critic"]).toMatchObject({ warmIterations: 1 });
  });
});

describe("verdicts on rows", () => {
  let runs = 0;
  const verdictOnRun = (
    lines: readonly Readonly<Record<string, number>>[],
    outcomes: readonly Rollout["outcome"][] = ["finished"],
  ) => {
    const directory = join(folder, String(runs++));
    mkdirSync(join(directory, "rollouts"), { recursive: true });
    const toJsonLines = (items: readonly object[]) =>
      items.map((item) => `${JSON.stringify(item)}\n`).join("");
    const metrics = lines.map((line, i) => ({ phase: "loop", step: i + 1, ...line }));
    writeFileSync(join(directory, "metrics.jsonl"), toJsonLines(metrics));
    lines.forEach((_, i) => {
      const rollouts = outcomes.map((outcome, k) => fakeRollout({ outcome, id: `${i}/0/${k}` }));
      writeFileSync(join(directory, `rollouts/train-000${i + 1}.jsonl`), toJsonLines(rollouts));
    });
    return computeVerdict(createRow({}), directory);
  };
  const line = {
    "train/updates": 2,
    "fires/judge": 9,
    "meant/judge": 10,
    "fires/planner": 3,
    "meant/planner": 3,
  };

  test("a row works when every iteration makes an update, few rollouts end at a limit and every mechanism acts", () => {
    expect(verdictOnRun([line, line, line])).toEqual({
      system: "one",
      works: true,
      updates: 3,
      atLimit: 0,
      fires: 0.9,
      mechanisms: { judge: 0.9, planner: 1 },
    });
  });

  test("a verdict sums occasions over iterations, and uses the mechanism that acted on the smallest share of them", () => {
    const quiet = { ...line, "fires/judge": 0 };
    expect(verdictOnRun([line, quiet, quiet])).toMatchObject({ works: false, fires: 0.3 });
  });

  test("a row does not work when an iteration has no update, many rollouts end at a limit, or a mechanism has no occasion", () => {
    const idle = { ...line, "train/updates": 0 };
    expect(verdictOnRun([line, idle, line])).toMatchObject({ works: false, updates: 2 });
    const limits = verdictOnRun([line, line, line], ["finished", "token-limit", "cancelled"]);
    expect(limits).toMatchObject({ works: false, atLimit: 0.5 });
    const { "fires/planner": _, "meant/planner": __, ...none } = line;
    expect(verdictOnRun([none, none, none])).toMatchObject({
      works: false,
      fires: 0,
      mechanisms: { planner: null },
    });
  });
});

test("rows are found by name, in upper or lower case, and the error for an unknown name suggests the nearest name", () => {
  expect(findRows(["linvit"]).map(({ system }) => system)).toEqual(["LINVIT"]);
  expect(findRows([])).toHaveLength(62);
  expect(() => findRows(["LINVITT"])).toThrow(/unknown system "LINVITT" \(did you mean LINVIT\?\)/);
});
