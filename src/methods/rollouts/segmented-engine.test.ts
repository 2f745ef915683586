import { expect, test } from "vitest";
import {
  type ActionRow,
  buildActionRow,
  cutRowIntoSegments,
  LOOP_OBJECTIVE,
  policyObjective,
} from "../../algo/index.ts";
import type { Cotangents, Engine, OptimizerStep, Rollout, Row } from "../../spec/index.ts";
import { fakeTurn } from "../../testing/fake-rollout.ts";
import { tableEngine } from "../../testing/table-engine.ts";
import { createSegmentedEngine } from "./segmented-engine.ts";

const STEP: OptimizerStep = {
  learningRate: 0.1,
  beta1: 0.9,
  beta2: 0.99,
  epsilon: 1e-8,
  weightDecay: 0,
  maxGradientNorm: 1e9,
};

const makeTurn = (span: [number, number], segment?: number) =>
  fakeTurn({ span, ...(segment !== undefined && { segment }) });

/** A rollout with three turns in two rows. The second row has two of the turns. */
const rollout = {
  id: "1/0/0",
  tokens: { ids: [1, 2, 3, 4], mask: [0, 1, 1, 0], logprobs: [0, -1, -2, 0] },
  segments: [{ ids: [5, 6, 7, 8, 9], mask: [0, 1, 0, 1, 1], logprobs: [0, -3, 0, -4, -5] }],
  turns: [makeTurn([1, 3]), makeTurn([1, 2], 1), makeTurn([3, 5], 1)],
} as unknown as Rollout;

test("a rollout of several rows becomes one action row, which is split again where each row begins", () => {
  const row = buildActionRow(rollout);
  expect(row).toEqual({
    tokens: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    at: [1, 2, 5, 7, 8],
    turnLengths: [2, 1, 2],
    sampled: [-1, -2, -3, -4, -5],
    starts: [4],
  });
  expect(cutRowIntoSegments(row)).toEqual([
    { tokens: [1, 2, 3, 4], at: [1, 2] },
    { tokens: [5, 6, 7, 8, 9], at: [1, 3, 4] },
  ]);
});

test("a masked turn has no action tokens, although it has a span", () => {
  const { segments: _, ...linear } = rollout;
  const masked = {
    ...linear,
    turns: [makeTurn([1, 3])],
    tokens: { ...rollout.tokens!, mask: [0, 0, 1, 0] as (0 | 1)[] },
  };
  expect(buildActionRow(masked as unknown as Rollout)).toMatchObject({ at: [2], turnLengths: [1] });
});

/** Returns the log-probs of all token pairs after one update. */
async function logprobsAfterUpdate(
  engine: Engine,
  rows: readonly Row[],
  cotangents: readonly Cotangents[],
) {
  await engine.accumulate(rows, cotangents, { temperature: 1 });
  await engine.update(STEP);
  const pairs = Array.from({ length: 100 }, (_, i) => ({
    tokens: [Math.floor(i / 10), i % 10],
    at: [1],
  }));
  return (await engine.evaluate(pairs)).map(({ logprobs }) => logprobs[0]);
}

test("a joined row gives the same outputs and gradients as its separate rows", async () => {
  const row = buildActionRow(rollout);
  const engine = createSegmentedEngine(tableEngine(10));
  const [whole] = await engine.evaluate([row], { entropies: true, values: true });
  const pieces = await tableEngine(10).evaluate(cutRowIntoSegments(row), {
    entropies: true,
    values: true,
  });
  for (const name of ["logprobs", "entropies", "values"] as const) {
    expect([...whole![name]!]).toEqual(pieces.flatMap((piece) => [...piece[name]!]));
  }
  const slopes = [1, -2, 3, -4, 5];
  const together = await logprobsAfterUpdate(engine, [row], [{ logprobs: slopes }]);
  const apart = await logprobsAfterUpdate(tableEngine(10), cutRowIntoSegments(row), [
    { logprobs: slopes.slice(0, 2) },
    { logprobs: slopes.slice(2) },
  ]);
  expect(together).toEqual(apart);
});

test("a row that was not joined reaches the engine as the same object", async () => {
  const seen: unknown[] = [];
  const inner = tableEngine(10);
  const watched = {
    ...inner,
    evaluate: async (rows: readonly Row[]) => {
      seen.push(rows);
      return inner.evaluate(rows);
    },
  };
  const rows = [{ tokens: [1, 2], at: [1] }];
  await createSegmentedEngine(watched as Engine).evaluate(rows);
  expect(seen[0]).toBe(rows);
});

test("the mean over a rollout's tokens covers all its rows, so each of five tokens has weight 1/5", () => {
  const row: ActionRow = buildActionRow(rollout);
  const { cotangents } = policyObjective(
    [
      {
        advantage: 2,
        logprobs: row.sampled,
        oldLogprobs: row.sampled,
        turnLengths: row.turnLengths,
      },
    ],
    { ...LOOP_OBJECTIVE, minibatchSize: 1 },
  );
  expect(Array.from(cotangents[0]!.logprobs)).toEqual(row.at.map(() => -2 / 5));
});

test("the ratio of a trajectory is the product over all its rows", () => {
  const row = buildActionRow(rollout);
  const now = row.sampled.map((value) => value + 0.01);
  const { stats } = policyObjective(
    [{ advantage: 1, logprobs: now, oldLogprobs: row.sampled, turnLengths: row.turnLengths }],
    { ...LOOP_OBJECTIVE, ratio: "trajectory", clip: 1, minibatchSize: 1 },
  );
  expect(stats.ratioMax).toBeCloseTo(Math.exp(0.05), 10);
});
