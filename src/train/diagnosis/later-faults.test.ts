/**
 * Tests ten more misconfigurations. They were written after the diagnosis, which named six of them rightly. Three rules
 * were corrected then: failed evaluations are read, a policy that is certain is not one that is sampled at temperature
 * 0, and a few long answers do not decide how sure a policy is. A reward that pays for failure looks like one that pays
 * for success, because nothing but the reward says what success is, so nothing is found there.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { FindingId } from "../../algo/index.ts";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import { withEpisodes, withEvaluation, withRequests } from "../../testing/planted-faults.ts";
import type { TrainOptions } from "../open/check-request.ts";
import type { Makers } from "../parts/makers.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";
import { diagnoseRun } from "./diagnose-run.ts";

const root = createMemoryFolder("bowline-later-");
afterAll(() => rmSync(root, { recursive: true, force: true }));

const RUN = {
  ...FAKE_RUN,
  "run.gates": "note" as const,
  "world.trainScenarios": 20,
  "algo.iterations": 4,
  "algo.tasksPerIteration": 24,
  "algo.groupSize": 6,
  "algo.minibatch": 32,
  "evaluation.scenarios": 20,
  "evaluation.scores": ["dev", "dev@T1"],
};

interface Fault {
  readonly makers?: Makers;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly options?: Partial<TrainOptions>;
}

/** Trains with the fault and returns the ids of what the diagnosis finds. A run that fails is diagnosed, too. */
async function diagnoseFault(name: string, fault: Fault): Promise<FindingId[]> {
  const { makers = fakeMakers(), fields = {}, options = {} } = fault;
  const out = join(root, name);
  const config = resolveConfig({ recipe: "smoke", overrides: { ...RUN, ...fields } });
  await trainWith(makers, config, { ...options, out }).catch(() => {});
  return diagnoseRun(out).map(({ id }) => id);
}

/** Episodes that finish only with their third cell. All cells can be read. */
const withThreeSteps = withEpisodes(fakeMakers(), (episode) => {
  let turns = 0;
  return {
    ...episode,
    step: async (code, signal) => {
      const result = await episode.step(code, signal);
      turns += 1;
      return { ...result, finished: turns >= 3 };
    },
    evaluate: async () => {
      const evaluation = await episode.evaluate();
      return turns >= 3 ? evaluation : { ...evaluation, passed: false, finished: false };
    },
  };
});

/** Episodes that refuse every cell of the form that the demonstrations have. */
const withOtherForm = withEpisodes(fakeMakers(), (episode) => ({
  ...episode,
  step: async (code, signal) => ({
    ...(await episode.step(code, signal)),
    text: "syntax error",
    status: "error",
    finished: false,
  }),
  evaluate: async () => ({ ...(await episode.evaluate()), passed: false, finished: false }),
}));

/** A world of which every third task cannot be opened. */
function withMissingData(): Makers {
  const makers = fakeMakers();
  return {
    ...makers,
    openWorld: async (...request) => {
      const world = await makers.openWorld(...request);
      return {
        ...world,
        open: (taskId) =>
          taskId.endsWith("/2") ? Promise.reject(new Error("no such file")) : world.open(taskId),
      };
    },
  };
}

const FAULTS: readonly (readonly [string, readonly FindingId[], () => Fault])[] = [
  [
    "fewer turns than the tasks need",
    ["turns-run-out"],
    () => ({ makers: withThreeSteps, fields: { "scaffold.maxTurns": 2 } }),
  ],
  [
    "a filter that leaves out every rollout",
    ["nothing-kept"],
    () => ({ options: { filters: { strict: () => false } } }),
  ],
  [
    "a learning rate that is 10,000 times too low",
    ["steps-too-small"],
    () => ({ fields: { "optimizer.learningRate": 1e-5 } }),
  ],
  [
    "a world that cannot open a third of its tasks",
    ["rollouts-fail"],
    () => ({ makers: withMissingData() }),
  ],
  [
    "a reward term that catches its errors",
    ["reward-term-constant"],
    () => ({ options: { rewards: { style: () => 0 } } }),
  ],
  [
    "demonstrations in a form that the world refuses",
    ["answers-ill-formed"],
    () => ({ makers: withOtherForm }),
  ],
  [
    "conversations that are shorter than the tasks need",
    ["rows-cut"],
    () => ({
      makers: withThreeSteps,
      fields: { "scaffold.maxTurns": 4, "scaffold.maxTokens": 16 },
    }),
  ],
  [
    "one seed for all rollouts",
    ["samples-equal"],
    () => ({ makers: withRequests(fakeMakers(), (one) => ({ ...one, stream: 1 })) }),
  ],
  [
    "demonstrations of which none is right",
    ["tasks-too-hard"],
    () => ({ fields: { "warm.hastyShare": 1, "warm.demonstrations": 384 } }),
  ],
  [
    "a reward that pays for failure",
    [],
    () => ({
      makers: withEvaluation(fakeMakers(), (one) => ({
        ...one,
        passed: !one.passed,
        checks: one.checks.map((check) => ({
          ...check,
          passed: check.label === "guard" || !check.passed,
        })),
      })),
    }),
  ],
];

describe("a diagnosis says of", () => {
  it.each(FAULTS)("%s: %j", { timeout: 60_000 }, async (name, expected, plant) => {
    expect(await diagnoseFault(name, plant())).toEqual(expected);
  });
});
