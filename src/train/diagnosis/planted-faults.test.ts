/**
 * Tests that each of ten planted misconfigurations is named rightly; the tenth, a learning rate that is 100 times too
 * high, harms only a real network and is in `tests/slow/planted-rate.test.ts`. The diagnosis reads measurements alone: faults of
 * the world and the engine are planted in them, where the configuration does not show them.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { FindingId } from "../../algo/index.ts";
import { fakeEpisode, fakeStepResult } from "../../testing/fake-episode.ts";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import { withEpisodes, withEvaluation, withRequests } from "../../testing/planted-faults.ts";
import type { Makers } from "../parts/makers.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";
import { diagnoseRun } from "./diagnose-run.ts";

const root = createMemoryFolder("bowline-planted-");
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A fake run of 24 groups of six rollouts an iteration, which learns when nothing is planted. */
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

interface Planted {
  readonly makers?: Makers;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly recipe?: string;
}

/** Trains with what was planted and returns the ids of what the diagnosis finds. A run that fails is diagnosed, too. */
async function diagnosePlanted(name: string, planted: Planted): Promise<FindingId[]> {
  const { makers = strictMakers, fields = {}, recipe = "smoke" } = planted;
  const out = join(root, name);
  const config = resolveConfig({ recipe, overrides: { ...RUN, ...fields } });
  await trainWith(makers, config, { out }).catch(() => {});
  return diagnoseRun(out).map(({ id }) => id);
}

/** The fake world, in which cells that are neither "yes" nor "no" fail, as code that cannot be read does elsewhere. */
const strictMakers = withEpisodes(fakeMakers(), (episode) => ({
  ...episode,
  step: async (code, signal) => {
    const result = await episode.step(code, signal);
    return result.finished ? result : { ...result, status: "error" };
  },
}));

/** Episodes in which every cell first calls an API that is down. What the cell says then has no effect. */
const withBrokenTool = withEpisodes(fakeMakers(), (episode) =>
  fakeEpisode({
    task: episode.task,
    run: () =>
      fakeStepResult({
        status: "error",
        text: "503: the door is closed",
        calls: [
          { app: "door", api: "look", args: {}, status: 200, wrote: false },
          { app: "door", api: "open", args: {}, status: 503, wrote: false },
        ],
      }),
  }),
);

/** Episodes that finish only with their third cell. */
const withLongTasks = withEpisodes(fakeMakers(), (episode) => {
  let turns = 0;
  return {
    ...episode,
    step: async (code, signal) => {
      const result = await episode.step(code, signal);
      turns += 1;
      return { ...result, finished: turns >= 3, status: "ok" };
    },
  };
});

function writeFailingJudge(): string {
  const path = join(root, "judge.mjs");
  writeFileSync(
    path,
    'export default () => ({ name: "judge", speak: async () => { throw new TypeError("no key"); } });',
  );
  return path;
}

const PLANTED: readonly (readonly [string, FindingId, () => Planted])[] = [
  [
    "a warm start of too few steps",
    "warm-start-too-short",
    () => ({ fields: { "warm.demonstrations": 16 } }),
  ],
  [
    "answers that are cut",
    "answers-cut",
    () => ({
      makers: withRequests(strictMakers, (one) => ({ ...one, maxTokens: 2 })),
      // With tokens of one byte, "yes" takes three tokens and a stop token.
      fields: { "tokenizer.vocabularySize": 260, "warm.hastyShare": 0 },
    }),
  ],
  [
    "a sampler that waits for another stop token",
    "stop-not-heard",
    () => ({ makers: withRequests(strictMakers, (one) => ({ ...one, stopIds: [] })) }),
  ],
  [
    "a reward that is always 1",
    "reward-constant",
    () => ({
      makers: withEvaluation(strictMakers, (one) => ({
        ...one,
        passed: true,
        checks: one.checks.map((check) => ({ ...check, passed: true })),
      })),
    }),
  ],
  [
    "a reward that depends on the task alone",
    "reward-blind-in-groups",
    () => ({
      makers: withEvaluation(strictMakers, (one, { signature }) => ({
        ...one,
        passed: signature === "say 0",
        checks: one.checks.map((check) => ({ ...check, passed: signature === "say 0" })),
      })),
    }),
  ],
  [
    "temperature 0",
    "samples-equal",
    () => ({ makers: withRequests(strictMakers, (one) => ({ ...one, temperature: 0 })) }),
  ],
  ["an API that never works", "tool-always-fails", () => ({ makers: withBrokenTool })],
  [
    "a judge that always fails",
    "judge-fails",
    () => ({
      recipe: "smoke/on-policy",
      fields: {
        "participants.judge": writeFailingJudge(),
        "rewards.terms": [{ term: "outcome" }, { term: "judge", weight: 0.1 }],
      },
    }),
  ],
  [
    "evaluations with fewer turns than training",
    "evaluation-cut",
    () => ({
      makers: withLongTasks,
      fields: { "scaffold.maxTurns": 4, "scaffold.evaluationTurns": 2 },
    }),
  ],
];

describe("a diagnosis names", () => {
  it.each(PLANTED)("%s: %s", { timeout: 60_000 }, async (name, expected, plant) => {
    expect(await diagnosePlanted(name, plant())).toEqual([expected]);
  });

  it("nothing when nothing is planted", async () => {
    expect(await diagnosePlanted("healthy", {})).toEqual([]);
  });
});
