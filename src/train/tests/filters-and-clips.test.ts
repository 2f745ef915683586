/** Tests how filters, weights, clips, regularisers and the critic change gradients in training runs. */
import { describe, expect, test } from "vitest";
import {
  type AccumulateCall,
  type ConfigFields,
  gradientsPerTurn,
  groupByTask,
  LONG_RUN,
  lastItem,
  listGradients,
  rewardTerms,
  trainAndWatch,
} from "../../../tests/support/watched-run.ts";
import { rewardOf } from "../../algo/index.ts";
import type { Rollout } from "../../spec/index.ts";

describe("filters of rollouts", () => {
  const runWithFilter = async (fields: ConfigFields) => {
    const { metrics, accumulated, rollouts } = await trainAndWatch(fields);
    return { line: metrics[0]!, first: accumulated[0], rollouts: rollouts[0]! };
  };

  test.each([
    ["overTurn", "over_turn", ({ outcome }: Rollout) => outcome === "turn-limit"],
    ["overLong", "over_long", ({ outcome }: Rollout) => outcome === "token-limit"],
    [
      "voidTurns",
      "void_turns",
      ({ turns, outcome }: Rollout) =>
        turns.some(
          ({ code }, j) =>
            code.trim() === "" && !(outcome === "finished" && j === turns.length - 1),
        ),
    ],
  ] as const)(
    "the filter %s excludes exactly the rollouts that it is meant for from learning, but not from metrics",
    async (field, name, holds) => {
      const small = {
        ...rewardTerms({ term: "outcome" }, { term: "tokens", weight: -0.01 }),
        "scaffold.maxTokens": field === "overLong" ? 30 : 256,
        ...(field === "voidTurns" && { "algo.groupSize": 16 }),
      };
      const plain = await runWithFilter(small);
      const { line, rollouts } = await runWithFilter({ ...small, [`filter.${field}`]: true });
      expect(line[`filter/${name}`]).toBe(rollouts.filter(holds).length);
      expect(line[`filter/${name}`]).toBeGreaterThan(0);
      expect(line["rollout/kept"]).toBeLessThan(plain.line["rollout/kept"]!);
      expect(line["reward/mean"]).toBe(plain.line["reward/mean"]);
    },
  );

  test("the filter positiveOnly never lowers the probability of a token", async () => {
    const { first, line } = await runWithFilter({ "filter.positiveOnly": true });
    expect(line["filter/not_positive"]).toBeGreaterThan(0);
    for (const slope of listGradients(first!)) expect(slope).toBeLessThan(0);
  });

  test("the filter saturatedAbove leaves out groups with high returns even if they differ", async () => {
    const { line, rollouts } = await runWithFilter({
      "filter.saturatedAbove": 0.5,
      "algo.groupSize": 2,
    });
    const full = groupByTask(rollouts).filter((g) => g.every((r) => rewardOf(r) >= 0.5));
    expect(full.length).toBeGreaterThan(0);
    expect(line["filter/saturated"]).toBe(2 * full.length);
  });
});

