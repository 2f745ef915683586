/**
 * Tests of the method LOOP: its three functions, called as `train()` calls them, compared with the paper
 * (`src/algo/loop.ts`).
 */

import { describe, expect, expectTypeOf, test } from "vitest";
import { buildActionRow, leaveOneOut, loopObjective } from "../algo/index.ts";
import type { Cotangents, Engine, Rollout, Row } from "../spec/index.ts";
import { FAKE_STEP, fakeConfig, fakeIteration } from "../testing/fake-iteration.ts";
import { fakeRollout } from "../testing/fake-rollout.ts";
import { tableEngine } from "../testing/table-engine.ts";
import { defineVariant } from "./define-method.ts";
import { loop } from "./loop.ts";
import type { Method } from "./method.ts";
import {
  loopRwnorm,
  loopTrajectory,
  loopTrajectoryMean,
  loopTurn,
  onPolicy,
  rloo,
} from "./on-policy.ts";

/** Number of tokens in the table engine. At first all tokens are equally likely. */
const VOCABULARY = 8;
const UNIFORM = Math.fround(-Math.log(VOCABULARY));

/**
 * Makes a rollout in which `passed` of four checks pass. Its three action tokens are in two turns and differ for each
 * index.
 */
function makeRollout(
  index: number,
  passed: number,
  more: Partial<Rollout> & { taskId?: string } = {},
) {
  const ids = [0, 1 + (index % 6), 2, 7, 6 - (index % 6)];
  const turn = { message: "", code: "x", observation: "", status: "ok" as const, calls: [] };
  return fakeRollout({
    index,
    checks: [0, 1, 2, 3].map((i) => i < passed),
    turns: [
      { ...turn, span: [1, 3] },
      { ...turn, span: [4, 5] },
    ],
    tokens: {
      ids,
      mask: [0, 1, 1, 0, 1],
      logprobs: [0, UNIFORM, UNIFORM, 0, UNIFORM],
    },
    ...more,
  });
}

const group = [4, 2, 2, 1].map((passed, index) => makeRollout(index, passed));
const returns = [1, 0.5, 0.5, 0.25];

interface Step {
  readonly rows: readonly Row[];
  readonly cotangents: readonly Cotangents[];
  /** Log-probs of the action tokens before the optimizer step. */
  readonly logprobs: readonly Float32Array[];
}

/** Creates a table engine that records what every gradient was made from. */
function watchedEngine(): { readonly engine: Engine; readonly steps: readonly Step[] } {
  const inner = tableEngine(VOCABULARY);
  const steps: Step[] = [];
  const engine: Engine = {
    ...inner,
    accumulate: async (rows, cotangents, options) => {
      const outputs = await inner.accumulate(rows, cotangents, options);
      steps.push({ rows, cotangents, logprobs: outputs.map(({ logprobs }) => logprobs) });
      return outputs;
    },
  };
  return { engine, steps };
}

/** An engine that throws when anything is called. */
const engineThatMustNotBeUsed = new Proxy({} as Engine, {
  get: (_, name) => {
    throw new Error(`the engine was asked for ${String(name)}`);
  },
});

const LOOP_CONFIG = fakeConfig(loop);
/** A method with either configuration. These tests call its functions with the method's own configuration. */
type AnyMethod = typeof loop | typeof onPolicy;
type IterationChange = Parameters<typeof fakeIteration<typeof LOOP_CONFIG, object>>[1];

/** Grades rollouts and learns from them. Also returns what the engine received. */
async function gradeAndLearn(
  rollouts: readonly Rollout[],
  algo: Readonly<Record<string, unknown>> = {},
  { method: chosen = loop, ...change }: IterationChange & { method?: AnyMethod } = {},
) {
  const method = chosen as typeof loop;
  const { engine, steps } = watchedEngine();
  const iteration = fakeIteration(method, { engine, config: { algo }, ...change });
  const grading = await method.grade({ rollouts }, iteration);
  const result = await method.learn({ rollouts, ...grading }, iteration);
  return { engine, steps, grading, ...result };
}

/** Computes `loopObjective` of the rows, in the order in which the engine received them. */
function computeByPaper(
  { rows, logprobs }: Step,
  graded: readonly { readonly rollout: Rollout; readonly advantage: number }[],
  sizes: { readonly clip: number; readonly minibatchSize: number },
  old: (rollout: Rollout) => ArrayLike<number> = () => [UNIFORM, UNIFORM, UNIFORM],
) {
  const items = rows.map(
    (row) => graded.find(({ rollout }) => rollout.tokens!.ids === row.tokens)!,
  );
  return loopObjective(
    items.map(({ rollout, advantage }, i) => ({
      advantage,
      logprobs: logprobs[i]!,
      oldLogprobs: old(rollout),
    })),
    sizes,
  );
}

