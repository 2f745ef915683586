import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fakeRollout, fakeTokens } from "../testing/fake-rollout.ts";
import {
  buildActionRow,
  LOOP_OBJECTIVE,
  type ObjectiveOptions,
  type ObjectiveRow,
  policyObjective,
  safetyStopReason,
} from "./index.ts";

// Numbers are drawn as thousandths. Most of fast-check's doubles are close to zero, where the objective is never
// clipped.
const thousandths = (min: number, max: number) =>
  fc.integer({ min: min * 1000, max: max * 1000 }).map((n) => n / 1000);
const logprob = thousandths(-4, 0);
const shift = thousandths(-0.4, 0.4).map((by) => by + 0.0003);
const turn = fc.array(fc.tuple(logprob, shift), { minLength: 1, maxLength: 4 });
const row = fc
  .tuple(thousandths(-1, 1), fc.array(turn, { minLength: 1, maxLength: 4 }))
  .map(([advantage, turns]) => ({
    advantage,
    oldLogprobs: turns.flat().map(([old]) => old),
    logprobs: turns.flat().map(([old, by]) => old + by),
    turnLengths: turns.map((tokens) => tokens.length),
  }));
const rows = fc.array(row, { minLength: 1, maxLength: 5 });
const options = fc.record<ObjectiveOptions>({
  ratio: fc.constantFrom("token", "turn", "trajectory"),
  clip: fc.constantFrom(0.1, 0.2),
  lowerClip: fc.constantFrom("paper", "code"),
  minibatchSize: fc.constantFrom(5, 32),
});

type OneAdvantage = ObjectiveRow & { readonly advantage: number };

/**
 * Computes the paper's formulas unit by unit. Also returns the distance between a kink and the unit that is closest to
 * one.
 */
function reference(batch: readonly OneAdvantage[], o: ObjectiveOptions) {
  let objective = 0;
  let kink = Number.POSITIVE_INFINITY;
  for (const { advantage, logprobs, oldLogprobs, turnLengths } of batch) {
    const ratios = Array.from(logprobs, (p, t) => Math.exp(p) / Math.exp(oldLogprobs[t]!));
    const upper = 1 + o.clip;
    const lower = o.lowerClip === "paper" ? 1 - o.clip : 1 / (1 + o.clip);
    const g = Math.max(upper * advantage, lower * advantage);
    const capped = (product: number) => {
      kink = Math.min(kink, Math.abs(product * advantage - g));
      return Math.min(product * advantage, g);
    };
    const product = (list: readonly number[]) => list.reduce((a, b) => a * b, 1);
    if (o.ratio === "trajectory") objective += capped(product(ratios));
    if (o.ratio === "token") {
      objective += ratios.reduce((sum, r) => sum + capped(r), 0) / ratios.length;
    }
    if (o.ratio === "turn") {
      let start = 0;
      for (const length of turnLengths!) {
        const inTurn = ratios.slice(start, start + length);
        objective += (length / ratios.length) * capped(product(inTurn));
        start += length;
      }
    }
  }
  return { loss: -objective / o.minibatchSize, kink };
}

describe("policyObjective on random minibatches with every ratio span and both clip bounds", () => {
  test("the policy loss equals the paper's formula", () => {
    fc.assert(
      fc.property(rows, options, (batch, o) => {
        expect(policyObjective(batch, o).loss).toBeCloseTo(reference(batch, o).loss, 10);
      }),
    );
  });

  test("policy cotangents equal the loss's central differences", () => {
    fc.assert(
      fc.property(rows, options, (batch, o) => {
        fc.pre(reference(batch, o).kink > 1e-5);
        const { cotangents } = policyObjective(batch, o);
        const h = 1e-6;
        batch.forEach((item, i) => {
          item.logprobs.forEach((value, t) => {
            const lossAt = (p: number) => {
              const moved = { ...item, logprobs: item.logprobs.with(t, p) };
              return policyObjective(batch.with(i, moved), o).loss;
            };
            const slope = (lossAt(value + h) - lossAt(value - h)) / (2 * h);
            const error = Math.abs(cotangents[i]!.logprobs[t]! - slope);
            expect(error).toBeLessThan(1e-6 * (1 + Math.abs(slope)));
          });
        });
      }),
      { numRuns: 200 },
    );
  });
});

test("the slope is zero only beyond the upper bound for A > 0 and beyond the lower bound for A < 0", () => {
  const o = { ...LOOP_OBJECTIVE, minibatchSize: 1 };
  const slope = (advantage: number, ratio: number) =>
    policyObjective([{ advantage, logprobs: [Math.log(ratio)], oldLogprobs: [0] }], o)
      .cotangents[0]!.logprobs[0]!;
  expect(slope(1, 1.11) + 0).toBe(0);
  expect(slope(1, 1.09)).toBeCloseTo(-1.09, 12);
  expect(slope(1, 0.5)).toBeCloseTo(-0.5, 12);
  expect(slope(-1, 0.89) + 0).toBe(0);
  expect(slope(-1, 0.91)).toBeCloseTo(0.91, 12);
  expect(slope(-1, 2)).toBeCloseTo(2, 12);
});

test("only action tokens have a slope; environment tokens have none", () => {
  const bits = fc.array(fc.constantFrom<0 | 1>(0, 1), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(bits, thousandths(0.1, 1), (mask, advantage) => {
      const masked = [0 as const, ...mask];
      const { at } = buildActionRow(fakeRollout({ tokens: fakeTokens(masked) }));
      fc.pre(at.length > 0);
      const o = { ...LOOP_OBJECTIVE, minibatchSize: 1 };
      // `all` holds log-probs of the whole row, including the environment's tokens. The old log-probs are all zero.
      const lossOf = (all: readonly number[]) => {
        const logprobs = at.map((position) => all[position]!);
        return policyObjective([{ advantage, logprobs, oldLogprobs: at.map(() => 0) }], o).loss;
      };
      const all = masked.map((_, position) => -0.01 * position);
      const h = 1e-6;
      all.forEach((value, position) => {
        const slope =
          (lossOf(all.with(position, value + h)) - lossOf(all.with(position, value - h))) / (2 * h);
        const expected = masked[position] ? -(Math.exp(value) * advantage) / at.length : 0;
        expect(slope).toBeCloseTo(expected, 7);
      });
    }),
    { numRuns: 50 },
  );
});