describe("weights of tokens", () => {
  const run = (fields: ConfigFields) => trainAndWatch(fields);
  const shareWithoutGradient = (accumulated: AccumulateCall) =>
    listGradients(accumulated).filter((slope) => slope === 0).length /
    listGradients(accumulated).length;

  test("with entropyTokenShare, only the tokens of highest entropy get a gradient", async () => {
    const { metrics, accumulated } = await run({ "filter.entropyTokenShare": 0.3 });
    expect(metrics[0]!["filter/tokens_kept"]).toBeGreaterThanOrEqual(0.3);
    expect(metrics[0]!["filter/tokens_kept"]).toBeLessThan(0.9);
    expect(shareWithoutGradient(accumulated[0]!)).toBeCloseTo(
      1 - metrics[0]!["filter/tokens_kept"]!,
      10,
    );
  });

  test("with entropyTurnShare, only turns of high entropy get a gradient, and each of them as a whole", async () => {
    const { accumulated } = await run({ "filter.entropyTurnShare": 0.4 });
    const turns = gradientsPerTurn(accumulated[0]!);
    expect(turns.some((turn) => turn.size === 1 && turn.has(0))).toBe(true);
    expect(turns.some((turn) => !turn.has(0))).toBe(true);
  });

  test("a surprise band leaves out the tokens whose surprise is below or above it", async () => {
    const { metrics: all } = await run({ "filter.surprise.low": 1e-9 });
    expect(all[0]!["filter/tokens_kept"]).toBe(1);
    const { metrics: none } = await run({ "filter.surprise.low": 50 });
    expect(none[0]!["filter/tokens_kept"]).toBe(0);
    const { metrics: some } = await run({ "filter.surprise.high": 1.5 });
    expect(some[0]!["filter/tokens_kept"]).toBeGreaterThan(0);
    expect(some[0]!["filter/tokens_kept"]).toBeLessThan(1);
  });

  test("protectFormat never lowers the probability of a stop token", async () => {
    const STOP = 3;
    const countLoweredStops = ({ rows, cotangents }: AccumulateCall) =>
      rows.flatMap(({ tokens, at }, i) =>
        Array.from(at).flatMap((position, t) =>
          tokens[position] === STOP && cotangents[i]!.logprobs[t]! > 0 ? [position] : [],
        ),
      ).length;
    expect(countLoweredStops((await run({})).accumulated[0]!)).toBeGreaterThan(0);
    const { accumulated } = await run({ "filter.protectFormat": true });
    expect(countLoweredStops(accumulated[0]!)).toBe(0);
    expect(listGradients(accumulated[0]!).some((slope) => slope > 0)).toBe(true);
  });

  test("the covariance clip removes the gradient of the configured share of tokens", async () => {
    const band = { "filter.covariance.low": -1000, "filter.covariance.high": 1000 };
    const { metrics, accumulated } = await run({ ...band, "filter.covariance.share": 0.25 });
    expect(metrics[0]!["filter/tokens_kept"]).toBeCloseTo(0.75, 2);
    expect(shareWithoutGradient(accumulated[0]!)).toBeCloseTo(0.25, 2);
  });
});

describe("clips and corrections", () => {
  const twoEpochs = { "algo.epochs": 4, "optimizer.learningRate": 0.2, "algo.clip": 0.05 };
  const runWithClip = async (fields: ConfigFields) =>
    (await trainAndWatch({ ...twoEpochs, ...fields })).metrics[0]!;

  test("a wider upper clip clips fewer tokens", async () => {
    const [narrow, wide] = [await runWithClip({}), await runWithClip({ "algo.upperClip": 2 })];
    expect(wide["ratio/clip_fraction"]).toBeLessThan(narrow["ratio/clip_fraction"]!);
  });

  test("with keptShare, some clipped tokens still get a gradient", async () => {
    const [none, all] = [await runWithClip({}), await runWithClip({ "algo.keptShare": 1 })];
    expect(none["ratio/clip_fraction"]).toBeGreaterThan(0);
    expect(all["kl/token"]).toBeGreaterThan(none["kl/token"]!);
  });

  test("samplerCap weights each token by the learner's probability divided by the sampler's, up to the cap", async () => {
    const fields = { "optimizer.maxGradientNorm": 1e6 };
    const gradientNorm = async (more: ConfigFields) =>
      (await trainAndWatch({ ...fields, ...more })).metrics[0]!["gradient/norm"]!;
    // Sampler and learner have the same probabilities here, so a cap of 1/2 halves every weight and a cap of 2 changes
    // none.
    const plain = await gradientNorm({});
    expect((await gradientNorm({ "algo.samplerCap": 0.5 })) / plain).toBeCloseTo(0.5, 5);
    expect((await gradientNorm({ "algo.samplerCap": 2 })) / plain).toBeCloseTo(1, 5);
  });
});

