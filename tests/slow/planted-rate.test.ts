/** Tests that a learning rate which is 100 times too high is named rightly, with the engine and model of `smoke`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { diagnoseRun, resolveConfig, train } from "../../src/train/index.ts";

const root = mkdtempSync(join(tmpdir(), "bowline-planted-rate-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SHORT = {
  "algo.iterations": 4,
  "evaluation.scenarios": 4,
  "evaluation.scores": ["dev"],
};

test("a learning rate 100 times too high breaks the policy, and the run stops with the reason", async () => {
  const out = join(root, "rate");
  const config = resolveConfig({
    recipe: "smoke",
    overrides: { ...SHORT, "optimizer.learningRate": 0.04 },
  });
  await expect(train(config, { out })).rejects.toThrow(
    /^the run stopped after iteration 4, because nothing can be learned: .*the learning rate is far too high/,
  );
  expect(diagnoseRun(out).map(({ id }) => id)).toEqual(["policy-broke"]);
});

test("a learning rate of the warm start 100 times too high is told from a short warm start", async () => {
  const out = join(root, "warm");
  const config = resolveConfig({
    recipe: "smoke",
    overrides: { ...SHORT, "algo.iterations": 1, "warm.learningRate": 0.4 },
  });
  await train(config, { out });
  expect(diagnoseRun(out).map(({ id }) => id)).toEqual(["warm-start-diverged"]);
});
