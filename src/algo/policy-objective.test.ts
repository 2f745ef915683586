/**
 * Compares every option of the policy objective with formulas written out independently, and with central differences.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { centralDifference, replaceEntry } from "../testing/finite-differences.ts";
import {
  groupAdvantages,
  LOOP_OBJECTIVE,
  type ObjectiveOptions,
  type ObjectiveRow,
  policyObjective,
} from "./index.ts";

const thousandths = (min: number, max: number) =>
  fc.integer({ min: min * 1000, max: max * 1000 }).map((n) => n / 1000);

const token = fc.record({
  old: thousandths(-4, 0),
  shift: thousandths(-0.4, 0.4).map((by) => by + 0.0003),
  reference: thousandths(-4, 0),
  sampler: thousandths(-0.3, 0.3),
  entropy: thousandths(0, 3).map((h) => h + 0.0005),
  advantage: thousandths(-1, 1),
  weight: fc.constantFrom(0, 0.25, 1),
  klWeight: fc.constantFrom(0, 1),
});

/** Generates a rollout, which may have empty turns or no turns at all. */
const row = fc
  .record({
    turns: fc.array(fc.array(token, { maxLength: 4 }), { maxLength: 4 }),
    advantage: fc.option(thousandths(-1, 1)),
    weighted: fc.boolean(),
    klWeighted: fc.boolean(),
  })
  .map(({ turns, advantage, weighted, klWeighted }): ObjectiveRow => {
    const tokens = turns.flat();
    return {
      advantage: advantage ?? tokens.map((t) => t.advantage),
      oldLogprobs: tokens.map(({ old }) => old),
      logprobs: tokens.map(({ old, shift }) => old + shift),
      referenceLogprobs: tokens.map(({ reference }) => reference),
      samplerLogprobs: tokens.map(({ old, sampler }) => old + sampler),
      entropies: tokens.map(({ entropy }) => entropy),
      turnLengths: turns.map(({ length }) => length),
      ...(weighted && { weights: tokens.map(({ weight }) => weight) }),
      ...(klWeighted && { klWeights: tokens.map(({ klWeight }) => klWeight) }),
    };
  });
const rows = fc.array(row, { minLength: 1, maxLength: 5 });

const options = fc
  .record({
    ratio: fc.constantFrom("token", "turn", "trajectory", "trajectory-mean", "none" as const),
    clip: fc.constantFrom(0.1, 0.2, Infinity),
    upperClip: fc.constantFrom(undefined, 0.28),
    lowerClip: fc.constantFrom("paper", "code" as const),
    minibatchSize: fc.constantFrom(5, 32),
    aggregate: fc.constantFrom(undefined, "row-mean", "token-mean", "row-sum" as const),
    kl: fc.constantFrom(
      undefined,
      { coefficient: 0.3, estimator: "k2" } as const,
      { coefficient: 0.3, estimator: "k3" } as const,
    ),
    entropy: fc.constantFrom(undefined, { coefficient: 0.2 }),
    entropyBand: fc.constantFrom(undefined, { coefficient: 0.5, lower: 0.7, upper: 1.9 }),
    samplerCap: fc.constantFrom(undefined, 1.1),
  })
  .map(({ upperClip, ...rest }) => {
    const present = rest.ratio === "none" ? rest : { ...rest, upperClip };
    const entries = Object.entries(present).filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries) as unknown as ObjectiveOptions;
  });

/**
 * Computes the formulas token by token. Also returns the distance between a kink and the token that is closest to one.
 */
