/**
 * What a user adds to any method without touching it: reward terms, filters, a way to draw tasks.
 *
 * Each is a plain function; a module exports it as its default, or `train()` is handed it. A reward term is added to what
 * a rollout earns. A filter sees a graded rollout with its whole group and says whether it is learned from. A sampler
 * draws an iteration's tasks.
 */
import { type GradedRollout, isScored } from "../algo/index.ts";
import { BowlineError, errorMessage, type Rng } from "../core/index.ts";
import type { Rollout, TaskInfo } from "../spec/index.ts";

/**
 * What a rollout earns beside its outcome: one number, added to it. It may take its time (a judge, a price list): terms of
 * all rollouts of an iteration are asked at once. Not finite: a `config` error that names the term and the rollout.
 */
export type RewardFunction = (rollout: Rollout) => number | Promise<number>;

/** True: learned from. What is left out has been graded; its return stays in its siblings' baseline. */
export type RolloutFilter = (item: GradedRollout, all: readonly GradedRollout[]) => boolean;

/** What a sampler may look at when it draws. */
export interface SamplerInput {
  /** Those that may be drawn. */
  readonly tasks: readonly TaskInfo[];
  /** How many an iteration needs. */
  readonly count: number;
  /** 1-based. */
  readonly iteration: number;
  /** A stream of its own for (seed, iteration). */
  readonly rng: Rng;
  /** Exponential average of the share of passed rollouts, by the task's id; absent: never seen. */
  readonly passRate: Readonly<Record<string, number>>;
}

/** Draws `count` different tasks. */
export type TaskSampler = (input: SamplerInput) => readonly TaskInfo[];

/** What a user added: reward terms and filters by name, and at most one sampler. */
export interface Extensions {
  readonly rewards: Readonly<Record<string, RewardFunction>>;
  readonly filters: Readonly<Record<string, RolloutFilter>>;
  readonly sampler?: TaskSampler | undefined;
}

export const NO_EXTENSIONS: Extensions = { rewards: {}, filters: {} };

export interface ExtraRewards {
  /** What a rollout earns beside its outcome; nothing where there is no term. */
  rewardOf(rollout: Rollout): number;
  /** `reward/term/<name>`: means over the scored rollouts. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** Asks every term about every scored rollout, all at once. */
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
  const sums = new Map(
    scored.map((rollout, i) => [rollout, terms.reduce((sum, { paid }) => sum + paid[i]!, 0)]),
  );
  const means = terms.map(({ name, paid }) => {
    const total = paid.reduce((sum, value) => sum + value, 0);
    return [`reward/term/${name}`, total / Math.max(paid.length, 1)] as const;
  });
  return { rewardOf: (rollout) => sums.get(rollout) ?? 0, metrics: Object.fromEntries(means) };
}

async function computeTermReward(
  name: string,
  term: RewardFunction,
  rollout: Rollout,
): Promise<number> {
  let value: unknown;
  try {
    value = await term(rollout);
  } catch (cause) {
    const problem = `the reward term ${name} failed on rollout ${rollout.id}: ${errorMessage(cause)}`;
    throw new BowlineError("config", problem, { cause });
  }
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new BowlineError(
    "config",
    `the reward term ${name} paid ${String(value)} for rollout ${rollout.id}: expected a finite number`,
  );
}

/** What the filters leave, and `filter/<name>`: rollouts that each left out, in their order. */
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

/** A promise is true to JavaScript, so a filter that takes its time would keep everything. */
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
    const problem = `the filter ${name} failed on rollout ${id}: ${errorMessage(cause)}`;
    throw new BowlineError("config", problem, { cause });
  }
  if (typeof value === "boolean") return value;
  const came = value instanceof Promise ? "a promise" : String(value);
  throw new BowlineError(
    "config",
    `the filter ${name} said ${came} of rollout ${id}: expected true or false`,
  );
}
