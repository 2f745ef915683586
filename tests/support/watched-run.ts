/** Trains on the fake world and records the gradients that the engine receives, for tests of mechanisms of methods. */
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
 * Overrides that make a recipe small: twelve tasks of four rollouts and one step an iteration. The warm start is so
 * short that a third of the rollouts end in one turn, a quarter never end, and a quarter pass.
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

/** The arguments of one call of `accumulate` after the warm start. */
export interface AccumulateCall {
  readonly rows: readonly Row[];
  readonly cotangents: readonly Cotangents[];
}

export interface WatchedRun {
  /** Metrics of each iteration. */
  readonly metrics: readonly Readonly<Record<string, number>>[];
  readonly accumulated: readonly AccumulateCall[];
  /** Rollouts of each iteration; those of iteration n are at index n - 1. */
  readonly rollouts: readonly (readonly Rollout[])[];
  /** The method's state and the table of tasks at the end. */
  readonly state: OnPolicyState & PairState & { readonly taskTable?: TaskTable };
}

export interface WatchOptions {
  /** The recipe; by default `starter/on-policy`, whose method has the mechanisms. */
  readonly recipe?: string;
  /** The method; by default that of the recipe. */
  readonly method?: string;
  readonly world?: World;
  /** Returns the engine that the run gets, given a table engine. */
  readonly engine?: (engine: Engine) => Engine;
}

/** Trains in a temporary folder and returns what was recorded. */
export async function trainAndWatch(
  overrides: Readonly<Record<string, unknown>> = {},
  {
    recipe = "starter/on-policy",
    method: methodName,
    world = fakeWorld(),
    engine: change = (engine) => engine,
  }: WatchOptions = {},
): Promise<WatchedRun> {
  // The folder is in memory, because flushing every checkpoint to a disk would take long.
  const out = createMemoryFolder("bowline-mechanism-");
  const accumulated: AccumulateCall[] = [];
  let isWarm = false;
  const parts = {
    openWorld: async () => world,
    createEngine: async (_: string, { model }: { model: { vocabularySize: number } }) => {
      const engine = change(tableEngine(model.vocabularySize));
      return {
        ...engine,
        publish: () => {
          isWarm = true;
          return engine.publish();
        },
        accumulate: (...args: Parameters<Engine["accumulate"]>) => {
          if (isWarm) accumulated.push({ rows: args[0], cotangents: args[1] });
          return engine.accumulate(...args);
        },
      };
    },
  };
  try {
    const config = resolveConfig({
      recipe,
      ...(methodName !== undefined && { method: methodName }),
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

/** Overrides with enough steps for a trend to show, and without momentum from the warm start. */
export const LONG_RUN = {
  "algo.iterations": 8,
  "optimizer.betas": [0, 0.9],
  "optimizer.learningRate": 0.3,
};

export const STRICT_REWARD = { "algo.reward": "strict" };

/** Returns the field `rewards.terms` in the form that the command line takes. */
export const rewardTerms = (...list: object[]) => ({ "rewards.terms": JSON.stringify(list) });

export const lastItem = <T>(list: readonly T[]): T => list.at(-1)!;

/** Lists the gradient of each action token in one call of `accumulate`. */
export const listGradients = ({ cotangents }: Pick<AccumulateCall, "cotangents">): number[] =>
  cotangents.flatMap(({ logprobs }) => Array.from(logprobs));

/** Groups rollouts by task. It does not call the code under test. */
export function groupByTask(rollouts: readonly Rollout[]): Rollout[][] {
  const groups = new Map<string, Rollout[]>();
  for (const r of rollouts) groups.set(r.task.id, [...(groups.get(r.task.id) ?? []), r]);
  return [...groups.values()];
}

/** Returns the different gradients of each turn, for the first row that has several turns. */
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