function formula(batch: readonly ObjectiveRow[], o: ObjectiveOptions) {
  let objective = 0;
  let kink = Number.POSITIVE_INFINITY;
  const tokens = batch.reduce((sum, { logprobs }) => sum + logprobs.length, 0);
  for (const r of batch) {
    const count = r.logprobs.length;
    const share = (o.aggregate ?? "row-mean") === "row-mean" ? 1 / count : 1;
    const turnOf = r.turnLengths!.flatMap((length, j) => new Array<number>(length).fill(j));
    const at = [...turnOf.keys()];
    const weight = (t: number) => r.weights?.[t] ?? 1;
    const ratio = (t: number) => Math.exp(r.logprobs[t]!) / Math.exp(r.oldLogprobs[t]!);
    const unitOf = (t: number) => {
      const unit = at.filter((s) => {
        if (o.ratio === "token" || o.ratio === "none") return s === t;
        return o.ratio !== "turn" || turnOf[s] === turnOf[t];
      });
      return unit.filter((s) => weight(s) > 0);
    };
    for (const t of at) {
      const A = typeof r.advantage === "number" ? r.advantage : r.advantage[t]!;
      const correction =
        o.samplerCap === undefined
          ? 1
          : Math.min(Math.exp(r.oldLogprobs[t]! - r.samplerLogprobs![t]!), o.samplerCap);
      const unit = unitOf(t);
      const product = unit.map(ratio).reduce((a, b) => a * b, 1);
      const R = o.ratio === "trajectory-mean" ? product ** (1 / Math.max(unit.length, 1)) : product;
      const upper = 1 + (o.upperClip ?? o.clip);
      const lower = o.lowerClip === "paper" ? 1 - o.clip : 1 / (1 + o.clip);
      const g = A >= 0 ? upper * A : lower * A;
      let score = Math.min(R * A, A === 0 ? 0 : g);
      if (weight(t) > 0 && A !== 0) kink = Math.min(kink, Math.abs(R * A - g));
      if (o.ratio === "none") score = A * r.logprobs[t]!;
      const d = r.logprobs[t]! - r.referenceLogprobs![t]!;
      const kl = o.kl?.estimator === "k2" ? d ** 2 / 2 : Math.exp(-d) - 1 + d;
      const h = r.entropies![t]!;
      const band = o.entropyBand;
      const outside = band ? Math.max(h - band.upper, band.lower - h, 0) : 0;
      objective += share * weight(t) * correction * score;
      objective -= share * (o.kl?.coefficient ?? 0) * (r.klWeights?.[t] ?? weight(t)) * kl;
      objective += share * weight(t) * (o.entropy?.coefficient ?? 0) * h;
      objective -= share * weight(t) * (band?.coefficient ?? 0) * outside;
    }
  }
  const divisor = o.aggregate === "token-mean" ? Math.max(tokens, 1) : o.minibatchSize;
  return { loss: -objective / divisor, kink };
}

test("the policy loss equals the formula for every combination of options", () => {
  fc.assert(
    fc.property(rows, options, (batch, o) => {
      const { loss } = formula(batch, o);
      expect(Math.abs(policyObjective(batch, o).loss - loss)).toBeLessThan(
        1e-10 * (1 + Math.abs(loss)),
      );
    }),
    { numRuns: 300 },
  );
});

describe("policy cotangents equal the loss's central differences", () => {
  function expectSlope(actual: number, f: (x: number) => number, at: number) {
    const slope = centralDifference(f, at);
    expect(Math.abs(actual - slope)).toBeLessThan(2e-6 * (1 + Math.abs(slope)));
  }

  test("cotangents equal central differences for every option, also with token weights and empty turns", () => {
    fc.assert(
      fc.property(rows, options, (batch, o) => {
        fc.pre(formula(batch, o).kink > 1e-5);
        const { cotangents } = policyObjective(batch, o);
        const lossAt = (i: number, patch: Partial<ObjectiveRow>) =>
          policyObjective(batch.with(i, { ...batch[i]!, ...patch }), o).loss;
        batch.forEach((item, i) => {
          Array.from(item.logprobs).forEach((value, t) => {
            expectSlope(
              cotangents[i]!.logprobs[t]!,
              (p) => lossAt(i, { logprobs: replaceEntry(item.logprobs, t, p) }),
              value,
            );
            expectSlope(
              cotangents[i]!.entropies?.[t] ?? 0,
              (h) => lossAt(i, { entropies: replaceEntry(item.entropies!, t, h) }),
              item.entropies![t]!,
            );
          });
        });
      }),
      { numRuns: 300 },
    );
  });

  test("the gradient that is kept above the clip is that of g r/sg(r), where sg(r) is a constant", () => {
    const kept = fc.constantFrom(0.2, 0.5, 1);
    fc.assert(
      fc.property(rows, kept, (batch, keptShare) => {
        const o = { ...LOOP_OBJECTIVE, keptShare, upperClip: 0.28 };
        fc.pre(formula(batch, o).kink > 1e-5);
        const all = batch.flatMap(({ entropies }) => Array.from(entropies!));
        const count = Math.ceil(keptShare * all.length);
        const threshold = all.toSorted((a, b) => b - a)[count - 1]!;
        const { cotangents, loss } = policyObjective(batch, o);
        expect(loss).toBeCloseTo(formula(batch, o).loss, 10);
        batch.forEach((r, i) => {
          Array.from(r.logprobs).forEach((value, t) => {
            const A = typeof r.advantage === "number" ? r.advantage : r.advantage[t]!;
            const g = A > 0 ? 1.28 * A : 0.9 * A;
            const share = (r.weights?.[t] ?? 1) / r.logprobs.length;
            const surrogate = (p: number) => {
              const score = Math.exp(p - r.oldLogprobs[t]!) * A;
              if (score <= g) return -(share * score) / 32;
              const keeps = A > 0 && r.entropies![t]! >= threshold;
              return -(share * (keeps ? g * Math.exp(p - value) : g)) / 32;
            };
            expectSlope(cotangents[i]!.logprobs[t]!, surrogate, value);
          });
        });
      }),
    );
  });
});

