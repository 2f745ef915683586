/**
 * The continuations of an episode from one state, as the server's events report them. Each grows turn by turn and ends
 * independently of the others. Their summary can be compared with the recorded rollout, which continued from the same
 * state.
 */
import type { Turn } from "../../../src/spec/index.ts";
import type { ContinuationEvent, ForkSet, RolloutRow } from "../../../src/spec/studio/index.ts";

type RolloutEvent = Extract<ContinuationEvent, { type: "rollout" }>;

export interface Continuation {
  readonly turns: readonly Turn[];
  /** How the continuation ended; absent while it is still running. */
  readonly end?: Pick<RolloutEvent, "row" | "checks">;
}

export interface Continuations {
  readonly phase: "running" | "done" | "stopped" | "failed";
  readonly policy?: { readonly name: string; readonly scaffold: string };
  readonly continuations: readonly Continuation[];
  readonly error?: string;
}

export function beginContinuations(count: number): Continuations {
  return { phase: "running", continuations: Array.from({ length: count }, () => ({ turns: [] })) };
}

/** Returns the continuations of a kept fork as they were when they ended. */
export function continuationsOfSet({
  end,
  error,
  policy,
  request,
  results,
}: ForkSet): Continuations {
  const continuations: Continuation[] = results.map(({ turns, row, checks }) => ({
    turns,
    end: { row, checks },
  }));
  const missing = Math.max(0, request.rollouts - results.length);
  return {
    phase: end,
    policy,
    continuations: [...continuations, ...Array.from({ length: missing }, () => ({ turns: [] }))],
    ...(error !== undefined && { error }),
  };
}

/** Applies an event. An event of an unknown continuation changes nothing. */
export function applyEvent(state: Continuations, event: ContinuationEvent): Continuations {
  switch (event.type) {
    case "policy":
      return { ...state, policy: { name: event.name, scaffold: event.scaffold } };
    case "turn":
      return updateContinuation(state, event.index, (one) => ({
        ...one,
        turns: [...one.turns, event.turn],
      }));
    case "rollout": {
      const { turns, row, checks } = event;
      return updateContinuation(state, event.index, () => ({ turns, end: { row, checks } }));
    }
    case "done":
      return { ...state, phase: "done" };
    case "failed":
      return { ...state, phase: "failed", error: event.error };
  }
}

/** Marks running continuations as stopped and keeps their turns. */
export function stopContinuations(state: Continuations): Continuations {
  return state.phase === "running" ? { ...state, phase: "stopped" } : state;
}

export interface ContinuationSummary {
  readonly asked: number;
  readonly ended: number;
  readonly solved: number;
  /** The mean over all continuations with a reward; undefined if none has a reward. */
  readonly meanReward: number | undefined;
  /** The mean reward minus the reward of the record; undefined if one of them is missing. */
  readonly gain: number | undefined;
}

export function summarizeContinuations(
  { continuations }: Continuations,
  record: RolloutRow | undefined,
): ContinuationSummary {
  const rows = continuations.flatMap(({ end }) => (end ? [end.row] : []));
  const rewards = rows.flatMap(({ reward }) => (reward === undefined ? [] : [reward]));
  const meanReward =
    rewards.length === 0 ? undefined : rewards.reduce((a, b) => a + b, 0) / rewards.length;
  const own = record?.reward;
  return {
    asked: continuations.length,
    ended: rows.length,
    solved: rows.filter(({ passed }) => passed).length,
    meanReward,
    gain: meanReward === undefined || own === undefined ? undefined : meanReward - own,
  };
}

function updateContinuation(
  state: Continuations,
  index: number,
  change: (one: Continuation) => Continuation,
): Continuations {
  return {
    ...state,
    continuations: state.continuations.map((one, i) => (i === index ? change(one) : one)),
  };
}