function expectSlopes(given: readonly Cotangents[], page: readonly Cotangents[]): void {
  expect(given).toHaveLength(page.length);
  given.forEach(({ logprobs }, i) => {
    expect(logprobs).toHaveLength(page[i]!.logprobs.length);
    Array.from(logprobs).forEach((slope, t) => {
      expect(slope).toBeCloseTo(page[i]!.logprobs[t]!, 12);
    });
  });
}

test("a loss that is not finite ends the iteration without a step", async () => {
  const inner = tableEngine(VOCABULARY);
  let passes = 0;
  let updates = 0;
  const engine: Engine = {
    ...inner,
    evaluate: async (rows, options) => {
      const outputs = await inner.evaluate(rows, options);
      if (++passes === 1) return outputs;
      return outputs.map(({ logprobs }) => ({ logprobs: logprobs.map(() => Number.NaN) }));
    },
    update: (step) => {
      updates += 1;
      return inner.update(step);
    },
  };
  const iteration = fakeIteration(loop, { engine, config: { algo: { minibatch: 2 } } });
  const collected = { rollouts: group, solutions: [] };
  const grading = await loop.grade(collected, iteration);
  const learned = await loop.learn({ ...collected, ...grading }, iteration);
  expect(learned.stopped).toBe("the loss is NaN");
  expect(updates).toBe(1);
});

describe("LOOP's grade", () => {
  const computeAdvantages = async (
    rollouts: readonly Rollout[],
    chosen: AnyMethod = loop,
    algo = {},
  ) => {
    const method = chosen as typeof loop;
    const iteration = fakeIteration(method, { engine: engineThatMustNotBeUsed, config: { algo } });
    const { graded, metrics } = await method.grade({ rollouts }, iteration);
    expect(metrics).toEqual({});
    return graded.map(({ rollout, reward, advantage }) => [rollout.id, reward, advantage] as const);
  };

  test("LOOP's advantage is a rollout's return minus the mean of the other returns of its group", async () => {
    const other = [0, 3].map((passed, i) => makeRollout(i, passed, { taskId: "train/1/0" }));
    const graded = await computeAdvantages([...group, ...other]);
    expect(graded.map(([id]) => id)).toEqual([...group, ...other].map(({ id }) => id));
    expect(graded.map(([, reward]) => reward)).toEqual([...returns, 0, 0.75]);
    [...leaveOneOut(returns), -0.75, 0.75].forEach((A, i) => {
      expect(graded[i]![2]).toBeCloseTo(A, 12);
    });
  });

  test("grading leaves out rollouts without a return, and groups with only one return", async () => {
    const cancelled = fakeRollout({ index: 4, outcome: "cancelled" });
    const alone = makeRollout(0, 4, { taskId: "train/2/0" });
    const without = await computeAdvantages(group);
    expect(await computeAdvantages([cancelled, ...group, alone])).toEqual(without);
  });

  test("an unfinished rollout has a return of 0, unless the configuration says otherwise", async () => {
    const unfinished = group.map((rollout, i) =>
      i === 0
        ? {
            ...rollout,
            outcome: "turn-limit" as const,
            evaluation: { ...rollout.evaluation!, finished: false },
          }
        : rollout,
    );
    expect((await computeAdvantages(unfinished))[0]![1]).toBe(0);
    expect((await computeAdvantages(unfinished, loop, { unfinished: "score" }))[0]![1]).toBe(1);
    expect((await computeAdvantages(group, loop, { reward: "strict" })).map(([, R]) => R)).toEqual([
      1, 0, 0, 0,
    ]);
  });

  test("advantages use the configured baseline and scale", async () => {
    const mean = (await computeAdvantages(group, onPolicy, { baseline: "mean" })).map(
      ([, , A]) => A,
    );
    expect(mean).toEqual(returns.map((R) => R - 0.5625));
    const spread = Math.sqrt(mean.reduce((sum, A) => sum + A * A, 0) / 4);
    (await computeAdvantages(group, loopRwnorm)).forEach(([, , A], i) => {
      expect(A).toBeCloseTo(leaveOneOut(returns)[i]! / spread, 12);
    });
  });

  test("a user's reward term is added to the returns, and its mean is reported", async () => {
    const payByIndex = async ({ index }: Rollout) => index / 10;
    const { grading } = await gradeAndLearn(
      group,
      {},
      { extensions: { rewards: { late: payByIndex }, filters: {} } },
    );
    const paid = returns.map((R, i) => R + i / 10);
    expect(grading.graded.map(({ reward }) => reward)).toEqual(paid);
    leaveOneOut(paid).forEach((A, i) => {
      expect(grading.graded[i]!.advantage).toBeCloseTo(A, 12);
    });
    expect(grading.metrics).toEqual({ "reward/term/late": expect.closeTo(0.15, 12) });
  });
});

