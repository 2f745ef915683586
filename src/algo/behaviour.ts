/**
 * What agents do, counted over rollouts (arXiv 2502.01600, sections 5.5 and 5.6, appendix A).
 *
 * Keys are metric names without their `behaviour/` prefix. Numbered deviations from the paper's definitions:
 *  1. Calls to documentation are counted as made (calls of the `docs` app), not as mentions in the code's text.
 *  2. Endpoints for the give-up rate are those that a turn called, for the same reason.
 *  3. Cells a turn are counted only where messages fence their code; a compact message is always one cell.
 *
 * A rollout is reduced to a few counts first, and habits are numbers over those. So a file of rollouts is counted as it is
 * read, and how much of a habit ONE rollout has is the same number over it alone.
 */
import { groupBy } from "../core/index.ts";
import type { Rollout, Turn } from "../spec/index.ts";
import { isPassed } from "./statistics.ts";

const FENCED = /```(?:javascript|js|typescript|ts)\b/g;

/** How much of a habit one turn has; their sum is a rollout's. */
const TURN_HABITS = {
  api_calls: ({ calls }: Turn) => calls.length,
  docs_calls: ({ calls }: Turn) => calls.filter(({ app }) => app === "docs").length,
  failed_calls: ({ calls }: Turn) => calls.filter(({ status }) => status >= 400).length,
  errors_per_turn: ({ status }: Turn) => Number(status !== "ok"),
  code_characters: ({ code }: Turn) => code.length,
  assume_mentions: (turn: Turn) => mentions(turn, "assum"),
  dummy_mentions: (turn: Turn) => mentions(turn, "dummy"),
  multiple_cells: (turn: Turn) => Number(cells(turn) > 1),
} as const;
type TurnHabit = keyof typeof TURN_HABITS;

/** What one rollout did, in counts: all that `behaviour` needs of it. */
export interface Habits {
  /** The agent's own. */
  readonly turns: number;
  readonly finished: boolean;
  /** Sums over turns, before they are divided by anything. */
  readonly sums: { readonly [H in TurnHabit]: number };
  /** Whether some message fences its code. */
  readonly fences: boolean;
  /** APIs that failed in some turn, and those of them that worked later. */
  readonly failed: number;
  readonly recovered: number;
  /** Of a passed one: its task and its sequence of calls. */
  readonly passed: { readonly task: string; readonly sequence: string } | undefined;
  /** By habit, the turn (from 0) that shows it most; absent where none does, or where no single turn can. */
  readonly at: { readonly [habit: string]: number };
}

/** Undefined for a rollout that did not run to an end of its own (cancelled, failed). */
export function habitsOf(rollout: Rollout): Habits | undefined {
  const { outcome, evaluation, task, turns } = rollout;
  if (outcome === "cancelled" || outcome === "failed") return undefined;
  const { at: givenUpAt, ...attempts } = attemptsOf(turns);
  const { sums, at } = turnSums(turns);
  return {
    turns: turns.filter(isOwn).length,
    finished: evaluation?.finished === true,
    sums,
    fences: turns.some((turn) => isOwn(turn) && cells(turn) > 0),
    ...attempts,
    passed: isPassed(rollout) ? { task: task.id, sequence: callSequence(rollout) } : undefined,
    at: { ...at, ...(givenUpAt !== undefined && { give_up_rate: givenUpAt }) },
  };
}

/** Named numbers over rollouts that ran (cancelled and failed ones are left out). Empty without any. */
export function behaviour(rollouts: readonly Rollout[]): Record<string, number> {
  return behaviourOf(rollouts.flatMap((rollout) => habitsOf(rollout) ?? []));
}

/** The same of rollouts that are counted already; of one, how much of each habit it has. */
export function behaviourOf(ran: readonly Habits[]): Record<string, number> {
  if (ran.length === 0) return {};
  const total = (count: (habits: Habits) => number) =>
    ran.reduce((sum, habits) => sum + count(habits), 0);
  const turns = total((habits) => habits.turns);
  const perRollout = (name: TurnHabit) => total(({ sums }) => sums[name]) / ran.length;
  const perTurn = (name: TurnHabit) => total(({ sums }) => sums[name]) / Math.max(turns, 1);
  return {
    turns: turns / ran.length,
    unfinished: total(({ finished }) => Number(!finished)) / ran.length,
    api_calls: perRollout("api_calls"),
    docs_calls: perRollout("docs_calls"),
    failed_calls: perRollout("failed_calls"),
    errors_per_turn: perTurn("errors_per_turn"),
    give_up_rate: givenUpShare(ran),
    code_characters: perRollout("code_characters"),
    assume_mentions: perRollout("assume_mentions"),
    dummy_mentions: perRollout("dummy_mentions"),
    // Absent where no message fences its code.
    ...(ran.some(({ fences }) => fences) && { multiple_cells: perTurn("multiple_cells") }),
    ...distinctSequences(ran),
  };
}

/** Turns of the agent; others are notes and the like. */
const isOwn = ({ part }: Turn) => part === undefined;

function turnSums(turns: readonly Turn[]): Pick<Habits, "sums" | "at"> {
  const at: Record<string, number> = {};
  const sums = Object.entries(TURN_HABITS).map(([name, measure]) => {
    let sum = 0;
    let most = 0;
    turns.forEach((turn, i) => {
      const amount = isOwn(turn) ? measure(turn) : 0;
      sum += amount;
      if (amount <= most) return;
      most = amount;
      at[name] = i;
    });
    return [name, sum] as const;
  });
  return { sums: Object.fromEntries(sums) as Habits["sums"], at };
}

/**
 * How often a failed API is given up on: (failed - recovered) / failed. In each rollout, a turn with an execution error
 * puts the endpoints that it called into a set, counting the new ones as failed; a turn without error takes its
 * endpoints out, counting those as recovered. 0 when nothing failed.
 */
export function giveUpRate(rollouts: readonly Rollout[]): number {
  return givenUpShare(rollouts.map(({ turns }) => attemptsOf(turns)));
}

type Attempts = Pick<Habits, "failed" | "recovered">;

function givenUpShare(all: readonly Attempts[]): number {
  const failed = all.reduce((sum, one) => sum + one.failed, 0);
  const recovered = all.reduce((sum, one) => sum + one.recovered, 0);
  return failed === 0 ? 0 : (failed - recovered) / failed;
}

/** `at`: the first turn of which an API was given up on. */
function attemptsOf(turns: readonly Turn[]): Attempts & { readonly at: number | undefined } {
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
  return { failed, recovered, at: [...open.values()][0] };
}

/** Occurrences of a word's stem in what the agent said, case ignored ("assumed" counts once for "assum"). */
function mentions({ message }: Turn, stem: string): number {
  return message.toLowerCase().split(stem).length - 1;
}

/** Fenced blocks of code. */
function cells({ message }: Turn): number {
  return message.match(FENCED)?.length ?? 0;
}

/** Different API-call sequences per passed rollout of a task; absent where no task was passed twice. */
function distinctSequences(ran: readonly Habits[]): Record<string, number> {
  const passed = groupBy(
    ran.flatMap((habits) => habits.passed ?? []),
    ({ task }) => task,
  );
  const repeated = [...passed.values()].filter((group) => group.length > 1);
  if (repeated.length === 0) return {};
  const shares = repeated.map(
    (group) => new Set(group.map(({ sequence }) => sequence)).size / group.length,
  );
  return { distinct_sequences: shares.reduce((sum, share) => sum + share, 0) / shares.length };
}

function callSequence({ turns }: Rollout): string {
  return turns.flatMap(({ calls }) => calls.map(({ app, api }) => `${app}.${api}`)).join(" ");
}
