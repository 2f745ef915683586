/** A run of the training loop on the fake world that remembers what was asked of the engine: for tests of mechanisms. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TaskTable } from "../../src/algo/index.ts";
import type { OnPolicyState } from "../../src/methods/on-policy/on-policy-state.ts";
import type { PairState } from "../../src/methods/preference.ts";
import type { Cotangents, Engine, Rollout, Row, World } from "../../src/spec/index.ts";
import { createMemoryFolder } from "../../src/testing/fake-makers.ts";
import { fakeWorld } from "../../src/testing/fake-world.ts";
import { tableEngine } from "../../src/testing/table-engine.ts";
import { readRollouts } from "../../src/train/run/run-store.ts";
import type { TrainerState } from "../../src/train/run/trainer-state.ts";
import { resolveConfig } from "../../src/train/settings/resolve.ts";
import { trainWith } from "../../src/train/train.ts";

/**
 * A recipe made small: the fake world, twelve tasks of four rollouts, one step an iteration, nothing evaluated twice. The
 * warm start is short enough that a third of the rollouts end in one turn, a fourth never, and a fourth pass.
 */
export const SMALL_RUN = {
  "tokenizer.vocabularySize": 280,
  "tokenizer.minimumCount": 5,
  "warm.demonstrations": 96,
  "warm.epochs": 1,
  "warm.rows": 8,
  "warm.learningRate": 0.45,
  "warm.hastyShare": 0.75,
  "world.trainScenarios": 4,
  "algo.iterations": 1,
  "algo.tasksPerIteration": 12,
  "algo.groupSize": 4,
  "algo.epochs": 1,
  "algo.minibatch": 0,
  "algo.taskSampling": "uniform",
  "optimizer.learningRate": 0.1,
  "optimizer.maxGradientNorm": 1e6,
  "scaffold.maxTurns": 3,
  "scaffold.evaluationTurns": 3,
  "scaffold.maxTurnTokens": 8,
  "evaluation.scenarios": 1,
  "evaluation.every": 0,
  "evaluation.scores": ["dev", "test-normal"],
};

/** One call of `accumulate` in the loop; the warm start's are left out. */
export interface AccumulateCall {
  readonly rows: readonly Row[];
  readonly cotangents: readonly Cotangents[];
}

export interface WatchedRun {
  /** A line an iteration. */
  readonly metrics: readonly Readonly<Record<string, number>>[];
  readonly accumulated: readonly AccumulateCall[];
  /** Those that iteration n collected, at n - 1. */
  readonly rollouts: readonly (readonly Rollout[])[];
  /** What the method remembers, beside what is known of tasks. */
  readonly state: OnPolicyState & PairState & { readonly taskTable?: TaskTable };
}

export interface WatchOptions {
  /** Default: `starter` by the method that has the mechanisms. */
  readonly recipe?: string;
  /** Default: the recipe's. */
  readonly method?: string;
  readonly world?: World;
  /** Changes the engine that the run gets. */
  readonly engine?: (engine: Engine) => Engine;
}

/** Trains in a folder of its own, which is gone afterwards. */
export async function trainAndWatch(
  overrides: Readonly<Record<string, unknown>> = {},
  {
    recipe = "starter/on-policy",
    method: by,
    world = fakeWorld(),
    engine: change = (engine) => engine,
  }: WatchOptions = {},
): Promise<WatchedRun> {
  // A run flushes every checkpoint to disk; in memory that costs nothing.
  const out = createMemoryFolder("bowline-mechanism-");
  const accumulated: AccumulateCall[] = [];
  let warmed = false;
  const parts = {
    openWorld: async () => world,
    createEngine: async (_: string, { model }: { model: { vocabularySize: number } }) => {
      const engine = change(tableEngine(model.vocabularySize));
      return {
        ...engine,
        publish: () => {
          warmed = true;
          return engine.publish();
        },
        accumulate: (...asked: Parameters<Engine["accumulate"]>) => {
          if (warmed) accumulated.push({ rows: asked[0], cotangents: asked[1] });
          return engine.accumulate(...asked);
        },
      };
    },
  };
  try {
    const config = resolveConfig({
      recipe,
      ...(by !== undefined && { method: by }),
      overrides: { ...SMALL_RUN, ...overrides },
    });
    await trainWith(parts, config, { out });
    const lines = readFileSync(join(out, "metrics.jsonl"), "utf8").trim().split("\n");
    const metrics = lines.map((line) => JSON.parse(line)).filter(({ phase }) => phase === "loop");
    const rollouts = metrics.map((_, i) =>
      readRollouts(out, `train-${String(i + 1).padStart(4, "0")}`),
    );
    const trainer = readFileSync(join(out, "checkpoints", "latest", "trainer.json"), "utf8");
    const { method, tasks } = JSON.parse(trainer).state as TrainerState;
    const table = tasks.table && { taskTable: tasks.table };
    return { metrics, accumulated, rollouts, state: { ...method, ...table } };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

export type ConfigFields = Readonly<Record<string, unknown>>;

/** Enough steps for a direction to show, without the momentum of the warm start. */
export const LONG_RUN = {
  "algo.iterations": 8,
  "optimizer.betas": [0, 0.9],
  "optimizer.learningRate": 0.3,
};

export const STRICT_REWARD = { "algo.reward": "strict" };

/** `rewards.terms` as the command line takes it. */
export const rewardTerms = (...list: object[]) => ({ "rewards.terms": JSON.stringify(list) });

export const lastItem = <T>(list: readonly T[]): T => list.at(-1)!;

/** Cotangents of all action tokens of a call. */
export const listGradients = ({ cotangents }: Pick<AccumulateCall, "cotangents">): number[] =>
  cotangents.flatMap(({ logprobs }) => Array.from(logprobs));

/** By task; a list of one's own, so that tests do not ask the code under test. */
export function groupByTask(rollouts: readonly Rollout[]): Rollout[][] {
  const groups = new Map<string, Rollout[]>();
  for (const r of rollouts) groups.set(r.task.id, [...(groups.get(r.task.id) ?? []), r]);
  return [...groups.values()];
}

/** Cotangents of the action tokens of each turn of the first row that has several turns. */
export function gradientsPerTurn({ rows, cotangents }: AccumulateCall): Set<number>[] {
  const perRow = rows.map((row, i) => {
    const { turnLengths } = row as unknown as { turnLengths: readonly number[] };
    const all = Array.from(cotangents[i]!.logprobs);
    let next = 0;
    return turnLengths.map((length) => {
      const part = all.slice(next, next + length);
      next += length;
      return new Set(part.map((g) => Number((g * all.length).toFixed(9))));
    });
  });
  return perRow.find((turns) => turns.length > 1)!;
}
