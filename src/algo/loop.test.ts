/**
 * Compares loop.ts with the functions that other methods use, on 1,000 random minibatches and on numbers worked out by
 * hand.
 */
import { describe, expect, test } from "vitest";
import { Rng } from "../core/index.ts";
import {
  groupAdvantages,
  LOOP,
  LOOP_OBJECTIVE,
  type LoopRow,
  leaveOneOut,
  loopObjective,
  loopRatioSlopes,
  policyObjective,
} from "./index.ts";

/** No difference is allowed: loop.ts and the functions of other methods give the same bits. */
const TOLERANCE = 0;

/** Returns |a - b| divided by the larger of the two absolute values, or by `size`. */
function relativeDifference(
  a: number,
  b: number,
  size = Math.max(Math.abs(a), Math.abs(b)),
): number {
  return a === b ? 0 : Math.abs(a - b) / size;
}

/**
 * Returns the returns of a group of random size. In about half of the groups they are multiples of a quarter, so some
 * are equal.
 */
function randomReturns(rng: Rng): number[] {
  const K = rng.integer(2, 12);
  const coarse = rng.chance(0.5);
  return Array.from({ length: K }, () => (coarse ? rng.integer(0, 4) / 4 : rng.uniform()));
}

/**
 * Returns the log r at which r A equals g(A) to the last bit, or the nearest value when no number has this property.
 */
function logRatioAtClip(A: number): number {
  const g = A + LOOP.clip * Math.abs(A);
  const near = Math.log(g / A);
  const around = Array.from({ length: 129 }, (_, i) => near * (1 + (i - 64) * Number.EPSILON));
  return around.find((x) => Math.exp(x) * A === g) ?? near;
}

/** Returns a token whose ratio is 1, inside the clip, exactly at it, or beyond it on either side. */
function randomToken(rng: Rng, A: number): { readonly logprob: number; readonly old: number } {
  const kind = rng.pick(["one", "inside", "clip", "beyond"] as const);
  if (kind === "clip" && A !== 0) {
    const x = logRatioAtClip(A);
    return { logprob: Math.min(x, 0), old: Math.min(-x, 0) };
  }
  const old = -6 * rng.uniform();
  const width = { one: 0, inside: 0.09, clip: 0.2, beyond: 1.5 }[kind];
  return { logprob: old + width * (2 * rng.uniform() - 1), old };
}

function randomRow(rng: Rng, advantage: number): LoopRow {
  const tokens = Array.from({ length: rng.pick([0, 1, 2, 7, 40]) }, () =>
    randomToken(rng, advantage),
  );
  return {
    advantage,
    logprobs: tokens.map(({ logprob }) => logprob),
    oldLogprobs: tokens.map(({ old }) => old),
  };
}

/** Returns a minibatch of rollouts from one to three groups. */
function randomMinibatch(rng: Rng): LoopRow[] {
  const groups = Array.from({ length: rng.integer(1, 3) }, () => randomReturns(rng));
  const rows = groups.flatMap(leaveOneOut).map((advantage) => randomRow(rng, advantage));
  return rng.shuffle(rows).slice(0, LOOP.minibatchSize);
}

describe("on 1,000 random minibatches, other methods' functions equal loop.ts", () => {
  const rng = new Rng(2502_01600);
  const batches = Array.from({ length: 1000 }, (_, i) => randomMinibatch(rng.child(i)));
  const tokens = batches.flat().flatMap(({ advantage: A, logprobs, oldLogprobs }) =>
    Array.from(logprobs, (logprob, t) => {
      const r = Math.exp(logprob - oldLogprobs[t]!);
      return { A, r, gain: r * A - (A + LOOP.clip * Math.abs(A)) };
    }),
  );

  test("the minibatches contain every case for both signs of A", () => {
    for (const sign of [1, -1]) {
      const own = tokens.filter(({ A }) => Math.sign(A) === sign);
      expect(own.filter(({ r }) => r === 1).length).toBeGreaterThan(1000);
      expect(own.filter(({ gain }) => gain < 0).length).toBeGreaterThan(1000);
      expect(own.filter(({ gain }) => gain === 0).length).toBeGreaterThan(1000);
      expect(own.filter(({ gain }) => gain > 0).length).toBeGreaterThan(1000);
    }
    const lengths = new Set(batches.flat().map(({ logprobs }) => logprobs.length));
    expect([...lengths].sort((a, b) => a - b)).toEqual([0, 1, 2, 7, 40]);
    expect(new Set(batches.map(({ length }) => length)).size).toBeGreaterThan(20);
  });

  test("policyObjective has the same loss and cotangents as loopObjective", () => {
    let worstLoss = 0;
    let worst = 0;
    for (const batch of batches) {
      const page = loopObjective(batch);
      const run = policyObjective(batch, LOOP_OBJECTIVE);
      worstLoss = Math.max(worstLoss, relativeDifference(run.loss, page.loss));
      expect(run.cotangents.length).toBe(page.cotangents.length);
      expect(run.clipped).toEqual(page.clipped);
      page.cotangents.forEach(({ logprobs }, i) => {
        expect(run.cotangents[i]!.logprobs.length).toBe(logprobs.length);
        Array.from(logprobs).forEach((slope, t) => {
          worst = Math.max(worst, relativeDifference(run.cotangents[i]!.logprobs[t]!, slope));
        });
      });
    }
    expect(worst).toBeLessThanOrEqual(TOLERANCE);
    expect(worstLoss).toBeLessThanOrEqual(TOLERANCE);
  });

  test("groupAdvantages gives the same advantages as leaveOneOut", () => {
    for (let i = 0; i < 1000; i++) {
      const returns = randomReturns(rng.child(`returns ${i}`));
      const run = groupAdvantages(returns);
      expect(run.length).toBe(returns.length);
      // Returns lie in [0, 1]. When they are equal, A is a rounding error of their difference.
      leaveOneOut(returns).forEach((A, k) => {
        expect(relativeDifference(run[k]!, A, 1)).toBeLessThanOrEqual(TOLERANCE);
      });
    }
    expect(leaveOneOut([1])).toEqual(groupAdvantages([1]));
    expect(leaveOneOut([])).toEqual(groupAdvantages([]));
  });
});

