/**
 * Fits the limits of a user's own agent that imitates nothing. There are no demonstrations to measure, so the policy that
 * training starts with plays some sessions, with wide limits. What the sessions that end by themselves need decides the
 * limits, as demonstrations do.
 */

import { enginePolicy } from "../../agent/index.ts";
import { randomStreamId } from "../../core/index.ts";
import { runAssignments } from "../../methods/index.ts";
import type { Engine, Rollout, TaskInfo, World } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { FITTED_LIMITS } from "../config/limits.ts";
import { countEpisodesAtOnce } from "../config/memory-plan.ts";
import type { Agent } from "../parts/agent.ts";
import type { ModelSource } from "../parts/model-source.ts";
import type { OnEvent } from "../run/events.ts";
import { readFittingRules, readRolloutLimits, withRolloutLimits } from "./apply-fitting.ts";
import {
  type DemonstrationLength,
  type Fitting,
  type FittingRules,
  fitLimits,
  type RolloutLimitValues,
} from "./fit-limits.ts";

/** The number of sessions that are measured. */
const SESSIONS = 10;

/** A session is measured with limits that are this many times as wide as those of the run. */
const WIDENING = 4;

const MAX_TURNS = 1000;
const MAX_TOKENS = 131_072;

/** What the measurement needs from the run. */
export interface SessionSource {
  readonly config: Config;
  readonly source: ModelSource;
  readonly serverContext: number | undefined;
  readonly world: World;
  /** The tasks of the training split. */
  readonly tasks: readonly TaskInfo[];
  /** Creates the user's agent with the limits of this configuration. */
  readonly createAgent: (config: Config) => Agent;
  /** Opens an engine with the weights that training starts with. */
  readonly openEngine: (config: Config) => Promise<Engine>;
  readonly onEvent: OnEvent;
  readonly signal: AbortSignal | undefined;
}

/** Returns true if sessions can change a limit: fitting is on, and the user did not set all limits of rollouts. */
export function canFitToSessions({ fitting, algo }: Config): boolean {
  const limits = FITTED_LIMITS.filter((limit) => /Turn|Tokens$/.test(limit));
  return (
    fitting.share !== null &&
    algo.iterations > 0 &&
    limits.some((limit) => !fitting.keep.includes(limit))
  );
}

/**
 * Plays the sessions and returns the configuration with limits that suit them. `fitting` is undefined when no session
 * ended by itself, so that nothing is known. Rejects with the errors of rollouts.
 */
export async function fitToSessions(
  from: SessionSource,
): Promise<{ readonly config: Config; readonly fitting: Fitting | undefined }> {
  const { config, source, serverContext, onEvent } = from;
  onEvent({ type: "phase-start", phase: "world", detail: `measuring ${SESSIONS} sessions` });
  const before = readRolloutLimits(config);
  const rules = readFittingRules(config, source, serverContext);
  const wide = widenLimits(before, rules);
  const rollouts = await playSessions(from, withRolloutLimits(config, wide));
  const finished = rollouts.filter(({ outcome }) => outcome === "finished").map(measureRollout);
  // An answer that the widened limit cut off does not say how long it would have become.
  const mayBeCut = !rules.keep.includes("scaffold.maxTurnTokens");
  const lengths = finished.filter(
    ({ longestTurn }) => !mayBeCut || longestTurn < wide.maxTurnTokens,
  );
  if (lengths.length < rollouts.length) {
    const text = `${rollouts.length - lengths.length} of ${rollouts.length} sessions of the starting policy did not end, or had an answer that did not end, within ${wide.maxTurns} turns of ${wide.maxTurnTokens} tokens and ${wide.maxTokens} tokens in all, so the limits do not follow them`;
    onEvent({ type: "note", text });
  }
  if (lengths.length === 0) return { config, fitting: undefined };
  const { limits, fitting } = fitLimits(lengths, before, rules);
  return { config: withRolloutLimits(config, limits), fitting: { ...fitting, what: "sessions" } };
}

/** Returns the limits with which sessions are measured. Limits that the user set are kept. */
function widenLimits(before: RolloutLimitValues, rules: FittingRules): RolloutLimitValues {
  const { keep, longestContext } = rules;
  const context = keep.includes("model.contextLength")
    ? before.contextLength
    : Math.min(MAX_TOKENS, longestContext, before.contextLength * WIDENING);
  const maxTokens = keep.includes("scaffold.maxTokens")
    ? before.maxTokens
    : Math.max(before.maxTokens, Math.min(before.maxTokens * WIDENING, context));
  const maxTurns = keep.includes("scaffold.maxTurns")
    ? before.maxTurns
    : Math.min(MAX_TURNS, before.maxTurns * WIDENING);
  const maxTurnTokens = keep.includes("scaffold.maxTurnTokens")
    ? before.maxTurnTokens
    : Math.min(MAX_TOKENS, before.maxTurnTokens * WIDENING);
  const contextLength = Math.max(before.contextLength, maxTokens);
  return { ...before, maxTurns, maxTurnTokens, maxTokens, contextLength };
}

async function playSessions(from: SessionSource, config: Config): Promise<readonly Rollout[]> {
  const { world, tasks, createAgent, openEngine, signal } = from;
  const engine = await openEngine(config);
  try {
    return await runAssignments(chooseTasks(tasks, config.run.seed), {
      world,
      agent: createAgent(config),
      policy: enginePolicy(engine),
      temperature: 1,
      maxTurns: config.scaffold.maxTurns,
      episodes: countEpisodesAtOnce(config),
      signal,
    });
  } finally {
    await engine.close();
  }
}

/** Chooses tasks that lie evenly among all. With fewer tasks than sessions, some are played several times. */
function chooseTasks(tasks: readonly TaskInfo[], seed: number) {
  return Array.from({ length: SESSIONS }, (_, i) => {
    const task = tasks[Math.floor((i * tasks.length) / SESSIONS)]!;
    const stream = randomStreamId(seed, "fitting", task.id, i);
    return { task, id: `fitting/${i}/0`, index: 0, stream };
  });
}

/** Returns what a rollout needs of the limits. A session with several conversations needs its longest row. */
function measureRollout({ turns, tokens, segments = [] }: Rollout): DemonstrationLength {
  const spans = turns.map(({ span: [start, end] = [0, 0] }) => end - start);
  const rows = [tokens, ...segments].map((row) => row?.ids.length ?? 0);
  return {
    turns: turns.length,
    longestTurn: Math.max(0, ...spans),
    tokens: Math.max(...rows),
    isCareful: true,
  };
}