const onPolicy = row.map((r): ObjectiveRow => ({ ...r, logprobs: r.oldLogprobs }));
const expectEqual = (
  a: ReturnType<typeof policyObjective>,
  b: ReturnType<typeof policyObjective>,
) => {
  a.cotangents.forEach(({ logprobs }, i) => {
    expect(logprobs.length).toBe(b.cotangents[i]!.logprobs.length);
    Array.from(logprobs).forEach((slope, t) => {
      expect(slope).toBeCloseTo(b.cotangents[i]!.logprobs[t]!, 12);
    });
  });
};

describe("special cases of the turn ratio", () => {
  const shaped = (turnLengths: (count: number) => number[]) =>
    fc.array(
      row.map((r): ObjectiveRow => ({ ...r, turnLengths: turnLengths(r.logprobs.length) })),
      { minLength: 1, maxLength: 5 },
    );
  const same = (batch: readonly ObjectiveRow[], span: "token" | "trajectory") => {
    const turn = policyObjective(batch, { ...LOOP_OBJECTIVE, ratio: "turn" });
    const limit = policyObjective(batch, { ...LOOP_OBJECTIVE, ratio: span });
    expect(turn.loss).toBeCloseTo(limit.loss, 12);
    expectEqual(turn, limit);
    expect(turn.stats.clipFraction).toBeCloseTo(limit.stats.clipFraction, 12);
  };
  test("a rollout of one turn has the trajectory ratio's loss and gradient", () => {
    fc.assert(
      fc.property(
        shaped((count) => [count]),
        (batch) => same(batch, "trajectory"),
      ),
    );
  });
  test("a rollout with one token per turn has the token ratio's loss and gradient", () => {
    fc.assert(
      fc.property(
        shaped((count) => new Array<number>(count).fill(1)),
        (batch) => same(batch, "token"),
      ),
    );
  });
  test("for a rollout of one token, all ratio spans agree", () => {
    const single = shaped(() => [1]).map((batch) => batch.filter((r) => r.logprobs.length === 1));
    fc.assert(
      fc.property(single, (batch) => {
        same(batch, "token");
        const mean = policyObjective(batch, { ...LOOP_OBJECTIVE, ratio: "trajectory-mean" });
        expectEqual(mean, policyObjective(batch, LOOP_OBJECTIVE));
      }),
    );
  });
});

describe("identities when all ratios are 1", () => {
  const whole = onPolicy.map(({ weights: _, advantage, ...r }): ObjectiveRow => {
    return { ...r, advantage: typeof advantage === "number" ? advantage : 0.3 };
  });
  const batches = fc.array(whole, { minLength: 1, maxLength: 5 });
  const at = (ratio: ObjectiveOptions["ratio"], aggregate: "row-mean" | "row-sum") => ({
    ...LOOP_OBJECTIVE,
    ratio,
    aggregate,
  });

  test("the trajectory ratio's gradient is |a| times the token ratio's and equals the score function's sum", () => {
    fc.assert(
      fc.property(batches, (batch) => {
        const trajectory = policyObjective(batch, at("trajectory", "row-mean"));
        expectEqual(trajectory, policyObjective(batch, at("none", "row-sum")));
        const token = policyObjective(batch, at("token", "row-mean"));
        trajectory.cotangents.forEach(({ logprobs }, i) => {
          for (let t = 0; t < logprobs.length; t++) {
            const times = logprobs.length * token.cotangents[i]!.logprobs[t]!;
            expect(logprobs[t]!).toBeCloseTo(times, 12);
          }
        });
      }),
    );
  });

  test("the token ratio, the mean trajectory ratio and the score function give the same gradient", () => {
    fc.assert(
      fc.property(batches, (batch) => {
        const token = policyObjective(batch, at("token", "row-mean"));
        expectEqual(token, policyObjective(batch, at("trajectory-mean", "row-mean")));
        expectEqual(token, policyObjective(batch, at("none", "row-mean")));
      }),
    );
  });

  test("on-policy, GRPO's gradient is LOOP's with advantages divided by the deviation and a KL term", () => {
    const returns = [1, 0.5, 0.5, 0, 1, 0.25];
    const K = returns.length;
    const scaled = groupAdvantages(returns, { baseline: "leave-one-out", scale: "group" });
    const kl = { coefficient: 0.04, estimator: "k3" } as const;
    const batch = scaled.map((a, k) => ({
      advantage: (a * (K - 1)) / K,
      logprobs: [-1, -0.5 * k],
      oldLogprobs: [-1, -0.5 * k],
      referenceLogprobs: [-1.2, -0.7],
    }));
    const mean = returns.reduce((a, b) => a + b, 0) / K;
    const std = Math.sqrt(returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / K);
    const { cotangents } = policyObjective(batch, { ...LOOP_OBJECTIVE, minibatchSize: K, kl });
    batch.forEach(({ logprobs, referenceLogprobs }, k) => {
      logprobs.forEach((p, t) => {
        const slope = (returns[k]! - mean) / std - 0.04 * (1 - Math.exp(referenceLogprobs[t]! - p));
        expect(cotangents[k]!.logprobs[t]!).toBeCloseTo(-slope / 2 / K, 12);
      });
    });
  });
});

