/**
 * Counts what agents do in rollouts (arXiv 2502.01600, sections 5.5 and 5.6, appendix A).
 *
 * Keys are metric names without their `behaviour/` prefix. Deviations from the paper's definitions:
 *
 *  1. Documentation lookups are counted as calls of the `docs` app, not as mentions in the code's text.
 *  2. The APIs in the give-up rate are those that a turn called, for the same reason.
 *  3. Cells per turn are counted only where messages put code between fences; a compact message is always one cell.
 *
 * Each rollout is first reduced to a few counts, from which all numbers follow. So a file of rollouts can be counted
 * while it is read, and the same numbers can be computed for a single rollout.
 */
import { groupBy } from "../core/index.ts";
import type { Rollout, Turn } from "../spec/index.ts";
import { isPassed } from "./group-statistics.ts";

const CODE_FENCE = /```(?:javascript|js|typescript|ts)\b/g;

/** How much one turn shows each habit. A rollout's number is the sum over its turns. */
const TURN_HABITS = {
  api_calls: ({ calls }: Turn) => calls.length,
  docs_calls: ({ calls }: Turn) => calls.filter(({ app }) => app === "docs").length,
  failed_calls: ({ calls }: Turn) => calls.filter(({ status }) => status >= 400).length,
  errors_per_turn: ({ status }: Turn) => Number(status !== "ok"),
  code_characters: ({ code }: Turn) => code.length,
  assume_mentions: (turn: Turn) => countMentions(turn, "assum"),
  dummy_mentions: (turn: Turn) => countMentions(turn, "dummy"),
  multiple_cells: (turn: Turn) => Number(countFencedCells(turn) > 1),
} as const;
type TurnHabit = keyof typeof TURN_HABITS;

/** Counts of what one rollout did. They are all that `averageHabits` needs to know about it. */
export interface HabitCounts {
  /** Number of turns of the agent itself. */
  readonly turns: number;
  readonly finished: boolean;
  /** The sum of each habit over the agent's turns, not averaged. */
  readonly sums: { readonly [H in TurnHabit]: number };
  /** Whether any message puts code between fences. */
  readonly fences: boolean;
  /** Number of APIs that failed in some turn. */
  readonly failed: number;
  /** Number of failed APIs that a later turn called without an error. */
  readonly recovered: number;
  /** The task of a rollout that passed, and the sequence of its API calls; undefined if it did not pass. */
  readonly passed: { readonly task: string; readonly sequence: string } | undefined;
  /**
   * For each habit, the turn (counted from 0) that shows it most strongly; absent for habits that no single turn shows.
   */
  readonly strongestTurn: { readonly [habit: string]: number };
}

/** Counts the habits of one rollout. Returns undefined for a rollout that was cancelled or failed. */
export function countHabits(rollout: Rollout): HabitCounts | undefined {
  const { outcome, evaluation, task, turns } = rollout;
  if (outcome === "cancelled" || outcome === "failed") return undefined;
  const { firstGivenUpTurn, ...failedApis } = countFailedApis(turns);
  const { sums, strongestTurn } = sumTurnHabits(turns);
  return {
    turns: turns.filter(isAgentTurn).length,
    finished: evaluation?.finished === true,
    sums,
    fences: turns.some((turn) => isAgentTurn(turn) && countFencedCells(turn) > 0),
    ...failedApis,
    passed: isPassed(rollout)
      ? { task: task.id, sequence: describeCallSequence(rollout) }
      : undefined,
    strongestTurn: {
      ...strongestTurn,
      ...(firstGivenUpTurn !== undefined && { give_up_rate: firstGivenUpTurn }),
    },
  };
}

/**
 * Returns numbers on behaviour, by name, as averages over rollouts. Cancelled and failed rollouts are left out; if no
 * rollout remains, the result is empty.
 */
export function measureBehaviour(rollouts: readonly Rollout[]): Record<string, number> {
  return averageHabits(rollouts.flatMap((rollout) => countHabits(rollout) ?? []));
}

/**
 * Returns numbers on behaviour, by name, from rollouts whose habits were counted already. A single rollout may be
 * given.
 */
export function averageHabits(rollouts: readonly HabitCounts[]): Record<string, number> {
  if (rollouts.length === 0) return {};
  const sumOverRollouts = (count: (habits: HabitCounts) => number) =>
    rollouts.reduce((sum, habits) => sum + count(habits), 0);
  const turns = sumOverRollouts((habits) => habits.turns);
  const perRollout = (name: TurnHabit) =>
    sumOverRollouts(({ sums }) => sums[name]) / rollouts.length;
  const perTurn = (name: TurnHabit) =>
    sumOverRollouts(({ sums }) => sums[name]) / Math.max(turns, 1);
  return {
    turns: turns / rollouts.length,
    unfinished: sumOverRollouts(({ finished }) => Number(!finished)) / rollouts.length,
    api_calls: perRollout("api_calls"),
    docs_calls: perRollout("docs_calls"),
    failed_calls: perRollout("failed_calls"),
    errors_per_turn: perTurn("errors_per_turn"),
    give_up_rate: giveUpShare(rollouts),
    code_characters: perRollout("code_characters"),
    assume_mentions: perRollout("assume_mentions"),
    dummy_mentions: perRollout("dummy_mentions"),
    // This number is absent when no message puts code between fences.
    ...(rollouts.some(({ fences }) => fences) && { multiple_cells: perTurn("multiple_cells") }),
    ...measureDistinctSequences(rollouts),
  };
}

/** Returns whether a turn is the agent's own and not a note, plan or other part. */
const isAgentTurn = ({ part }: Turn) => part === undefined;

function sumTurnHabits(turns: readonly Turn[]): Pick<HabitCounts, "sums" | "strongestTurn"> {
  const strongestTurn: Record<string, number> = {};
  const sums = Object.entries(TURN_HABITS).map(([name, measure]) => {
    let sum = 0;
    let most = 0;
    turns.forEach((turn, i) => {
      const amount = isAgentTurn(turn) ? measure(turn) : 0;
      sum += amount;
      if (amount <= most) return;
      most = amount;
      strongestTurn[name] = i;
    });
    return [name, sum] as const;
  });
  return { sums: Object.fromEntries(sums) as HabitCounts["sums"], strongestTurn };
}

/**
 * Returns how often a failed API is given up: (failed - recovered) / failed, or 0 when nothing failed. In each
 * rollout, a turn with an execution error puts the APIs that it called into a set and counts the new ones as failed.
 * A turn without an error removes its APIs from the set and counts those as recovered.
 */
export function giveUpRate(rollouts: readonly Rollout[]): number {
  return giveUpShare(rollouts.map(({ turns }) => countFailedApis(turns)));
}

type FailedApiCounts = Pick<HabitCounts, "failed" | "recovered">;

function giveUpShare(rollouts: readonly FailedApiCounts[]): number {
  const failed = rollouts.reduce((sum, one) => sum + one.failed, 0);
  const recovered = rollouts.reduce((sum, one) => sum + one.recovered, 0);
  return failed === 0 ? 0 : (failed - recovered) / failed;
}

/**
 * Counts the APIs that failed and recovered in a rollout. `firstGivenUpTurn` is the first turn with an API that never
 * recovered.
 */
function countFailedApis(
  turns: readonly Turn[],
): FailedApiCounts & { readonly firstGivenUpTurn: number | undefined } {
  let failed = 0;
  let recovered = 0;
  const open = new Map<string, number>();
  turns.forEach(({ status, calls }, i) => {
    const before = open.size;
    for (const { app, api } of calls) {
      const name = `${app}.${api}`;
      if (status === "ok") open.delete(name);
      else if (!open.has(name)) open.set(name, i);
    }
    if (status === "ok") recovered += before - open.size;
    else failed += open.size - before;
  });
  return { failed, recovered, firstGivenUpTurn: [...open.values()][0] };
}

/** Counts how often a word's stem occurs in the agent's message, ignoring case ("assumed" counts once for "assum"). */
function countMentions({ message }: Turn, stem: string): number {
  return message.toLowerCase().split(stem).length - 1;
}

/** Counts the fenced blocks of code in a message. */
function countFencedCells({ message }: Turn): number {
  return message.match(CODE_FENCE)?.length ?? 0;
}

/**
 * Returns, averaged over tasks, the share of the passed rollouts of a task that differ in their sequence of API calls.
 * The result is empty when no task was passed twice.
 */
function measureDistinctSequences(rollouts: readonly HabitCounts[]): Record<string, number> {
  const passed = groupBy(
    rollouts.flatMap((habits) => habits.passed ?? []),
    ({ task }) => task,
  );
  const repeated = [...passed.values()].filter((group) => group.length > 1);
  if (repeated.length === 0) return {};
  const shares = repeated.map(
    (group) => new Set(group.map(({ sequence }) => sequence)).size / group.length,
  );
  return { distinct_sequences: shares.reduce((sum, share) => sum + share, 0) / shares.length };
}

function describeCallSequence({ turns }: Rollout): string {
  return turns.flatMap(({ calls }) => calls.map(({ app, api }) => `${app}.${api}`)).join(" ");
}
