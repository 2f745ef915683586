/**
 * Derives the limits of rollouts from the lengths of demonstrations. Everything here is a pure function of numbers.
 *
 * A limit is changed only when too few demonstrations fit, and then it is only raised: to a quantile of what the
 * demonstrations need, plus room for a policy that is less brief than they are. A limit that the user set is kept.
 */
import { isWithinLimits, type RowLength } from "../../agent/index.ts";
import { evaluationTurnsFor, type FittedLimit } from "../config/limits.ts";

/** The lengths of a demonstration or of a recorded conversation. */
export interface DemonstrationLength extends RowLength {
  /** False for a demonstration of the hasty solver, which is usually shorter. */
  readonly isCareful: boolean;
}

/** The limits that the lengths of demonstrations decide. */
export interface RolloutLimitValues {
  readonly maxTurns: number;
  readonly evaluationTurns: number;
  readonly maxTurnTokens: number;
  readonly maxTokens: number;
  readonly contextLength: number;
}

/** One row of the fitting table: a limit, what demonstrations need of it, and what it loses. */
export interface FittedValue {
  readonly limit: FittedLimit;
  readonly before: number;
  readonly after: number;
  /** True if the user set the limit, so that it keeps its value. */
  readonly isKept: boolean;
  /** What demonstrations need: the median, the value that suffices for 95% of them, and the largest. */
  readonly median: number;
  readonly most: number;
  readonly largest: number;
  /** The share of demonstrations for which this limit alone is too small, with the values before and after fitting. */
  readonly lostBefore: number;
  readonly lostAfter: number;
}

/** The result of fitting. `run.json` stores it. */
export interface Fitting {
  /** What was measured. Absent in runs of older versions, which measured demonstrations or conversations. */
  readonly what?: "demonstrations" | "conversations" | "sessions";
  /** How many of them were measured. */
  readonly measured: number;
  /** The share of them that fits into all limits together, before and after fitting. */
  readonly fitsBefore: number;
  readonly fitsAfter: number;
  readonly values: readonly FittedValue[];
}

/** What fitting may do. */
export interface FittingRules {
  /** The share of demonstrations that must fit; null: no limit is changed. */
  readonly share: number | null;
  /** The limits that keep their values, because the user set them. */
  readonly keep: readonly FittedLimit[];
  /** The largest context that the model or the server has, in tokens; Infinity for a new model. */
  readonly longestContext: number;
}

/** The largest values that the fields of the configuration allow. */
const MAX_TURNS = 1000;
const MAX_TOKENS = 131_072;

/** When limits are raised, this share of the demonstrations shall fit, so that nearly none is lost. */
const RAISED_SHARE = 0.99;

/**
 * The room that a limit has beyond what demonstrations need. A sampled policy makes mistakes and corrects them, so its
 * episodes have more turns, and its turns more tokens, than demonstrations.
 */
const withRoom = {
  maxTurns: (needed: number) => Math.min(MAX_TURNS, Math.ceil(needed * 1.25) + 1),
  maxTurnTokens: (needed: number) => Math.min(MAX_TOKENS, roundUp(needed * 1.5, 8)),
  maxTokens: (needed: number) => Math.min(MAX_TOKENS, roundUp(needed * 1.25, 32)),
};

const roundUp = (value: number, step: number) => Math.ceil(value / step) * step;

/** Returns the limits for these demonstrations, and what each of them loses. */
export function fitLimits(
  lengths: readonly DemonstrationLength[],
  before: RolloutLimitValues,
  rules: FittingRules,
): { readonly limits: RolloutLimitValues; readonly fitting: Fitting } {
  const isEnough = rules.share === null || fittingShare(lengths, before) >= rules.share;
  const limits = isEnough ? before : raiseLimits(lengths, before, rules);
  return {
    limits,
    fitting: {
      measured: lengths.length,
      fitsBefore: shareOf(lengths, (length) => isWithinLimits(length, before)),
      fitsAfter: shareOf(lengths, (length) => isWithinLimits(length, limits)),
      values: describeValues(lengths, before, limits, rules),
    },
  };
}

/**
 * Returns the share of demonstrations that fit: of all, or of the careful ones if that is less. Careful demonstrations
 * may be few, but without them nothing shows how a task is done.
 */
function fittingShare(lengths: readonly DemonstrationLength[], limits: RolloutLimitValues): number {
  const fits = (length: RowLength) => isWithinLimits(length, limits);
  const careful = lengths.filter(({ isCareful }) => isCareful);
  return Math.min(shareOf(lengths, fits), shareOf(careful, fits));
}

