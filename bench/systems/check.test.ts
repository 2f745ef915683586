/** How a row is cut to three iterations, what is read from its run, and what is refused. */
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

const row = (fields: System["fields"], method = "on-policy"): System => ({
  system: "one",
  arxiv: "0000.00000",
  method,
  fields,
  mechanisms: ["judge", "planner"],
  outside: "",
});

describe("a row cut to three iterations", () => {
  const numbers = (fields: System["fields"], method?: string) =>
    createCheckConfig(row(fields, method)) as unknown as Record<string, Record<string, unknown>>;

  test("has an iteration for every stage", () => {
    const stages = [5, 10].map((iterations) => ({ iterations, patch: {} }));
    const { algo, schedule } = numbers({ "schedule.stages": stages });
    expect(algo).toMatchObject({ iterations: 3, tasksPerIteration: 8 });
    expect(schedule!["stages"]).toMatchObject([{ iterations: 1 }, { iterations: 2 }]);
  });

  test("is through with its schedules in the last one, wherever they stand", () => {
    const { schedule, rewards } = numbers({
      "schedule.maxTurns": { shape: "steps", values: [4, 6, 8], every: 5 },
      "rewards.terms": [
        { term: "outcome", weight: { shape: "linear", from: 0, to: 1, over: 200 } },
      ],
    });
    expect(schedule!["maxTurns"]).toMatchObject({ every: 1 });
    expect(rewards!["terms"]).toMatchObject([{ weight: { over: 2 } }]);
  });

  test("draws from a pool in proportion, and warms a critic up in one iteration", () => {
    expect(numbers({ "tasks.pool": 60 })["tasks"]).toMatchObject({ pool: 12 });
    expect(numbers({}, "ppo-critic")["critic"]).toMatchObject({ warmIterations: 1 });
  });
});

describe("a verdict", () => {
  let runs = 0;
  const verdict = (
    lines: readonly Readonly<Record<string, number>>[],
    outcomes: readonly Rollout["outcome"][] = ["finished"],
  ) => {
    const directory = join(folder, String(runs++));
    mkdirSync(join(directory, "rollouts"), { recursive: true });
    const text = (items: readonly object[]) =>
      items.map((item) => `${JSON.stringify(item)}\n`).join("");
    const metrics = lines.map((line, i) => ({ phase: "loop", step: i + 1, ...line }));
    writeFileSync(join(directory, "metrics.jsonl"), text(metrics));
    lines.forEach((_, i) => {
      const rollouts = outcomes.map((outcome, k) => fakeRollout({ outcome, id: `${i}/0/${k}` }));
      writeFileSync(join(directory, `rollouts/train-000${i + 1}.jsonl`), text(rollouts));
    });
    return computeVerdict(row({}), directory);
  };
  const line = {
    "train/updates": 2,
    "fires/judge": 9,
    "meant/judge": 10,
    "fires/planner": 3,
    "meant/planner": 3,
  };

  test("is that it works when all updates, few end at a limit and every mechanism fires", () => {
    expect(verdict([line, line, line])).toEqual({
      system: "one",
      works: true,
      updates: 3,
      atLimit: 0,
      fires: 0.9,
      mechanisms: { judge: 0.9, planner: 1 },
    });
  });

  test("sums over iterations, and takes the least of the mechanisms", () => {
    const quiet = { ...line, "fires/judge": 0 };
    expect(verdict([line, quiet, quiet])).toMatchObject({ works: false, fires: 0.3 });
  });

  test("is that it does not without an update, at limits, or without an occasion", () => {
    const idle = { ...line, "train/updates": 0 };
    expect(verdict([line, idle, line])).toMatchObject({ works: false, updates: 2 });
    const limits = verdict([line, line, line], ["finished", "token-limit", "cancelled"]);
    expect(limits).toMatchObject({ works: false, atLimit: 0.5 });
    const { "fires/planner": _, "meant/planner": __, ...none } = line;
    expect(verdict([none, none, none])).toMatchObject({
      works: false,
      fires: 0,
      mechanisms: { planner: null },
    });
  });
});

test("rows are named in any case of letters; a name of none is refused with the nearest", () => {
  expect(findRows(["linvit"]).map(({ system }) => system)).toEqual(["LINVIT"]);
  expect(findRows([])).toHaveLength(62);
  expect(() => findRows(["LINVITT"])).toThrow(/unknown system "LINVITT" \(did you mean LINVIT\?\)/);
});