describe("numbers worked out by hand", () => {
  test("leave-one-out advantages of a group of six", () => {
    const expected = [0.55, -0.05, -0.05, -0.65, 0.55, -0.35];
    leaveOneOut([1, 0.5, 0.5, 0, 1, 0.25]).forEach((A, k) => {
      expect(A).toBeCloseTo(expected[k]!, 12);
    });
  });

  test.each([
    // The columns are A, r, min(r A, g(A)) and its derivative.
    [-1, 0.905, -0.905, -0.905],
    [-1, 0.8, -0.9, 0],
    [-1, 1.2, -1.2, -1.2],
    [1, 1.2, 1.1, 0],
    [1, 0.8, 0.8, 0.8],
    [1, 1, 1, 1],
  ])(
    "a token with A = %f and r = %f adds %f to the objective, and its derivative is %f",
    (advantage, r, value, slope) => {
      const row = { advantage, logprobs: [0], oldLogprobs: [-Math.log(r)] };
      const { loss, cotangents } = loopObjective([row], { ...LOOP, minibatchSize: 1 });
      expect(loss).toBeCloseTo(-value, 12);
      expect(cotangents[0]!.logprobs[0]! + 0).toBeCloseTo(-slope + 0, 12);
    },
  );

  test("the mean is over a rollout's own tokens first, and then over the nominal minibatch", () => {
    const row = (count: number): LoopRow => ({
      advantage: 0.5,
      logprobs: new Array<number>(count).fill(-1),
      oldLogprobs: new Array<number>(count).fill(-1),
    });
    const { loss, cotangents } = loopObjective([row(2), row(50), row(0)]);
    expect(loss).toBeCloseTo(-(0.5 + 0.5 + 0) / 32, 12);
    expect(cotangents[0]!.logprobs[0]).toBeCloseTo(-0.5 / 2 / 32, 12);
    expect(cotangents[1]!.logprobs[0]).toBeCloseTo(-0.5 / 50 / 32, 12);
    expect(cotangents[2]!.logprobs).toEqual(new Float64Array());
  });

  test("missing log-probs, or too many rows, cause an assertion to fail", () => {
    const row = { advantage: 1, logprobs: [0, 0], oldLogprobs: [0] };
    expect(() => loopObjective([row])).toThrow(/one old log-prob for each/);
    const fits = { advantage: 1, logprobs: [0], oldLogprobs: [0] };
    expect(() => loopObjective([fits, fits], { ...LOOP, minibatchSize: 1 })).toThrow(
      /one minibatch/,
    );
  });
});

test("slopes times ratios within their bounds are the derivative of LOOP's objective", () => {
  const rng = new Rng(11);
  let clipped = 0;
  for (let round = 0; round < 200; round++) {
    const rows = Array.from({ length: 4 }, () => {
      const advantage = rng.pick([-1, -0.25, 0, 0.5, 1]);
      const tokens = Array.from({ length: rng.integer(1, 9) }, () => {
        const old = -6 * rng.uniform();
        return { old, logprob: old + 0.4 * (2 * rng.uniform() - 1) };
      });
      return {
        advantage,
        logprobs: tokens.map(({ logprob }) => logprob),
        oldLogprobs: tokens.map(({ old }) => old),
      };
    });
    const sizes = { clip: 0.1, minibatchSize: 8 };
    const expected = loopObjective(rows, sizes).cotangents;
    loopRatioSlopes(rows, sizes).forEach(({ logprobs, ratio: given }, k) => {
      const ratio = given!;
      Array.from(logprobs).forEach((slope, t) => {
        const r = Math.exp(rows[k]!.logprobs[t]! - ratio.oldLogprobs[t]!);
        const isOutside = r < ratio.lowest || r > ratio.highest;
        clipped += Number(isOutside);
        const own = isOutside ? 0 : slope * r;
        expect(relativeDifference(own, expected[k]!.logprobs[t]!)).toBeLessThan(1e-15 * 4);
      });
    });
  }
  expect(clipped).toBeGreaterThan(100);
});