describe("LOOP's learn", () => {
  // All rollouts are in one minibatch, whose nominal size is larger than their number.
  const whole = { epochs: 1, minibatch: 0, groupSize: 5, tasksPerIteration: 2 };

  test("LOOP's first update has the gradient of loopObjective at ratio 1", async () => {
    const { engine, steps, grading, metrics, kept, ratios } = await gradeAndLearn(group, whole);
    expect([kept, steps.length]).toEqual([4, 1]);
    const page = computeByPaper(steps[0]!, grading.graded, { clip: 0.1, minibatchSize: 10 });
    expectSlopes(steps[0]!.cotangents, page.cotangents);

    const apart = tableEngine(VOCABULARY);
    await apart.accumulate(steps[0]!.rows, page.cotangents);
    const { gradientNorm } = await apart.update(FAKE_STEP);
    const rows = group.map(buildActionRow);
    const [now, expected] = [await engine.evaluate(rows), await apart.evaluate(rows)];
    now.forEach(({ logprobs }, i) => {
      expect(Array.from(logprobs)).toEqual(
        Array.from(expected[i]!.logprobs, (x) => expect.closeTo(x, 6)),
      );
    });
    expect(metrics).toMatchObject({
      "train/updates": 1,
      "train/loss": expect.closeTo(page.loss, 12),
      "gradient/norm": expect.closeTo(gradientNorm, 12),
      "ratio/max": 1,
      "ratio/clip_fraction": 0,
      "logprob/sampler_gap": 0,
    });
    expect(ratios.map(({ at, ratios: seen }) => [at, seen])).toEqual(
      group.map(() => [
        [1, 2, 4],
        [1, 1, 1],
      ]),
    );
  });

  test("LOOP's later updates have the gradient of loopObjective at the current ratios", async () => {
    const algo = { ...whole, epochs: 4, clip: 0.15 };
    const step = { ...FAKE_STEP, learningRate: 0.03 };
    const { steps, grading, metrics } = await gradeAndLearn(group, algo, { step });
    const pages = steps.map((step) =>
      computeByPaper(step, grading.graded, { clip: 0.15, minibatchSize: 10 }),
    );
    pages.forEach((page, i) => {
      expectSlopes(steps[i]!.cotangents, page.cotangents);
    });
    // By then, some tokens are beyond the clip and others are not.
    const last = pages.at(-1)!.cotangents.flatMap(({ logprobs }) => [...logprobs]);
    expect(last).toContain(0);
    expect(last.some((slope) => slope !== 0)).toBe(true);
    expect(metrics["train/loss"]).toBeCloseTo(
      pages.reduce((sum, { loss }) => sum + loss / 4, 0),
      12,
    );
    expect(metrics["ratio/max"]).toBeGreaterThan(1.15);
  });

  test("minibatches mix rollouts of different groups, and each is divided by the size of a full minibatch", async () => {
    const { steps, grading, metrics } = await gradeAndLearn(group, { epochs: 2, minibatch: 3 });
    expect(steps.map(({ rows }) => rows.length)).toEqual([3, 1, 3, 1]);
    for (const step of steps) {
      const page = computeByPaper(step, grading.graded, { clip: 0.1, minibatchSize: 3 });
      expectSlopes(step.cotangents, page.cotangents);
    }
    expect(metrics["train/updates"]).toBe(4);
  });

  test("LOOP does not learn from rollouts whose |advantage| is below the threshold", async () => {
    // The leave-one-out advantages are 0.58, -0.08, -0.08, -0.42.
    const { steps, kept, ratios } = await gradeAndLearn(group, {
      ...whole,
      advantageThreshold: 0.1,
    });
    expect(kept).toBe(2);
    expect(ratios.map(({ id }) => id)).toEqual([group[0]!.id, group[3]!.id]);
    expect(steps[0]!.rows.map(({ tokens }) => tokens).sort()).toEqual(
      [group[0]!, group[3]!].map(({ tokens }) => tokens!.ids).sort(),
    );
    const half = await gradeAndLearn(group, { ...whole, advantageThreshold: 0.5 });
    expect(half.kept).toBe(1);
  });

  test("LOOP does not use the engine when all returns are equal, because there is nothing to learn", async () => {
    const equal = group.map((_, i) => makeRollout(i, 3));
    const { kept, metrics, ratios } = await gradeAndLearn(
      equal,
      {},
      { engine: engineThatMustNotBeUsed },
    );
    expect([kept, metrics, ratios]).toEqual([0, { "train/updates": 0 }, []]);
  });

  test("a user's filter is applied after grading, so baselines stay the same", async () => {
    const keepFirstRollouts = ({ rollout }: { rollout: Rollout }) => rollout.index < 2;
    const filters = { early: keepFirstRollouts };
    const { steps, grading, kept, metrics } = await gradeAndLearn(group, whole, {
      extensions: { rewards: {}, filters },
    });
    expect([kept, metrics["filter/early"]]).toEqual([2, 2]);
    expect(grading.graded[0]!.advantage).toBeCloseTo(leaveOneOut(returns)[0]!, 12);
    const page = computeByPaper(steps[0]!, grading.graded, { clip: 0.1, minibatchSize: 10 });
    expectSlopes(steps[0]!.cotangents, page.cotangents);

    const none = await gradeAndLearn(group, whole, {
      engine: engineThatMustNotBeUsed,
      extensions: { rewards: {}, filters: { ...filters, none: () => false } },
    });
    expect(none.metrics).toEqual({ "train/updates": 0, "filter/early": 2, "filter/none": 2 });
  });

  test("an iteration ends before a minibatch whose trajectory KL is too large", async () => {
    const { steps, stopped, metrics } = await gradeAndLearn(group, {
      ...whole,
      epochs: 3,
      maxTrajectoryKl: 0,
    });
    expect(steps).toHaveLength(1);
    expect(stopped).toMatch(/^the estimated trajectory KL is .* beyond 0$/);
    expect(metrics["train/updates"]).toBe(1);
  });

  test("sampler and learner must agree, unless rollouts were collected ahead", async () => {
    const older = group.map((rollout) => {
      const { ids, mask } = rollout.tokens!;
      const logprobs = mask.map((sampled) => (sampled ? UNIFORM - 0.05 : 0));
      return { ...rollout, tokens: { ids, mask, logprobs } };
    });
    await expect(gradeAndLearn(older, whole)).rejects.toMatchObject({
      code: "tripwire",
      message: expect.stringContaining("sampler and learner disagree"),
    });
    const { steps, grading, metrics } = await gradeAndLearn(older, { ...whole, staleness: 1 });
    expect(metrics["logprob/sampler_gap"]).toBeCloseTo(0.05, 6);
    const page = computeByPaper(
      steps[0]!,
      grading.graded,
      { clip: 0.1, minibatchSize: 10 },
      (rollout) => Float32Array.from(buildActionRow(rollout).sampled),
    );
    expectSlopes(steps[0]!.cotangents, page.cotangents);
    expect(metrics["ratio/max"]).toBeCloseTo(Math.exp(0.05), 5);
  });
});

