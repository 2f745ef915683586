/**
 * Tests how a row of the systems table is shortened to three iterations, the verdict on a row, and the choice of rows
 * by name.
 */
import { describe, expect, test } from "vitest";
import { findRows } from "./check.ts";
import { createCheckConfig } from "./check-size.ts";
import { relativeDifference } from "./counterfactual/compare.ts";
import type { System } from "./system.ts";
import { computeVerdict, type MechanismVerdict } from "./verdict.ts";

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
  const alive: MechanismVerdict = {
    compares: "gradients",
    onOff: 0.3,
    deadOff: 0,
    onDead: 0.3,
    repeated: 0,
  };
  const verdictOn = (judge: Partial<MechanismVerdict>, updates = 3) =>
    computeVerdict(createRow({}), {
      updates,
      atLimit: 0,
      mechanisms: { judge: { ...alive, ...judge }, planner: alive },
    }).works;

  test("a row works when every mechanism differs from itself on but dead", () => {
    expect(verdictOn({})).toBe(true);
    expect(verdictOn({ onDead: 0.009 })).toBe(false);
  });

  test("a difference must be ten times that of a repeated run, and something must be learned", () => {
    expect(verdictOn({ onDead: 0.3, repeated: 0.04 })).toBe(false);
    expect(verdictOn({}, 0)).toBe(false);
  });

  test("gradients are compared by their distance, and rollouts by the turns that differ", () => {
    const part = (squared: number, size: number) => ({ squared, size });
    expect(relativeDifference("gradients", [part(9, 50), part(16, 50)])).toBe(0.5);
    expect(relativeDifference("rollouts", [part(1, 4), part(1, 4)])).toBe(0.25);
    expect(relativeDifference("rollouts", [])).toBe(0);
  });
});

test("rows are found by name, in upper or lower case, and the error for an unknown name suggests the nearest name", () => {
  expect(findRows(["linvit"]).map(({ system }) => system)).toEqual(["LINVIT"]);
  expect(findRows([])).toHaveLength(62);
  expect(() => findRows(["LINVITT"])).toThrow(/unknown system "LINVITT" \(did you mean LINVIT\?\)/);
});
