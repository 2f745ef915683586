/**
 * Numbers and configurations that depend only on the iteration (counted from 0), so that a resumed run continues in the
 * same way.
 *
 * A schedule is plain data: a constant, a straight line or half a cosine from one value to another over a number of
 * iterations, or steps. Weights of reward terms, regularisers and imitation can follow one; a growing horizon is a
 * schedule of `maxTurns` in steps.
 */

/** A number that may change over iterations. */
export type Schedule =
  | number
  | {
      readonly shape: "linear" | "cosine";
      readonly from: number;
      readonly to: number;
      /** Number of iterations after which `to` is reached. The value then stays at `to`. */
      readonly over: number;
    }
  | {
      readonly shape: "steps";
      readonly values: readonly number[];
      /** Number of iterations for which each value holds. The last value holds forever. */
      readonly every: number;
    };

/** Returns the number that a schedule has at an iteration, counted from 0. */
export function scheduledValue(schedule: Schedule, iteration: number): number {
  if (typeof schedule === "number") return schedule;
  if (schedule.shape === "steps") {
    const step = Math.min(Math.floor(iteration / schedule.every), schedule.values.length - 1);
    return schedule.values[step]!;
  }
  const { shape, from, to, over } = schedule;
  const progress = over <= 0 ? 1 : Math.min(Math.max(iteration / over, 0), 1);
  const along = shape === "linear" ? progress : (1 - Math.cos(Math.PI * progress)) / 2;
  return from + (to - from) * along;
}

/** A stretch of iterations with changes to the configuration. */
export interface Stage<Patch> {
  /** Number of iterations that the stage lasts. The last stage lasts until the run ends. */
  readonly iterations: number;
  readonly patch: Patch;
}

/** Returns the configuration patch of the stage that an iteration belongs to, counted from 0. */
export function stagePatchAt<Patch>(
  stages: readonly [Stage<Patch>, ...Stage<Patch>[]],
  iteration: number,
) {
  let end = 0;
  for (const { iterations, patch } of stages) {
    end += iterations;
    if (iteration < end) return patch;
  }
  return stages.at(-1)!.patch;
}