describe("an iteration of LOOP", () => {
  const config = { algo: { groupSize: 3, stragglers: null } };

  test("LOOP collects K rollouts of each task with the current policy", async () => {
    const iteration = fakeIteration(loop, { config, number: 4 });
    const tasks = iteration.tasks.slice(0, 2);
    const { rollouts } = await loop.collect(tasks, iteration);
    expect(rollouts.map(({ id, task, index }) => [id, task, index])).toEqual(
      [0, 1, 2].flatMap((index) => tasks.map((task, i) => [`4/${i}/${index}`, task, index])),
    );
    expect(new Set(rollouts.map(({ stream }) => stream)).size).toBe(6);
    expect(rollouts.every(({ temperature }) => temperature === 1)).toBe(true);
    expect(
      (await loop.collect(tasks, fakeIteration(loop, { config, number: 4 }))).rollouts,
    ).toEqual(rollouts);
    const next = await loop.collect(tasks, fakeIteration(loop, { config, number: 5 }));
    expect(next.rollouts.map(({ stream }) => stream)).not.toEqual(
      rollouts.map(({ stream }) => stream),
    );
  });

  test("LOOP learns from the collected rollouts, with a first ratio of 1", async () => {
    // At first, the table engine does not solve the task, so the first token decides the return here.
    const iteration = fakeIteration(loop, {
      config: { algo: { ...config.algo, epochs: 1, minibatch: 0, groupSize: 6 } },
      extensions: { rewards: { first: firstActionToken }, filters: {} },
    });
    const { rollouts } = await loop.collect(iteration.tasks.slice(0, 2), iteration);
    const grading = await loop.grade({ rollouts }, iteration);
    const learned = await loop.learn({ rollouts, ...grading }, iteration);
    expect(learned.kept).toBeGreaterThan(6);
    expect(learned.metrics["ratio/max"]).toBeCloseTo(1, 6);
    expect(learned.metrics["gradient/norm"]).toBeGreaterThan(0);

    const rows = grading.graded.map(({ rollout }) => buildActionRow(rollout));
    const now = await iteration.engine.evaluate(rows);
    const gain = grading.graded.map(({ advantage }, i) =>
      Array.from(now[i]!.logprobs, (x, t) => advantage * (x - rows[i]!.sampled[t]!)),
    );
    expect(gain.flat().reduce((sum, value) => sum + value, 0)).toBeGreaterThan(0);
  });

  /** Returns the first action token of a rollout. In these tests even tokens earn something. */
  function firstActionToken({ tokens }: Rollout): number {
    const at = tokens!.mask.indexOf(1);
    return tokens!.ids[at]! % 2 === 0 ? 1 : 0;
  }
});

