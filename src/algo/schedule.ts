/**
 * Numbers and configurations as functions of the iteration (0-based), so that a resumed run continues the same.
 *
 * A schedule is data: a constant, a line or half a cosine from one value to another over a number of iterations, or
 * steps. Weights of reward terms, regularisers and imitation follow one; a growing horizon is steps of `maxTurns`.
 */

/** A number over iterations. */
export type Schedule =
  | number
  | {
      readonly shape: "linear" | "cosine";
      readonly from: number;
      readonly to: number;
      /** Iterations until `to` is reached; it stays there. */
      readonly over: number;
    }
  | {
      readonly shape: "steps";
      readonly values: readonly number[];
      /** Iterations that each value lasts; the last one stays. */
      readonly every: number;
    };

/** The number at a 0-based iteration. */
export function valueAt(schedule: Schedule, iteration: number): number {
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

/** A stretch of training with a configuration of its own. */
export interface Stage<Patch> {
  /** Iterations that it lasts; the last stage stays. */
  readonly iterations: number;
  readonly patch: Patch;
}

/** The patch of the stage that an iteration is in. A schedule without stages is a bug of the caller. */
export function stageAt<Patch>(
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
