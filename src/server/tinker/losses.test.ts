import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canChangeLoss,
  computeTokenLoss,
  LOSS_CONFIG,
  LOSS_NAMES,
  type LossBatch,
} from "./losses.ts";

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const createConfig = (loss: LossBatch["loss"]) => {
  const entries = Object.entries(LOSS_CONFIG[loss]).map(([name, value]) => [name, value ?? 0.3]);
  return Object.fromEntries(entries) as Record<string, number>;
};
const createDatum = (w: number, q: number, A: number) => ({
  tokens: [1],
  targets: [2],
  weights: [w],
  logprobs: [q],
  advantages: [A],
});

describe.each(LOSS_NAMES)("the loss %s", (loss) => {
  const batch = { loss, config: createConfig(loss) };

  it("returns the derivative of its value, by central differences", () => {
    fc.assert(
      fc.property(
        number(-6, -0.01),
        number(-1, 1),
        number(-2, 2),
        number(0, 2),
        (lp, gap, A, w) => {
          const datum = createDatum(w, lp - gap, A);
          const h = 1e-5;
          const ratio = Math.exp(gap);
          const { clip_low_threshold: low = 0, clip_high_threshold: high = 0 } = batch.config;
          // There is no derivative at a clipping bound.
          fc.pre([low, high].every((bound) => Math.abs(ratio - bound) > 1e-3));
          const at = (x: number) => computeTokenLoss(batch, datum, 0, x).loss;
          // cispo treats its ratio as constant, so its derivative is that of a linear function of lp.
          const held = Math.min(Math.max(ratio, low), high);
          const expected = loss === "cispo" ? -w * held * A : (at(lp + h) - at(lp - h)) / (2 * h);
          expect(computeTokenLoss(batch, datum, 0, lp).slope).toBeCloseTo(expected, 4);
        },
      ),
    );
  });

  it("is zero, with a zero derivative, when the weight is zero", () => {
    expect(computeTokenLoss(batch, createDatum(0, -1, 1), 0, -2)).toEqual({
      loss: expect.closeTo(0),
      slope: expect.closeTo(0),
    });
    expect(canChangeLoss(loss, createDatum(0, -1, 1), 0)).toBe(false);
    expect(canChangeLoss(loss, createDatum(1, -1, 1), 0)).toBe(true);
  });
});

const lossAt = (
  loss: LossBatch["loss"],
  config: Record<string, number>,
  ratio: number,
  A: number,
) => computeTokenLoss({ loss, config }, createDatum(1, -1, A), 0, Math.log(ratio) - 1);

it("ppo has no gradient beyond its bounds on the side where the objective would still grow", () => {
  const config = { clip_low_threshold: 0.8, clip_high_threshold: 1.2 };
  expect(lossAt("ppo", config, 1.5, 2)).toEqual({ loss: expect.closeTo(-2.4), slope: 0 });
  expect(lossAt("ppo", config, 0.5, 2)).toEqual({
    loss: expect.closeTo(-1),
    slope: expect.closeTo(-1),
  });
  expect(lossAt("ppo", config, 0.5, -2)).toEqual({ loss: expect.closeTo(1.6), slope: 0 });
  expect(lossAt("ppo", config, 1.5, -2)).toEqual({
    loss: expect.closeTo(3),
    slope: expect.closeTo(3),
  });
});

it("at ratio 1 the gradient of importance sampling, ppo and cispo is minus the advantage", () => {
  for (const loss of ["importance_sampling", "ppo", "cispo"] as const) {
    expect(lossAt(loss, createConfig(loss), 1, 0.7).slope).toBeCloseTo(-0.7);
  }
});
