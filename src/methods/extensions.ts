/**
 * What a user can add to any method without changing it: reward terms, filters, a sampler of tasks.
 *
 * Each is a plain function, either the default export of a module or an argument of `train()`. A reward term is added
 * to a rollout's return. A filter sees a graded rollout with its whole group and decides whether it is learned from. A
 * sampler draws an iteration's tasks.
 */
import { type GradedRollout, isScored } from "../algo/index.ts";
import { BowlineError, errorMessageWithCause, type Rng } from "../core/index.ts";
import type { Rollout, TaskInfo } from "../spec/index.ts";

/** What a reward term pays for a rollout: one number at its last turn, or one number for each of its turns. */
export type PaidReward = number | readonly number[];

/**
 * A reward term: returns what is added to the rollout's outcome. It may be slow (a judge, a price list), because it is
 * called for all rollouts of an iteration at once. A number that is not finite, or a list that has not one number for
 * each turn, causes a `config` error that names the term and the rollout.
 */
export type RewardFunction = (rollout: Rollout) => PaidReward | Promise<PaidReward>;

/**
 * A filter: returns whether a graded rollout is learned from. A rollout that is left out was graded before, so its
 * return still counts in the baseline of its group.
 */
export type RolloutFilter = (item: GradedRollout, all: readonly GradedRollout[]) => boolean;

/** What a task sampler receives when it has to draw. */
export interface SamplerInput {
  /** The tasks that may be drawn. */
  readonly tasks: readonly TaskInfo[];
  /** Number of tasks that the iteration needs. */
  readonly count: number;
  /** Number of the iteration, counted from 1. */
  readonly iteration: number;
  /** A random stream that depends on the seed and the iteration alone. */
  readonly rng: Rng;
  /** Exponential average of the share of passed rollouts, by task id. A task that was never tried has none. */
  readonly passRate: Readonly<Record<string, number>>;
}

/** A task sampler: draws `count` different tasks. */
export type TaskSampler = (input: SamplerInput) => readonly TaskInfo[];

/** What a user added: reward terms and filters by name, and at most one sampler. */
export interface Extensions {
  readonly rewards: Readonly<Record<string, RewardFunction>>;
  readonly filters: Readonly<Record<string, RolloutFilter>>;
  readonly sampler?: TaskSampler | undefined;
}

export const NO_EXTENSIONS: Extensions = { rewards: {}, filters: {} };

/** What a user's reward terms paid in an iteration. */
export interface ExtraRewards {
  /** Returns what the terms add to a rollout's outcome, or 0 without terms. */
  rewardOf(rollout: Rollout): number;
  /** Returns what the terms pay at each turn of a rollout. Its sum is `rewardOf`. */
  turnRewards(rollout: Rollout): readonly number[];
  /** The mean of each term over the evaluated rollouts, as `reward/term/<name>`. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** Computes every reward term for every evaluated rollout, all at once. */
export async function computeExtraRewards(
  rollouts: readonly Rollout[],
  { rewards }: Pick<Extensions, "rewards">,
): Promise<ExtraRewards> {
  const scored: readonly Rollout[] = rollouts.filter(isScored);
  const terms = await Promise.all(
    Object.entries(rewards).map(async ([name, term]) => {
      const paid = scored.map((rollout) => computeTermReward(name, term, rollout));
      return { name, paid: await Promise.all(paid) };
    }),
  );
  const byTurn = new Map(
    scored.map((rollout, i) => [
      rollout,
      sumByTurn(
        rollout,
        terms.map(({ paid }) => paid[i]!),
      ),
    ]),
  );
  const turnRewards = (rollout: Rollout) => byTurn.get(rollout) ?? rollout.turns.map(() => 0);
  const sums = new Map(
    scored.map((rollout, i) => [
      rollout,
      terms.reduce((sum, { paid }) => sum + totalPaid(paid[i]!), 0),
    ]),
  );
  const means = terms.map(({ name, paid }) => {
    const total = paid.reduce<number>((sum, value) => sum + totalPaid(value), 0);
    return [`reward/term/${name}`, total / Math.max(paid.length, 1)] as const;
  });
  return {
    rewardOf: (rollout) => sums.get(rollout) ?? 0,
    turnRewards,
    metrics: Object.fromEntries(means),
  };
}

const totalPaid = (paid: PaidReward): number =>
  typeof paid === "number" ? paid : paid.reduce((sum, reward) => sum + reward, 0);

/** Adds up what several terms pay at each turn. A single number is paid at the last turn. */
function sumByTurn({ turns }: Rollout, paid: readonly PaidReward[]): number[] {
  const last = turns.length - 1;
  return turns.map((_, j) =>
    paid.reduce<number>(
      (sum, one) => sum + (typeof one === "number" ? (j === last ? one : 0) : one[j]!),
      0,
    ),
  );
}

async function computeTermReward(
  name: string,
  term: RewardFunction,
  rollout: Rollout,
): Promise<PaidReward> {
  let value: unknown;
  try {
    value = await term(rollout);
  } catch (cause) {
    const problem = `the reward term ${name} failed on rollout ${rollout.id}: ${errorMessageWithCause(cause)}`;
    throw new BowlineError("config", problem, { cause });
  }
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (isListForTurns(value, rollout.turns.length)) return value;
  const { length } = rollout.turns;
  throw new BowlineError(
    "config",
    `the reward term ${name} returned ${formatPaid(value)} for rollout ${rollout.id}: expected a finite number, or a list of ${length}, one for each turn`,
  );
}

function isListForTurns(value: unknown, turns: number): value is number[] {
  return Array.isArray(value) && value.length === turns && value.every(Number.isFinite);
}

const formatPaid = (value: unknown) =>
  Array.isArray(value) ? `[${value.map(String).join(", ")}]` : String(value);

/**
 * Applies the user's filters in order. Returns the rollouts that all of them keep, and the number that each left out as
 * the metric `filter/<name>`.
 */
export function applyFilters(
  graded: readonly GradedRollout[],
  { filters }: Pick<Extensions, "filters">,
): { readonly kept: readonly GradedRollout[]; readonly metrics: Readonly<Record<string, number>> } {
  let kept = graded;
  const metrics: Record<string, number> = {};
  for (const [name, keeps] of Object.entries(filters)) {
    const left = kept.filter((item) => askFilter(name, keeps, item, graded));
    metrics[`filter/${name}`] = kept.length - left.length;
    kept = left;
  }
  return { kept, metrics };
}

/**
 * Returns the answer of a filter, which must be true or false. A promise, for example, counts as true in JavaScript, so
 * an asynchronous filter would keep every rollout without this check.
 */
function askFilter(
  name: string,
  keeps: RolloutFilter,
  item: GradedRollout,
  all: readonly GradedRollout[],
): boolean {
  const { id } = item.rollout;
  let value: unknown;
  try {
    value = keeps(item, all);
  } catch (cause) {
    const problem = `the filter ${name} failed on rollout ${id}: ${errorMessageWithCause(cause)}`;
    throw new BowlineError("config", problem, { cause });
  }
  if (typeof value === "boolean") return value;
  const came = value instanceof Promise ? "a promise" : String(value);
  throw new BowlineError(
    "config",
    `the filter ${name} returned ${came} for rollout ${id}: expected true or false`,
  );
}
