/** Tests that the header of `starter.ts` and the pages on algorithms agree with the configurations of the recipes. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configLeaves } from "../config/config.ts";
import { resolveConfig } from "./resolve.ts";

const readPage = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const NAME_FIELDS = ["recipe", "setting", "method"];

/** Returns the paths of the fields in which two recipes of LOOP differ. */
function differingFields(a: string, b: string): string[] {
  const [before, after] = [a, b].map((recipe) => configLeaves(resolveConfig({ recipe })));
  const paths = new Set([...before!.keys(), ...after!.keys()]);
  return [...paths].filter(
    (path) =>
      !NAME_FIELDS.includes(path) &&
      JSON.stringify(before!.get(path)) !== JSON.stringify(after!.get(path)),
  );
}

/** The fields of each deviation, in the order of the numbered list in `starter.ts`. */
const DEVIATIONS: readonly (readonly string[])[] = [
  ["warm.demonstrations", "warm.epochs", "warm.learningRate"],
  ["optimizer.learningRate", "algo.clip"],
  ["algo.stragglers", "algo.stragglers.share", "algo.stragglers.groupShare"],
  [
    "model.contextLength",
    "scaffold.maxObservationCharacters",
    "scaffold.maxObservationLines",
    "scaffold.maxTurns",
    "scaffold.evaluationTurns",
    "scaffold.maxTurnTokens",
    "scaffold.maxTokens",
  ],
  ["optimizer.weightDecay"],
  ["algo.taskSampling"],
  ["optimizer.finalRate"],
  ["optimizer.betas"],
  ["algo.iterations", "evaluation.every"],
  ["world.trainScenarios"],
];

test("the header of starter.ts numbers every deviation from the paper's setting", () => {
  expect(differingFields("paper", "starter").sort()).toEqual(DEVIATIONS.flat().sort());
  const listed = [...readPage("./starter.ts").matchAll(/^ \* +(\d+)\. /gm)].map(([, n]) =>
    Number(n),
  );
  expect(listed).toEqual(DEVIATIONS.map((_, i) => i + 1));
});

test.each([
  ["rloo", { ratio: "trajectory", epochs: 1, minibatch: 0, advantageThreshold: 0.01 }],
  [
    "grpo",
    {
      baseline: "mean",
      scale: "group",
      epochs: 1,
      minibatch: 0,
      advantageThreshold: 0,
      kl: { coefficient: 0.004, estimator: "k3" },
    },
  ],
  [
    "grpo-no-kl",
    {
      baseline: "mean",
      scale: "group",
      epochs: 1,
      minibatch: 0,
      advantageThreshold: 0.01,
      kl: null,
    },
  ],
  [
    "many-strict",
    {
      reward: "strict",
      baseline: "mean",
      scale: "group",
      aggregate: "token-mean",
      epochs: 1,
      minibatch: 0,
      groupSize: 24,
      tasksPerIteration: 10,
      advantageThreshold: 0,
      kl: { coefficient: 1e-4, estimator: "k3" },
    },
  ],
  [
    "rft",
    { iterations: 1, epochs: 6, groupSize: 8, tasksPerIteration: 240, lowestTemperature: 0.3 },
  ],
  ["sft-gt", { iterations: 1, epochs: 10, tasksPerIteration: 320, taskSampling: "uniform" }],
  ["ei", { epochs: 4 }],
  ["dmpo", { epochs: 2, minibatch: 8 }],
  ["dpo-mcts", { epochs: 2, minibatch: 8, groupSize: 6 }],
])("the section algo of %s on starter has the values that its page states", (method, algo) => {
  expect(resolveConfig({ method }).algo).toMatchObject(algo);
});

test("the preference, tree and critic sections on starter have the values that their pages state", () => {
  expect(resolveConfig({ method: "dmpo" })).toMatchObject({
    preference: { beta: 0.1, minimumGap: 0.1, discount: 0.95, buffer: 0 },
  });
  expect(resolveConfig({ method: "dpo-mcts" })).toMatchObject({
    preference: { beta: 0.3, minimumGap: 0.1, buffer: 1000 },
    tree: { exploration: 1 },
  });
  expect(resolveConfig({ method: "ppo-critic" })).toMatchObject({
    critic: { warmIterations: 2, learningRate: 1e-3, weightDecay: 0.1, finalWeightDecay: 1e-3 },
  });
});