test("a token of weight 0 has no effect at all, with any ratio span", () => {
  fc.assert(
    fc.property(row, options, (r, o) => {
      fc.pre(r.logprobs.length > 1 && formula([r], o).kink > 1e-5);
      const weights = Array.from(r.logprobs, (_, t) => Number(t > 0));
      const masked = { ...r, weights, klWeights: weights };
      const { cotangents, loss } = policyObjective([masked], o);
      expect(cotangents[0]!.logprobs[0]! + 0).toBe(0);
      expect((cotangents[0]!.entropies?.[0] ?? 0) + 0).toBe(0);
      const moved = { ...masked, logprobs: replaceEntry(r.logprobs, 0, -9) };
      expect(policyObjective([moved], o).loss).toBeCloseTo(loss, 12);
    }),
  );
});

test("with the token-mean aggregate, tokens of long and short rollouts have the same weight", () => {
  const uniform = (count: number): ObjectiveRow => ({
    advantage: 0.5,
    logprobs: new Array<number>(count).fill(-1),
    oldLogprobs: new Array<number>(count).fill(-1),
  });
  const pooled = { ...LOOP_OBJECTIVE, aggregate: "token-mean" } as const;
  const { cotangents, loss } = policyObjective([uniform(2), uniform(6)], pooled);
  expect(loss).toBeCloseTo(-0.5, 12);
  for (const { logprobs } of cotangents) {
    for (const slope of Array.from(logprobs)) expect(slope).toBeCloseTo(-0.5 / 8, 12);
  }
});

test("options that contradict each other are refused with a message that names them", () => {
  const refuse = (patch: Partial<ObjectiveOptions>) => () =>
    policyObjective([], { ...LOOP_OBJECTIVE, ...patch });
  const code = expect.objectContaining({ code: "config" });
  expect(refuse({ kl: { coefficient: 0.1, estimator: "k1" } })).toThrow(/k1 cannot be a loss/);
  expect(refuse({ kl: { coefficient: 0.1, estimator: "k1" } })).toThrow(code);
  expect(refuse({ ratio: "none", upperClip: 0.3 })).toThrow(/no clip/);
  expect(refuse({ ratio: "turn", keptShare: 0.2 })).toThrow(/spans more than one/);
});

test("an assertion fails when an array that an option needs is missing or too long", () => {
  const bare = { advantage: 1, logprobs: [0], oldLogprobs: [0] };
  const run =
    (patch: Partial<ObjectiveOptions>, r: ObjectiveRow = bare) =>
    () =>
      policyObjective([r], { ...LOOP_OBJECTIVE, ...patch });
  expect(run({ kl: { coefficient: 1, estimator: "k3" } })).toThrow(/needs reference log-probs/);
  expect(run({ entropy: { coefficient: 1 } })).toThrow(/needs entropies/);
  expect(run({ keptShare: 0.5 })).toThrow(/needs entropies/);
  expect(run({ samplerCap: 2 })).toThrow(/needs sampler log-probs/);
  expect(run({}, { ...bare, weights: [1, 1] })).toThrow(/2 weights for 1 action/);
  expect(run({}, { ...bare, advantage: [1, 1] })).toThrow(/2 advantages for 1 action/);
});

test("statistics include KL and entropy only when the objective has such terms", () => {
  const r = { advantage: 0, logprobs: [-1, -2], oldLogprobs: [-1, -2] };
  const full = { ...r, referenceLogprobs: [-2, -2], entropies: [0.5, 1] };
  const kl = { coefficient: 9, estimator: "k2" } as const;
  const o = { ...LOOP_OBJECTIVE, kl, entropy: { coefficient: 0.1 } };
  const { stats } = policyObjective([full, { ...full, weights: [0, 0] }], o);
  expect(stats.referenceKl).toBeCloseTo(0.25, 12);
  expect(stats.entropy).toBeCloseTo(0.75, 12);
  expect(policyObjective([full], LOOP_OBJECTIVE).stats).not.toHaveProperty("referenceKl");
  expect(policyObjective([full], LOOP_OBJECTIVE).stats).not.toHaveProperty("entropy");
});
