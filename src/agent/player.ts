/**
 * An agent of its owner's own, in the place of a scaffold: whoever collects rollouts calls `play` where it would call
 * `runTask`. `trainAgent` makes one of a user's function (`src/server/agent/player.ts`).
 */
import type { Rollout, TaskInfo, World } from "../spec/index.ts";
import type { RolloutOptions } from "./rollout.ts";

/** Plays a task to its record: `runTask` with an agent of ours, or an agent of its owner's own. */
export type Play = (
  world: Pick<World, "open">,
  task: TaskInfo,
  options: RolloutOptions,
) => Promise<Rollout>;

/** An agent that is not ours, as rollouts are collected of it. */
export interface Player {
  /**
   * Keeps to what `runTask` promises: resolves with a record also where the agent fails (boundary `agent`) or is cancelled,
   * and samples by `options` alone.
   */
  readonly play: Play;
  /** Share of the rollouts of a collection that may fail at the boundary `agent`; one more, and the run stops. */
  readonly maxFailed: number;
}
