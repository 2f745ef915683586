import { expect, test } from "vitest";
import { scoreSchema } from "../spec/index.ts";
import { fakeEvaluation, fakeRollout } from "../testing/fake-rollout.ts";
import { groupStatistics, measureLogprobGap, scoreRollouts } from "./index.ts";

const TASKS = { easy: 1, hard: 3 } as const;
const rollout = (scenario: keyof typeof TASKS, variant: number, checks: boolean[], index = 0) => {
  const base = fakeRollout({ taskId: `dev/${scenario}/${variant}`, checks, index });
  return { ...base, task: { ...base.task, difficulty: TASKS[scenario] } };
};

const PASS = [true, true];
const HALF = [true, false];

test("TGC is the share of passed tasks, and SGC the share of scenarios in which every task passes", () => {
  const result = scoreRollouts([
    ...[0, 1, 2].map((variant) => rollout("easy", variant, PASS)),
    rollout("hard", 0, PASS),
    rollout("hard", 1, PASS),
    rollout("hard", 2, HALF),
  ]);
  expect(result).toMatchObject({ tasks: 6, scenarios: 2, sgc: 0.5, reward: 5.5 / 6 });
  expect(result.tgc).toBeCloseTo(5 / 6, 12);
  expect(result.byDifficulty).toEqual({
    1: { tgc: 1, sgc: 1, tasks: 3, share: 0.5 },
    3: { tgc: 2 / 3, sgc: 0, tasks: 3, share: 0.5 },
  });
  expect(scoreSchema.parse(result)).toEqual(result);
});

test("repetitions are averaged, and a scenario passes a repetition only when all its tasks pass", () => {
  const result = scoreRollouts([
    ...[0, 1, 2].map((variant) => rollout("easy", variant, PASS, 0)),
    ...[0, 1].map((variant) => rollout("easy", variant, PASS, 1)),
    rollout("easy", 2, HALF, 1),
  ]);
  expect(result).toMatchObject({ tasks: 3, scenarios: 1, sgc: 0.5 });
  expect(result.tgc).toBeCloseTo(5 / 6, 12);
});

test("unfinished and failed rollouts count as not passed, and cancelled ones are left out", () => {
  const unfinished = { ...rollout("easy", 0, PASS), evaluation: fakeEvaluation(PASS, false) };
  const failed = fakeRollout({ taskId: "dev/easy/1", outcome: "failed" });
  const cancelled = fakeRollout({ taskId: "dev/easy/2", outcome: "cancelled" });
  const result = scoreRollouts([
    unfinished,
    failed,
    cancelled,
    cancelled,
    rollout("easy", 3, PASS),
  ]);
  expect(result).toMatchObject({ tasks: 3, sgc: 0, reward: 1 / 3 });
  expect(result.tgc).toBeCloseTo(1 / 3, 12);
  const whole = [rollout("easy", 0, PASS), { ...cancelled, index: 1 }];
  expect(scoreRollouts(whole)).toMatchObject({ tasks: 1, tgc: 1, sgc: 1 });
});

test("an evaluation without rollouts has zero scores and the interval [0, 1]", () => {
  const expected = { tgc: 0, sgc: 0, tgcInterval: [0, 1], tasks: 0, scenarios: 0, reward: 0 };
  expect(scoreRollouts([])).toEqual({ ...expected, byDifficulty: {}, behaviour: {} });
});

test("the interval of TGC is wider when the tasks of a scenario pass and fail together", () => {
  const scenario = (name: string, passes: readonly boolean[]) =>
    passes.map((passes, variant) =>
      fakeRollout({ taskId: `dev/${name}/${variant}`, checks: [passes] }),
    );
  const width = (rows: readonly (readonly boolean[])[]) => {
    const { tgc, tgcInterval } = scoreRollouts(
      rows.flatMap((passes, i) => scenario(`s${i}`, passes)),
    );
    expect(tgc).toBe(0.5);
    return tgcInterval[1] - tgcInterval[0];
  };
  const [all, none] = [Array(4).fill(true), Array(4).fill(false)];
  const mixed = [true, false, true, false];
  const apart = width(Array(20).fill(mixed));
  expect(width([...Array(10).fill(all), ...Array(10).fill(none)]) / apart).toBeCloseTo(1.9, 1);
});

test("group statistics distinguish groups in which all, none or some rollouts pass", () => {
  const group = (taskId: string, ...checks: boolean[][]) =>
    checks.map((passed, index) => fakeRollout({ taskId, index, checks: passed }));
  const statistics = groupStatistics([
    ...group("train/a/0", PASS, PASS),
    ...group("train/b/0", HALF, HALF),
    ...group("train/c/0", PASS, HALF),
    ...group("train/d/0", HALF, [false, false]),
    fakeRollout({ taskId: "train/a/0", outcome: "cancelled" }),
  ]);
  expect(statistics).toEqual({
    groups: 4,
    meanGroupSize: 2,
    allRight: 0.25,
    allWrong: 0.5,
    mixed: 0.5,
    rewardMean: 5 / 8,
    passRate: 3 / 8,
  });
});

test("measureLogprobGap returns a mean and a maximum, and a NaN appears in the maximum", () => {
  expect(
    measureLogprobGap([
      [[-1, -2], Float32Array.of(-1, -2.5)],
      [[-3], [-3.25]],
    ]),
  ).toEqual({ mean: 0.25, max: 0.5 });
  expect(measureLogprobGap([[[Number.NaN], [0]]]).max).toBeNaN();
  expect(measureLogprobGap([])).toEqual({ mean: 0, max: 0 });
});