/** Returns the share of the values for which `holds` is true; 1 for no values. */
function shareOf<T>(values: readonly T[], holds: (value: T) => boolean): number {
  return values.length === 0 ? 1 : values.filter(holds).length / values.length;
}

function raiseLimits(
  lengths: readonly DemonstrationLength[],
  before: RolloutLimitValues,
  { share, keep, longestContext }: FittingRules,
): RolloutLimitValues {
  const needed = findNeededLimits(lengths, Math.max(share ?? 0, RAISED_SHARE));
  const keeps = (limit: FittedLimit) => keep.includes(limit);
  const raise = (limit: keyof typeof withRoom) =>
    keeps(`scaffold.${limit}`)
      ? before[limit]
      : Math.max(before[limit], withRoom[limit](needed[limit]));
  const maxTurns = raise("maxTurns");
  const evaluationTurns = keeps("scaffold.evaluationTurns")
    ? before.evaluationTurns
    : Math.max(
        before.evaluationTurns,
        evaluationTurnsFor(before.evaluationTurns, maxTurns, before.maxTurns),
      );
  const context = keeps("model.contextLength") ? before.contextLength : longestContext;
  const maxTokens = Math.max(before.maxTokens, Math.min(raise("maxTokens"), context));
  const contextLength = Math.max(before.contextLength, maxTokens);
  return {
    maxTurns,
    evaluationTurns,
    maxTurnTokens: raise("maxTurnTokens"),
    maxTokens,
    contextLength,
  };
}

/** The shares of demonstrations whose needs are tried as limits. */
const TRIED_SHARES = [RAISED_SHARE, 0.995, 0.999];

/** Returns the smallest tried limits into which this share of all demonstrations, and of the careful ones, fits. */
function findNeededLimits(
  lengths: readonly DemonstrationLength[],
  share: number,
): RolloutLimitValues {
  const careful = lengths.filter(({ isCareful }) => isCareful);
  const limitsAt = (level: number) => {
    const need = (measure: (length: RowLength) => number) =>
      Math.max(quantile(lengths.map(measure), level), quantile(careful.map(measure), level));
    const maxTurns = need(({ turns }) => turns);
    const maxTokens = need(({ tokens }) => tokens);
    return {
      ...{ maxTurns, maxTokens, evaluationTurns: maxTurns, contextLength: maxTokens },
      maxTurnTokens: need(({ longestTurn }) => longestTurn),
    };
  };
  const level = TRIED_SHARES.find((tried) => fittingShare(lengths, limitsAt(tried)) >= share);
  return limitsAt(level ?? 1);
}

/** Returns the smallest of the values that is at least as large as this share of them; 0 for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const index = Math.min(sorted.length, Math.max(1, Math.ceil(share * sorted.length))) - 1;
  return sorted[index] ?? 0;
}

/** What each limit bounds. Evaluation has no demonstrations of its own, so it needs the turns of training. */
const NEEDS: readonly {
  readonly limit: FittedLimit;
  readonly name: keyof RolloutLimitValues;
  readonly need: (length: RowLength) => number;
}[] = [
  { limit: "scaffold.maxTurns", name: "maxTurns", need: ({ turns }) => turns },
  { limit: "scaffold.evaluationTurns", name: "evaluationTurns", need: ({ turns }) => turns },
  { limit: "scaffold.maxTurnTokens", name: "maxTurnTokens", need: (length) => length.longestTurn },
  { limit: "scaffold.maxTokens", name: "maxTokens", need: ({ tokens }) => tokens },
  { limit: "model.contextLength", name: "contextLength", need: ({ tokens }) => tokens },
];

function describeValues(
  lengths: readonly DemonstrationLength[],
  before: RolloutLimitValues,
  after: RolloutLimitValues,
  { keep }: FittingRules,
): FittedValue[] {
  return NEEDS.map(({ limit, name, need }) =>
    describeValue(limit, lengths.map(need), {
      before: before[name],
      after: after[name],
      isKept: keep.includes(limit),
    }),
  );
}

/** Describes a limit whose values before and after fitting are known. `needs` has what each demonstration needs. */
export function describeValue(
  limit: FittedLimit,
  needs: readonly number[],
  value: Pick<FittedValue, "before" | "after" | "isKept">,
): FittedValue {
  return {
    limit,
    ...value,
    median: quantile(needs, 0.5),
    most: quantile(needs, 0.95),
    largest: quantile(needs, 1),
    lostBefore: shareOf(needs, (need) => need > value.before),
    lostAfter: shareOf(needs, (need) => need > value.after),
  };
}
