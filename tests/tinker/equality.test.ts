/**
 * Trains with the same objective on the embedded engine and, by the surrogate loss, on a server. The updated weights
 * must be equal for each kind of ratio, on servers that sum losses and on servers that average them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { policyObjective } from "../../src/algo/index.ts";
import { Rng } from "../../src/core/index.ts";
import { createTinkerEngine } from "../../src/engine/index.ts";
import type { Engine, OptimizerStep, Row } from "../../src/spec/index.ts";
import { createInlineEngine } from "../support/inline-engine.ts";
import {
  accepts202,
  jsonOnly,
  meanReduction,
  noForward,
  protoOnly,
} from "../support/tinker-behaviours.ts";
import { startTestServer, type TestServer } from "../support/tinker-server.ts";
import { HONEST_TRAITS } from "../support/tinker-traits.ts";

const STEP: OptimizerStep = {
  learningRate: 0.3,
  beta1: 0.9,
  beta2: 0.999,
  // Epsilon is so large that a step is proportional to the gradient, so a gradient of a wrong scale would be noticed.
  epsilon: 1,
  weightDecay: 0.01,
  maxGradientNorm: 0.5,
};

interface Rollout {
  readonly row: Row;
  readonly turnLengths: number[];
  readonly advantage: number;
}

/** Makes rollouts of unequal length with two turns each and an observation between them. */
function createRollouts(vocabularySize: number): Rollout[] {
  const rng = new Rng(5);
  return Array.from({ length: 6 }, (_, k) => {
    const [prompt, first, observation, second] = [3 + k, 2 + k, 3, 1 + 2 * k];
    const length = prompt + first + observation + second;
    const tokens = Array.from({ length }, () => rng.integer(0, vocabularySize - 1));
    const at = [
      ...Array.from({ length: first }, (_, i) => prompt + i),
      ...Array.from({ length: second }, (_, i) => prompt + first + observation + i),
    ];
    return { row: { tokens, at }, turnLengths: [first, second], advantage: rng.normal() };
  });
}

type Ratio = "token" | "turn" | "trajectory";

/** Trains three epochs on one minibatch; after the first one the ratios differ from 1 and some are clipped. */
async function trainThreeEpochs(
  engine: Engine,
  ratio: Ratio,
): Promise<{ logprobs: number[]; norms: number[] }> {
  const items = createRollouts(engine.info.vocabularySize);
  const rows = items.map(({ row }) => row);
  const old = await engine.evaluate(rows);
  const norms: number[] = [];
  for (let epoch = 0; epoch < 3; epoch++) {
    const current = await engine.evaluate(rows);
    const { cotangents } = policyObjective(
      items.map(({ advantage, turnLengths }, i) => ({
        advantage,
        turnLengths,
        logprobs: current[i]!.logprobs,
        oldLogprobs: old[i]!.logprobs,
      })),
      { ratio, clip: 0.02, lowerClip: "paper", aggregate: "row-mean", minibatchSize: 6 },
    );
    // The minibatch is accumulated in two parts, whose gradients add up.
    await engine.accumulate(rows.slice(0, 2), cotangents.slice(0, 2));
    await engine.accumulate(rows.slice(2), cotangents.slice(2));
    norms.push((await engine.update(STEP)).gradientNorm);
  }
  return {
    logprobs: (await engine.evaluate(rows)).flatMap(({ logprobs }) => [...logprobs]),
    norms,
  };
}

describe.each([
  ["a sum and takes only protobuf", [protoOnly, accepts202], {}],
  [
    "a sum, takes only JSON and has no forward pass",
    [jsonOnly, noForward],
    { forward: "zero-gradient" },
  ],
  ["a mean", [meanReduction()], { reduction: "mean" }],
] as const)("on a server that reduces by %s", (_, behaviours, traits) => {
  let server: TestServer;
  let remote: Engine;
  let embedded: Engine;
  let root: string;
  beforeAll(async () => {
    server = await startTestServer({ behaviours: [...behaviours] });
    const { url, model, directory } = server;
    root = mkdtempSync(join(tmpdir(), "bowline-equality-"));
    [remote, embedded] = await Promise.all([
      createTinkerEngine({
        ...model,
        url,
        rank: 0,
        seed: 1,
        traits: { ...HONEST_TRAITS, ...traits },
      }),
      createInlineEngine({ model, seed: 1, threads: 1, weights: directory }),
    ]);
    await Promise.all([remote.save(join(root, "remote")), embedded.save(join(root, "embedded"))]);
  });
  afterAll(async () => {
    await Promise.all([remote, embedded].map((engine) => engine.close()));
    await server.close();
    rmSync(root, { recursive: true, force: true });
  });

  test.each(["token", "turn", "trajectory"] as const)(
    "training with ratios of the kind %s changes the weights exactly as on the embedded engine",
    async (ratio) => {
      const { model } = server;
      await Promise.all([remote.load(join(root, "remote")), embedded.load(join(root, "embedded"))]);
      const before = await embedded.evaluate(
        createRollouts(model.vocabularySize).map(({ row }) => row),
      );
      const [expected, remoteResult] = [
        await trainThreeEpochs(embedded, ratio),
        await trainThreeEpochs(remote, ratio),
      ];
      const start = before.flatMap(({ logprobs }) => [...logprobs]);
      const changes = (values: number[]) => values.map((value, i) => value - start[i]!);
      expect(
        relativeDistance(changes(remoteResult.logprobs), changes(expected.logprobs)),
      ).toBeLessThan(1e-5);
      expect(euclideanNorm(changes(expected.logprobs))).toBeGreaterThan(1);
      expect(relativeDistance(remoteResult.norms, expected.norms)).toBeLessThan(1e-5);
    },
  );
});

const euclideanNorm = (values: readonly number[]) => Math.hypot(...values);

/** Returns |a - b| / |b|. */
function relativeDistance(a: readonly number[], b: readonly number[]): number {
  return euclideanNorm(a.map((value, i) => value - b[i]!)) / euclideanNorm(b);
}
