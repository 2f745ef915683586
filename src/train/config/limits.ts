/**
 * The limits of a run, and how they depend on each other. This is the only place that says which limit follows which.
 *
 * A limit that the user sets is kept. A limit that nobody set follows the limit that it depends on (`followLimits`),
 * and the fitting step may raise it to what demonstrations need (`fitting/`).
 */

/** The fields whose values the fitting step may raise, in the order in which they are shown. */
export const FITTED_LIMITS = [
  "scaffold.maxTurns",
  "scaffold.evaluationTurns",
  "scaffold.maxTurnTokens",
  "scaffold.maxTokens",
  "model.contextLength",
  "scaffold.maxObservationCharacters",
  "scaffold.maxObservationLines",
  "scaffold.maxObservationTokens",
  "algo.tasksPerIteration",
] as const;
export type FittedLimit = (typeof FITTED_LIMITS)[number];

export function isFittedLimit(path: string): path is FittedLimit {
  return (FITTED_LIMITS as readonly string[]).includes(path);
}

/** A limit that follows another one when only the other one is set. */
interface Following {
  readonly limit: string;
  readonly follows: string;
  /**
   * Returns the value of the limit. `value` and `other` are its own value and that of the limit that it follows;
   * `otherBefore` is the value of the other limit before the user set it.
   */
  readonly follow: (value: number, other: number, otherBefore: number) => number;
}

const FOLLOWING_LIMITS: readonly Following[] = [
  {
    limit: "scaffold.evaluationTurns",
    follows: "scaffold.maxTurns",
    // The paper allows more turns in evaluation than in training, and this proportion is kept.
    follow: evaluationTurnsFor,
  },
  {
    limit: "model.contextLength",
    follows: "scaffold.maxTokens",
    follow: (contextLength, maxTokens) => Math.max(contextLength, maxTokens),
  },
  {
    limit: "scaffold.maxTokens",
    follows: "model.contextLength",
    follow: (maxTokens, contextLength) => Math.min(maxTokens, contextLength),
  },
  {
    limit: "warm.rows",
    follows: "warm.demonstrations",
    follow: (rows, demonstrations) => (demonstrations > 0 ? Math.min(rows, demonstrations) : rows),
  },
];

const MAX_TURNS = 1000;

/** Returns the turns of an evaluation when the turns of training change from `turnsBefore` to `turns`. */
export function evaluationTurnsFor(
  evaluationTurns: number,
  turns: number,
  turnsBefore: number,
): number {
  return Math.min(MAX_TURNS, Math.max(1, Math.round((evaluationTurns * turns) / turnsBefore)));
}

/**
 * Returns new values for the limits that follow a limit which the user set, by the paths of their fields. `set` are the
 * paths that the user set. `valueNow` returns a field's present value, and `valueBefore` its value without the user's.
 */
export function followLimits(
  set: ReadonlySet<string>,
  valueNow: (path: string) => unknown,
  valueBefore: (path: string) => unknown,
): ReadonlyMap<string, number> {
  const followed = new Map<string, number>();
  for (const { limit, follows, follow } of FOLLOWING_LIMITS) {
    if (set.has(limit) || !set.has(follows)) continue;
    const numbers = [valueNow(limit), valueNow(follows), valueBefore(follows)];
    if (!numbers.every((number) => typeof number === "number")) continue;
    const [value, other, otherBefore] = numbers as [number, number, number];
    const now = follow(value, other, otherBefore);
    if (now !== value) followed.set(limit, now);
  }
  return followed;
}