test("every rollout has the same weight whatever its length, and the sum is divided by the nominal minibatch size", () => {
  const uniform = (count: number): ObjectiveRow => ({
    advantage: 0.5,
    logprobs: new Array<number>(count).fill(-1),
    oldLogprobs: new Array<number>(count).fill(-1),
  });
  const { loss, cotangents } = policyObjective([uniform(2), uniform(50)], LOOP_OBJECTIVE);
  expect(loss).toBeCloseTo(-(0.5 + 0.5) / 32, 12);
  const total = (i: number) => Array.from(cotangents[i]!.logprobs).reduce((a, b) => a + b, 0);
  expect(total(0)).toBeCloseTo(-0.5 / 32, 12);
  expect(total(1)).toBeCloseTo(-0.5 / 32, 12);
});

test("a row without action tokens adds nothing to the loss and still has an entry in the result", () => {
  const empty = { advantage: 1, logprobs: [], oldLogprobs: [], turnLengths: [] };
  for (const ratio of ["token", "turn", "trajectory"] as const) {
    const { loss, cotangents } = policyObjective([empty], { ...LOOP_OBJECTIVE, ratio });
    expect(loss + 0).toBe(0);
    expect(cotangents).toEqual([{ logprobs: new Float64Array() }]);
  }
});

test("policyObjective reports clip fraction, ratios and KL estimates of a minibatch", () => {
  const log = Math.log;
  const batch = [
    { advantage: 1, logprobs: [log(1.2), log(1.05)], oldLogprobs: [0, 0] },
    { advantage: -1, logprobs: [log(0.8), log(1.5)], oldLogprobs: [0, 0] },
  ];
  const { stats } = policyObjective(batch);
  expect(stats).toMatchObject({ rollouts: 2, tokens: 4, clipFraction: 0.5 });
  expect(stats.ratioMean).toBeCloseTo((1.2 + 1.05 + 0.8 + 1.5) / 4, 12);
  expect(stats.ratioMax).toBeCloseTo(1.5, 12);
  expect(stats.ratioDeviation).toBeCloseTo(0.5, 12);
  const k1 = -(log(1.2) + log(1.05) + log(0.8) + log(1.5));
  expect(stats.klK1).toBeCloseTo(k1 / 4, 12);
  expect(stats.klK3).toBeCloseTo((0.2 + 0.05 - 0.2 + 0.5 + k1) / 4, 12);
  expect(stats.trajectoryKl).toBeCloseTo(k1 / 2, 12);
});

test("statistics with turn ratios weigh each turn by its number of tokens", () => {
  const logprobs = [Math.log(1.5) / 3, Math.log(1.5) / 3, Math.log(1.5) / 3, 0];
  const turns = { advantage: 1, logprobs, oldLogprobs: [0, 0, 0, 0], turnLengths: [3, 1] };
  const { stats } = policyObjective([turns], { ...LOOP_OBJECTIVE, ratio: "turn" });
  expect(stats.clipFraction).toBe(0.75);
  expect(stats.ratioMean).toBeCloseTo((3 * 1.5 + 1) / 4, 12);
  expect(stats.ratioMax).toBeCloseTo(1.5, 12);
});

test("when old and current log-probs are equal, the ratio is 1 and nothing is clipped", () => {
  const same = { advantage: 0.3, logprobs: [-1, -2], oldLogprobs: [-1, -2] };
  const { stats } = policyObjective([same]);
  expect(stats).toMatchObject({ ratioMean: 1, ratioMax: 1, ratioDeviation: 0, clipFraction: 0 });
});

test("the safety stop reacts to a large trajectory KL in either direction and to a loss that is not finite", () => {
  const drift = (perToken: number) => ({
    advantage: 0.1,
    logprobs: new Array<number>(100).fill(perToken),
    oldLogprobs: new Array<number>(100).fill(0),
  });
  expect(safetyStopReason(policyObjective([drift(-0.19)]))).toBeUndefined();
  expect(safetyStopReason(policyObjective([drift(-0.21)]))).toMatch(/KL is 21\.0 nats/);
  expect(safetyStopReason(policyObjective([drift(0.21)]))).toMatch(/KL is -21\.0 nats/);
  expect(safetyStopReason(policyObjective([drift(-0.21)]), 30)).toBeUndefined();
  expect(safetyStopReason(policyObjective([drift(Number.NaN)]))).toMatch(/loss is NaN/);
});

test("an assertion fails when arrays have different lengths or there are too many rows", () => {
  const bad = { advantage: 1, logprobs: [0, 0], oldLogprobs: [0] };
  expect(() => policyObjective([bad])).toThrow(/2 current log-probs against 1/);
  const turns = { advantage: 1, logprobs: [0, 0], oldLogprobs: [0, 0], turnLengths: [1] };
  expect(() => policyObjective([turns], { ...LOOP_OBJECTIVE, ratio: "turn" })).toThrow(
    /1 action tok/,
  );
  const one = { advantage: 1, logprobs: [0], oldLogprobs: [0] };
  expect(() => policyObjective([one, one], { ...LOOP_OBJECTIVE, minibatchSize: 1 })).toThrow(
    /nominal/,
  );
});