describe("regularisers", () => {
  test("a KL term on the first turn does not restrain later turns", async () => {
    const held = { "algo.epochs": 2, "algo.kl.coefficient": 100, "algo.clip": 10 };
    const largestSlopesByTurn = async (more: ConfigFields) => {
      const { accumulated } = await trainAndWatch({ ...held, ...more });
      return gradientsPerTurn(lastItem(accumulated)).map((turn) =>
        Math.max(...[...turn].map(Math.abs)),
      );
    };
    const all = await largestSlopesByTurn({});
    const first = await largestSlopesByTurn({ "algo.kl.turns": 1 });
    expect(first[0]).toBeCloseTo(all[0]!, 6);
    expect(first[1]).toBeLessThan(all[1]!);
  });

  test("KL to the reference and entropy are reported as metrics when a term uses them", async () => {
    const { metrics } = await trainAndWatch({
      "algo.kl.coefficient": 0.01,
      "algo.entropyCoefficient": 0.01,
      "algo.iterations": 2,
    });
    expect(metrics[1]!["kl/reference"]).toBeGreaterThan(0);
    expect(metrics[1]!["entropy/mean"]).toBeGreaterThan(0);
  });

  test("an entropy band prevents the entropy from falling", async () => {
    const trainedEntropy = async (coefficient: number) => {
      const { metrics, state } = await trainAndWatch({
        ...LONG_RUN,
        "warm.learningRate": 0.8,
        "algo.entropyBand.coefficient": coefficient,
        "algo.entropyBand.low": 1,
      });
      expect(state.entropies).toHaveLength(8);
      return lastItem(metrics)["entropy/mean"]!;
    };
    expect(await trainedEntropy(1)).toBeGreaterThan(1.1 * (await trainedEntropy(1e-9)));
  });
});

describe("critic", () => {
  const critic = { "critic.warmIterations": 0, "algo.iterations": 2 };
  const runCritic = (fields: ConfigFields) =>
    trainAndWatch({ ...critic, ...fields }, { recipe: "ppo-critic" });

  test("with critic.unit turn, all tokens of a turn share one advantage", async () => {
    const tokens = gradientsPerTurn(lastItem((await runCritic({})).accumulated));
    expect(tokens.some((turn) => turn.size > 1)).toBe(true);
    const turns = gradientsPerTurn(
      lastItem((await runCritic({ "critic.unit": "turn" })).accumulated),
    );
    for (const turn of turns) expect(turn.size).toBe(1);
  });

  test("with a discount of 0, a turn's advantage contains only the turn's own reward", async () => {
    const own = { ...rewardTerms({ term: "turns" }), "critic.discount": 0, "critic.unit": "turn" };
    const { accumulated } = await runCritic(own);
    // Before anything is learned, all values are 0, and every turn earns 1.
    for (const turn of gradientsPerTurn(accumulated[0]!)) expect(turn.size).toBe(1);
    const first = gradientsPerTurn(accumulated[0]!).map((turn) => [...turn][0]!);
    expect(new Set(first).size).toBe(1);
  });

  test("whitened advantages of the critic sum to zero over tokens", async () => {
    const sums = { "algo.aggregate": "token-mean", "critic.whiten": true };
    const total = listGradients((await runCritic(sums)).accumulated[0]!).reduce((a, b) => a + b, 0);
    expect(total).toBeCloseTo(0, 6);
  });

  test("lambda by length changes advantages, and valueClip removes gradients of values", async () => {
    const plain = lastItem((await runCritic({ "critic.learningRate": 0.3 })).accumulated);
    const cut = lastItem(
      (
        await runCritic({
          "critic.learningRate": 0.3,
          "critic.lambdaBy": "length",
          "critic.adaptiveLambda": 0.2,
        })
      ).accumulated,
    );
    expect(listGradients(cut)).not.toEqual(listGradients(plain));
    const epochs = { "algo.epochs": 3, "critic.learningRate": 0.3 };
    const listValueSlopes = (all: readonly AccumulateCall[]) =>
      lastItem(all).cotangents.flatMap(({ values }) => Array.from(values ?? []));
    const countZeros = (list: number[]) => list.filter((slope) => slope === 0).length;
    const free = listValueSlopes((await runCritic(epochs)).accumulated);
    const held = listValueSlopes(
      (await runCritic({ ...epochs, "critic.valueClip": 0.001 })).accumulated,
    );
    expect(countZeros(held)).toBeGreaterThan(countZeros(free));
  });
});
