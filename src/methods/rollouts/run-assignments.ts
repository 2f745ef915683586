/**
 * Runs rollouts of a policy: K for each task of an iteration, one for each task of an evaluation.
 *
 * Rollouts run concurrently, at most `plan.episodes` at a time, and share the engine's decoding batches. What a rollout
 * samples depends on its random stream alone, so neither their order nor their number changes a token.
 */
import { type Player, type RolloutHooks, runTask } from "../../agent/index.ts";
import { cancelStragglers, type StragglerOptions } from "../../algo/index.ts";
import {
  type ConcurrencyLimiter,
  combineSignals,
  giveWay,
  mapConcurrently,
} from "../../core/index.ts";
import type {
  Policy,
  Renderer,
  Rollout,
  Scaffold,
  TaskInfo,
  Turn,
  World,
} from "../../spec/index.ts";
import { keepStandingRollouts, throwIfTooManyFailed } from "./failures.ts";
import type { RolloutJournal } from "./rollout-journal.ts";
import { type WatchedRollout, watchStragglers } from "./straggler-watch.ts";

/** Who acts in a rollout, and how the actor is prompted. */
export interface RolloutAgent {
  readonly scaffold: Scaffold;
  readonly renderer?: Renderer;
  /** An external agent that plays instead of the scaffold. */
  readonly player?: Player | undefined;
}

/** One rollout that is to be run. */
export interface Assignment {
  readonly task: TaskInfo;
  readonly id: string;
  /** Index of the rollout within its group. */
  readonly index: number;
  readonly stream: number;
  /** Sampling temperature; default: the plan's. */
  readonly temperature?: number;
}

/** World, policy, agent and hooks of one rollout that is not linear: its context does more than grow. */
export interface RolloutShape extends Pick<RolloutPlan, "world" | "policy" | "agent"> {
  readonly hooks?: RolloutHooks;
  /** Completes the rollout's record before it is stored. */
  finish?(rollout: Rollout): Promise<Rollout>;
}

/** Creates the shape of one rollout. Each rollout gets a new one, because shapes have state. */
export type RolloutShaper = (assignment: Assignment, plan: RolloutPlan) => RolloutShape;

/** What all rollouts that are collected together have in common. */
export interface RolloutPlan {
  readonly world: Pick<World, "open">;
  readonly policy: Policy;
  readonly agent: RolloutAgent;
  readonly temperature: number;
  readonly maxTurns: number;
  /** The largest number of episodes that may be open at the same time. */
  readonly episodes: number;
  /** Limits the rollouts of several collections that run at the same time. */
  readonly limiter?: ConcurrencyLimiter;
  readonly stragglers?: StragglerOptions;
  /** Creates the shape of each rollout. Absent when rollouts are linear. */
  readonly shape?: RolloutShaper | undefined;
  /** Stores finished rollouts, and returns those that were stored before a restart. */
  readonly journal?: RolloutJournal;
  readonly onDone?: (done: number, rollout: Rollout) => void;
  /** Called after every turn. It is not called for rollouts that come from the journal. */
  readonly onTurn?: (task: TaskInfo, turn: Turn) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs all assignments and returns their records in the same order. A rollout that the straggler
 * rule will certainly drop is stopped early, and its outcome is `cancelled`. Rejects when `signal` aborts, and with a
 * `tripwire` error when too many rollouts fail for reasons that are not the policy's.
 */
export async function runAssignments(
  assignments: readonly Assignment[],
  plan: RolloutPlan,
): Promise<readonly Rollout[]> {
  const watch = plan.stragglers && watchStragglers(assignments, plan.stragglers);
  const stored = assignments.map((assignment) => plan.journal?.find(assignment));
  const standing = keepStandingRollouts(stored, plan.agent.player);
  let done = 0;
  const rollouts = await mapConcurrently(
    assignments,
    plan.episodes,
    async (assignment, position) => {
      const journaled = standing[position];
      const runUnlessAborted = async () => {
        plan.signal?.throwIfAborted();
        return runAssignment(assignment, plan, watch?.watchRollout(position));
      };
      const rollout =
        journaled ?? (await (plan.limiter ? plan.limiter(runUnlessAborted) : runUnlessAborted()));
      // The rollout has been paid for, so it is stored before any other work may go on.
      if (journaled === undefined) plan.journal?.add(rollout);
      await giveWay();
      plan.signal?.throwIfAborted();
      watch?.endRollout(position, rollout);
      plan.onDone?.(++done, rollout);
      return rollout;
    },
  );
  const hasFailed = rollouts.some(({ outcome }) => outcome === "failed");
  if (hasFailed) throwIfTooManyFailed(rollouts, plan.agent.player);
  // The rule is applied again to all rollouts, because some ended before it was certain that they are dropped.
  return plan.stragglers ? cancelStragglers(rollouts, plan.stragglers) : rollouts;
}

/** The number of times that a rollout is tried when the world fails. */
const MAX_ATTEMPTS = 3;

/** Runs one rollout. Runs it again when the world failed in a way that may not repeat. */
export async function runAssignment(
  assignment: Assignment,
  plan: RolloutPlan,
  watch?: WatchedRollout,
): Promise<Rollout> {
  const signal = combineSignals(plan.signal, watch?.signal);
  const { task, temperature, ...identity } = assignment;
  for (let attempt = 1; ; attempt++) {
    // A linear rollout has the world, the policy and the agent of the plan.
    const shape: RolloutShape = plan.shape?.(assignment, plan) ?? plan;
    const { player, ...agent } = shape.agent;
    const rollout = await (player?.play ?? runTask)(shape.world, task, {
      ...identity,
      ...agent,
      policy: shape.policy,
      temperature: temperature ?? plan.temperature,
      maxTurns: plan.maxTurns,
      ...(signal && { signal }),
      onTurn: (turn, steps) => {
        plan.onTurn?.(task, turn);
        watch?.onTurn(steps);
      },
      ...(shape.hooks && { hooks: shape.hooks }),
    });
    const record = shape.finish ? await shape.finish(rollout) : rollout;
    if (rollout.failure?.boundary !== "world" || !rollout.failure.retryable) return record;
    if (attempt === MAX_ATTEMPTS) return record;
  }
}
