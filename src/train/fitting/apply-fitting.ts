/** Reads the limits of a configuration, and returns configurations with other limits. */
import type { Config } from "../config/config.ts";
import { FITTED_LIMITS, type FittedLimit, isFittedLimit } from "../config/limits.ts";
import type { ModelSource } from "../parts/model-source.ts";
import type { FittedValue, FittingRules, RolloutLimitValues } from "./fit-limits.ts";

/** Returns the limits of a configuration that the lengths of demonstrations decide. */
export function readRolloutLimits({ scaffold, model }: Config): RolloutLimitValues {
  const { maxTurns, evaluationTurns, maxTurnTokens, maxTokens } = scaffold;
  return {
    ...{ maxTurns, evaluationTurns, maxTurnTokens, maxTokens },
    contextLength: model.contextLength,
  };
}

/** Returns the configuration with these limits. */
export function withRolloutLimits(
  config: Config,
  { contextLength, ...scaffold }: RolloutLimitValues,
): Config {
  return {
    ...config,
    scaffold: { ...config.scaffold, ...scaffold },
    model: { ...config.model, contextLength },
  };
}

/**
 * Returns what fitting may do to the limits of a configuration. `serverContext` is the context of a server's model, in
 * tokens.
 */
export function readFittingRules(
  { fitting }: Config,
  source: ModelSource,
  serverContext = Infinity,
): FittingRules {
  return { ...fitting, longestContext: Math.min(findLongestContext(source), serverContext) };
}

/** Returns the context of a published model, in tokens; Infinity for a new model, which has any context. */
function findLongestContext(source: ModelSource): number {
  if (source.from === "scratch") return Infinity;
  return source.from === "texts"
    ? source.directory.contextLength
    : source.directory.config.contextLength;
}

/** Returns the values of the limits that a configuration has, by their paths. */
export function readLimits(config: object): ReadonlyMap<FittedLimit, number> {
  const entries = FITTED_LIMITS.flatMap((limit) => {
    const [section = "", field = ""] = limit.split(".");
    const value = (config as Record<string, Record<string, unknown> | undefined>)[section]?.[field];
    return typeof value === "number" ? [[limit, value] as const] : [];
  });
  return new Map(entries);
}

/** Returns the configuration with other values of some limits. */
export function withLimits<C extends object>(config: C, limits: ReadonlyMap<string, number>): C {
  const changed = { ...config } as Record<string, unknown>;
  for (const [path, value] of limits) {
    const [section = "", field = ""] = path.split(".");
    changed[section] = { ...(changed[section] as object), [field]: value };
  }
  return changed as C;
}

/**
 * Returns the configuration with the limits that an earlier run with the same settings has, except those that the user
 * set. `stored` is the configuration of that run.
 */
export function withLimitsOfRun(config: Config, stored: object): Config {
  const kept = new Set<string>(config.fitting.keep);
  const own = readLimits(config);
  const taken = [...readLimits(stored)].filter(([limit]) => !kept.has(limit) && own.has(limit));
  return withLimits(config, new Map(taken));
}

/**
 * Returns true if the limit at this path may differ between the configuration of a run and the one with which it is
 * continued: nobody set it in either of them, so the run's own value counts.
 */
export function isLimitOfRun(path: string, stored: object, now: object): boolean {
  if (!isFittedLimit(path)) return false;
  return !readKeptLimits(stored).includes(path) && !readKeptLimits(now).includes(path);
}

/** Returns the limits that a stored configuration keeps. A run of an older version fitted no limit. */
function readKeptLimits(config: object): readonly string[] {
  const { fitting } = config as { fitting?: { keep?: readonly string[] } };
  return fitting === undefined ? FITTED_LIMITS : (fitting.keep ?? []);
}

/** Returns the limits whose values fitting changed. */
export function listChanges(values: readonly FittedValue[]): readonly FittedValue[] {
  return values.filter(({ before, after }) => before !== after);
}