describe("variants of a method", () => {
  const all = { loopTurn, loopTrajectory, loopTrajectoryMean, loopRwnorm, rloo };

  test("variants keep the method's sections and functions, and have their own name and preset", () => {
    for (const method of Object.values(all)) {
      expect(method.sections).toBe(onPolicy.sections);
      expect(method.learn).toBe(onPolicy.learn);
      expect(method.name).not.toBe(onPolicy.name);
      expect(method.summary).not.toBe(onPolicy.summary);
    }
    expect(fakeConfig(onPolicy).algo).toMatchObject({ ratio: "token", scale: "none", epochs: 2 });
    const { keptShare: _, ...plain } = fakeConfig(onPolicy).algo as Record<string, unknown>;
    expect(fakeConfig(rloo).algo).toEqual({
      ...plain,
      ratio: "trajectory",
      epochs: 1,
      minibatch: 0,
    });
  });

  test("a variant's preset is merged with the method's, section by section", () => {
    const further = defineVariant(loopRwnorm, {
      name: "further",
      summary: "one more",
      preset: { algo: { clip: 0.3 }, optimizer: { betas: [0.5, 0.999] } },
      spends: "tasks",
    });
    expect(further).toMatchObject({
      name: "further",
      summary: "one more",
      spends: "tasks",
      preset: { algo: { scale: "group", clip: 0.3 }, optimizer: { betas: [0.5, 0.999] } },
    });
    const again = defineVariant(further, {
      name: "again",
      summary: "",
      preset: { algo: { clip: 0.2 } },
    });
    expect(again.preset).toEqual({
      algo: { scale: "group", clip: 0.2 },
      optimizer: { betas: [0.5, 0.999] },
    });
    expect(again.spends).toBe("tasks");
    expect(loopRwnorm.preset).toEqual({ algo: { scale: "group" } });
    expect(loopRwnorm.spends).toBe("iterations");
    expect(fakeConfig(again)).toMatchObject({
      algo: { scale: "group", clip: 0.2 },
      optimizer: { betas: [0.5, 0.999] },
    });
  });

  test("a variant has the same configuration type as its method", () => {
    expectTypeOf(rloo).toEqualTypeOf<typeof onPolicy>();
    // A method with a richer configuration is still assignable to `Method`.
    const plain: Method = rloo;
    expect(plain.name).toBe("rloo");
  });

  test("at ratio 1, the length of a variant's gradient depends on whether its ratio spans tokens, turns or the trajectory", async () => {
    const algo = { epochs: 1, minibatch: 0 };
    const slopesOfMethod = async (method: Method) => {
      const { steps } = await gradeAndLearn(group, algo, { method });
      return steps[0]!.cotangents.map(({ logprobs }) => Array.from(logprobs));
    };
    const token = await slopesOfMethod(loop);
    const multiplySlopes = (factors: readonly number[]) =>
      token.map((row) => row.map((slope, t) => expect.closeTo(factors[t]! * slope, 12)));
    expect(await slopesOfMethod(loopTrajectoryMean)).toEqual(multiplySlopes([1, 1, 1]));
    expect(await slopesOfMethod(loopTrajectory)).toEqual(multiplySlopes([3, 3, 3]));
    expect(await slopesOfMethod(rloo)).toEqual(multiplySlopes([3, 3, 3]));
    // The first turn has two tokens and the second has one.
    expect(await slopesOfMethod(loopTurn)).toEqual(multiplySlopes([2, 2, 1]));
  });
});
