/**
 * Rollouts of a policy: K for each task of an iteration, one for each task of an evaluation.
 *
 * All run at once and share the engine's decoding batches. What a rollout samples depends on its stream alone, so
 * neither the order of arrival nor how many run together changes a token.
 */
import { type Player, type RolloutHooks, runTask } from "../../agent/index.ts";
import { cancelStragglers, type StragglerOptions } from "../../algo/index.ts";
import { type ConcurrencyLimiter, combineSignals, mapConcurrently } from "../../core/index.ts";
import type {
  Policy,
  Renderer,
  Rollout,
  Scaffold,
  TaskInfo,
  Turn,
  World,
} from "../../spec/index.ts";
import { refuseManyFailures } from "./failures.ts";
import type { RolloutJournal } from "./journal.ts";
import { type WatchedRollout, watchStragglers } from "./straggler-watch.ts";

/** Who acts, and how it is talked to. */
export interface RolloutAgent {
  readonly scaffold: Scaffold;
  readonly renderer?: Renderer;
  /** An agent that is not ours plays instead. */
  readonly player?: Player | undefined;
}

/** One rollout to be run. */
export interface Assignment {
  readonly task: TaskInfo;
  readonly id: string;
  /** Position within its group. */
  readonly index: number;
  readonly stream: number;
  /** Instead of the plan's. */
  readonly temperature?: number;
}

/** What one rollout runs with, where it is not simply the plan's: another shape than the linear one. */
export interface RolloutShape extends Pick<RolloutPlan, "world" | "policy" | "agent"> {
  readonly hooks?: RolloutHooks;
  /** Completes the record, before anyone keeps it. */
  finish?(rollout: Rollout): Promise<Rollout>;
}

/** A fresh shape, for shapes have state. */
export type RolloutShaper = (assignment: Assignment, plan: RolloutPlan) => RolloutShape;

export interface RolloutPlan {
  readonly world: Pick<World, "open">;
  readonly policy: Policy;
  readonly agent: RolloutAgent;
  readonly temperature: number;
  readonly maxTurns: number;
  /** Live episodes at once. */
  readonly episodes: number;
  /** Shared with other collections that run at the same time. */
  readonly limiter?: ConcurrencyLimiter;
  readonly stragglers?: StragglerOptions;
  /** Absent: rollouts are linear. */
  readonly shape?: RolloutShaper | undefined;
  /** Keeps what is finished, and knows what an earlier life finished. */
  readonly journal?: RolloutJournal;
  readonly onDone?: (done: number, rollout: Rollout) => void;
  /** After every turn; not of rollouts that an earlier life finished. */
  readonly onTurn?: (task: TaskInfo, turn: Turn) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs all assignments and returns their records in the same order. Under a straggler rule, rollouts that it drops
 * come back `cancelled`, and are stopped as soon as that is certain. Rejects when `signal` aborts, and with a
 * `tripwire` error when rollouts fail for reasons that are not the policy's.
 */
export async function runAssignments(
  assignments: readonly Assignment[],
  plan: RolloutPlan,
): Promise<readonly Rollout[]> {
  const watch = plan.stragglers && watchStragglers(assignments, plan.stragglers);
  let done = 0;
  const rollouts = await mapConcurrently(
    assignments,
    plan.episodes,
    async (assignment, position) => {
      const kept = plan.journal?.find(assignment);
      const run = async () => {
        plan.signal?.throwIfAborted();
        return runAssignment(assignment, plan, watch?.watchRollout(position));
      };
      const rollout = kept ?? (await (plan.limiter ? plan.limiter(run) : run()));
      if (kept === undefined) plan.journal?.add(rollout);
      plan.signal?.throwIfAborted();
      watch?.endRollout(position, rollout);
      plan.onDone?.(++done, rollout);
      return rollout;
    },
  );
  const hasFailed = rollouts.some(({ outcome }) => outcome === "failed");
  if (hasFailed) refuseManyFailures(rollouts, plan.agent.player);
  return plan.stragglers ? cancelStragglers(rollouts, plan.stragglers) : rollouts;
}

const MAX_ATTEMPTS = 3;

/** One rollout, tried again where the world failed. */
export async function runAssignment(
  assignment: Assignment,
  plan: RolloutPlan,
  watch?: WatchedRollout,
): Promise<Rollout> {
  const signal = combineSignals(plan.signal, watch?.signal);
  const { task, temperature, ...identity } = assignment;
  for (let attempt = 1; ; attempt++) {
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
