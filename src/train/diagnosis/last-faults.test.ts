/**
 * Tests ten more misconfigurations, which were written after the rules had been corrected, without a further change.
 * Seven are named rightly. The names of the other three say what is wrong, and what is found is what the test expects.
 */
import { rmSync, writeFileSync } from "node:fs";
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

const root = createMemoryFolder("bowline-last-");
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
  readonly recipe?: string;
  readonly makers?: Makers;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly options?: Partial<TrainOptions>;
}

/** Trains with the fault and returns the ids of what the diagnosis finds. A run that fails is diagnosed, too. */
async function diagnoseFault(name: string, fault: Fault): Promise<FindingId[]> {
  const { recipe = "smoke", makers = fakeMakers(), fields = {}, options = {} } = fault;
  const out = join(root, name);
  const config = resolveConfig({ recipe, overrides: { ...RUN, ...fields } });
  await trainWith(makers, config, { ...options, out }).catch(() => {});
  return diagnoseRun(out).map(({ id }) => id);
}

/** Writes the module of a judge that runs this code for each turn. */
function writeJudge(name: string, body: string): string {
  const path = join(root, `${name}.mjs`);
  writeFileSync(
    path,
    `export default () => ({ name: "judge", speak: async ({ task }) => { ${body} } });`,
  );
  return path;
}

/** Every cell also calls an API of a server that refuses the agent's key. The tasks can be solved without it. */
const withRefusedKey = withEpisodes(fakeMakers(), (episode) => ({
  ...episode,
  step: async (code, signal) => ({
    ...(await episode.step(code, signal)),
    calls: [
      { app: "notes", api: "list", args: {}, status: 200, wrote: false },
      { app: "notes", api: "sync", args: {}, status: 401, wrote: false },
    ],
  }),
}));

/** The first cell prints so much that the conversation is full. */
const withFlood = withEpisodes(fakeMakers(), (episode) => ({
  ...episode,
  step: async (code, signal) => ({
    ...(await episode.step(code, signal)),
    text: "many words of no use ".repeat(40),
    finished: false,
  }),
  evaluate: async () => ({ ...(await episode.evaluate()), passed: false, finished: false }),
}));

const FAULTS: readonly (readonly [string, readonly FindingId[], () => Fault])[] = [
  ["an API that refuses the key", ["tool-always-fails"], () => ({ makers: withRefusedKey })],
  [
    "a judge that fails for half of the tasks",
    ["judge-fails"],
    () => ({
      recipe: "smoke/on-policy",
      fields: {
        "algo.iterations": 1,
        "algo.groupSize": 2,
        "participants.judge": writeJudge(
          "half",
          'if (task.id.charCodeAt(task.id.length - 3) % 2) throw new Error("busy"); return "0.5";',
        ),
        "rewards.terms": [{ term: "outcome" }, { term: "judge", weight: 0.1 }],
      },
    }),
  ],
  [
    "a temperature of 10 (wrong: in the fake world, cells without meaning do not fail)",
    ["turns-run-out"],
    () => ({ makers: withRequests(fakeMakers(), (one) => ({ ...one, temperature: 10 })) }),
  ],
  [
    "a judge that gives each turn the same mark, and pays alone (missed: more turns earn more)",
    [],
    () => ({
      recipe: "smoke/on-policy",
      fields: {
        "participants.judge": writeJudge("same", 'return "0.5";'),
        "rewards.terms": [{ term: "judge" }],
      },
    }),
  ],
  [
    "a threshold of advantages above all of them",
    ["nothing-kept"],
    () => ({ fields: { "algo.advantageThreshold": 2 } }),
  ],
  [
    "a KL term that holds the policy still (missed: single tokens still move)",
    [],
    () => ({ recipe: "smoke/grpo", fields: { "algo.kl.coefficient": 100, "algo.epochs": 2 } }),
  ],
  [
    "checks that crash",
    ["rollouts-fail"],
    () => ({
      makers: withEvaluation(fakeMakers(), () => {
        throw new TypeError("cannot read properties of undefined");
      }),
    }),
  ],
  [
    "tasks of training that nobody can solve",
    ["tasks-too-hard"],
    () => ({
      makers: withEvaluation(fakeMakers(), (one, { split }) =>
        split === "train"
          ? {
              ...one,
              passed: false,
              checks: one.checks.map((check) => ({ ...check, passed: false })),
            }
          : one,
      ),
    }),
  ],
  [
    "observations that fill the conversation",
    ["rows-cut"],
    () => ({ makers: withFlood, fields: { "scaffold.maxTokens": 60, "scaffold.maxTurns": 4 } }),
  ],
  [
    "a server that stops at another token",
    ["rollouts-fail"],
    () => ({
      makers: withRequests(fakeMakers(), (one) => ({
        ...one,
        stopIds: Array.from({ length: 280 }, (_, id) => id),
      })),
    }),
  ],
];

describe("a diagnosis says of", () => {
  it.each(FAULTS)("%s: %j", { timeout: 60_000 }, async (name, expected, plant) => {
    expect(await diagnoseFault(name, plant())).toEqual(expected);
  });
});
