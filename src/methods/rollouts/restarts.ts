/**
 * Starts rollouts in the middle. Some of an iteration's tasks begin with the first turns of an earlier rollout, taken
 * from a group with different returns. The whole group continues from there.
 *
 * The first turns run again in a new episode, and every observation must equal the recorded one, so that all rollouts
 * of the group continue from the same state. The tokens of these turns are context: an older policy sampled them, and
 * they are not learned from again.
 */
import { maskFirstTurns, taskAfterStep } from "../../agent/index.ts";
import { groupScoredRollouts, rewardOf } from "../../algo/index.ts";
import { BowlineError, Rng, randomStreamId } from "../../core/index.ts";
import type { Episode, Rollout, Sample, TaskInfo } from "../../spec/index.ts";
import { meanOrZero, rewardOptions } from "../learning/metrics.ts";
import { completeRecord } from "./rollout-shaper.ts";
import type { RolloutPlan, RolloutShape, RolloutShaper } from "./run-assignments.ts";
import type { ShapedConfig } from "./shape-config.ts";

type RestartSettings = Extract<ShapedConfig["collect"], { kind: "restarts" }>;
/** A configuration in which rollouts may begin in the middle. */
export type RestartConfig = ShapedConfig & { readonly collect: RestartSettings };

/** The first turns of a rollout, as plain data for the checkpoint. */
export interface StoredPrefix {
  readonly task: string;
  /** Id of the rollout that the turns come from. */
  readonly from: string;
  /** Standard deviation of the returns in the rollout's group. */
  readonly spread: number;
  readonly turns: readonly {
    readonly tokens: readonly number[];
    readonly observation: string;
    readonly status: string;
  }[];
}

/**
 * Returns the pool of beginnings after an iteration. Each task that was tried gets a new beginning, or no beginning if
 * its group had equal returns. Beginnings of groups with the most different returns come first.
 */
export function updatePrefixPool(
  pool: readonly StoredPrefix[],
  rollouts: readonly Rollout[],
  iteration: number,
  config: RestartConfig,
): StoredPrefix[] {
  const groups = groupScoredRollouts(rollouts);
  const tried = new Set(groups.map(([first]) => first!.task.id));
  const fresh = groups.flatMap((group) => choosePrefix(group, iteration, config) ?? []);
  return [...pool.filter(({ task }) => !tried.has(task)), ...fresh]
    .sort((a, b) => b.spread - a.spread || (a.task < b.task ? -1 : 1))
    .slice(0, config.collect.pool);
}

function choosePrefix(
  group: readonly Rollout[],
  iteration: number,
  config: RestartConfig,
): StoredPrefix | undefined {
  const spread = standardDeviation(
    group.map((rollout) => rewardOf(rollout, rewardOptions(config))),
  );
  const long = group.filter(({ turns, tokens }) => tokens !== undefined && turns.length > 1);
  if (spread === 0 || long.length === 0) return undefined;
  const rng = new Rng(randomStreamId(config.run.seed, "restart", iteration, group[0]!.task.id));
  const { id, task, tokens, turns } = rng.pick(long);
  return {
    task: task.id,
    from: id,
    spread,
    turns: turns
      .slice(0, rng.integer(1, turns.length - 1))
      .map(({ span, observation, status }) => ({
        tokens: tokens!.ids.slice(...span!),
        observation,
        status,
      })),
  };
}

/** Returns the population standard deviation. */
function standardDeviation(values: readonly number[]): number {
  const mean = meanOrZero(values);
  return Math.sqrt(meanOrZero(values.map((value) => (value - mean) ** 2)));
}

/**
 * Replaces the last tasks of an iteration by the tasks of the pool's best beginnings. Returns these beginnings by task.
 */
export function chooseRestarts(
  tasks: readonly TaskInfo[],
  pool: readonly StoredPrefix[],
  all: readonly TaskInfo[],
  { collect }: RestartConfig,
): { readonly tasks: readonly TaskInfo[]; readonly starts: ReadonlyMap<string, StoredPrefix> } {
  const known = new Map(all.map((task) => [task.id, task]));
  const wanted = Math.round(collect.share * tasks.length);
  const starts = new Map(
    pool
      .filter(({ task }) => known.has(task))
      .slice(0, wanted)
      .map((prefix) => [prefix.task, prefix] as const),
  );
  const others = tasks.filter(({ id }) => !starts.has(id)).slice(0, tasks.length - starts.size);
  return { tasks: [...others, ...[...starts.keys()].map((id) => known.get(id)!)], starts };
}

/**
 * Creates rollout shapes that first repeat the beginning of the task, if it has one, and otherwise equal the usual
 * shape.
 */
export function createRestartingShaper(
  findStart: (task: TaskInfo) => StoredPrefix | undefined,
  base: RolloutShaper | undefined,
): RolloutShaper {
  return (assignment, plan) => {
    const shape: RolloutShape = base?.(assignment, plan) ?? plan;
    const prefix = findStart(assignment.task);
    const { policy, agent } = shape;
    if (prefix === undefined || policy.kind !== "tokens") return shape;
    let version = -1;
    const live: typeof policy = {
      ...policy,
      sample: async (request, signal) => {
        const sample = await policy.sample(request, signal);
        version = sample.policyVersion;
        return sample;
      },
    };
    const samples = prefix.turns.map(({ tokens }) => makeRecordedSample(tokens, plan));
    let asked = 0;
    return {
      ...shape,
      policy: {
        ...live,
        sample: async (request, signal) => samples[asked++] ?? live.sample(request, signal),
      },
      world: {
        open: async (id) => {
          asked = 0;
          return compareWithRecord(await shape.world.open(id), prefix, {
            agent,
            maxTurns: plan.maxTurns,
          });
        },
      },
      finish: async (rollout) => {
        const { turns } = prefix;
        const full = shape.finish ? await shape.finish(rollout) : rollout;
        if (full.turns.length < turns.length) return full;
        const masked = maskFirstTurns({ ...full, policyVersion: version }, turns.length);
        return completeRecord(masked, { prefix: { from: prefix.from, turns: turns.length } });
      },
    };
  };
}

function makeRecordedSample(tokens: readonly number[], { agent }: RolloutPlan): Sample {
  const stops = agent.renderer?.stopIds.includes(tokens.at(-1) ?? -1) === true;
  const logprobs = tokens.map(() => 0);
  return { tokens, logprobs, stop: stops ? "stop" : "length", policyVersion: -1 };
}

/** Returns an episode that throws a `world` error when a repeated code cell does not answer as recorded. */
function compareWithRecord(
  episode: Episode,
  prefix: StoredPrefix,
  { agent: { scaffold }, maxTurns }: Pick<RolloutPlan, "agent" | "maxTurns">,
): Episode {
  let cell = 0;
  let { task } = episode;
  return {
    task: episode.task,
    evaluate: () => episode.evaluate(),
    fork: () => episode.fork(),
    close: () => episode.close(),
    step: async (code, signal) => {
      const result = await episode.step(code, signal);
      const expected = prefix.turns[cell++];
      if (expected === undefined) return result;
      const came = scaffold.observe(task, result, { turn: cell, maxTurns }).content;
      task = taskAfterStep(task, result);
      if (came === expected.observation && result.status === expected.status) return result;
      throw new BowlineError(
        "world",
        `the beginning of rollout ${prefix.from} gave another result when it ran again: cell ${cell} printed ${JSON.stringify(came.slice(0, 80))}, expected ${JSON.stringify(expected.observation.slice(0, 80))}`,
      );
    },
  };
}
