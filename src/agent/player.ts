/**
 * The interface of a user's own agent, which takes the place of a scaffold: rollouts are collected by calling `play`
 * instead of `runTask`. `trainAgent` makes a player from a user's function (`src/server/agent/player.ts`).
 */
import type { Rollout, TaskInfo, World } from "../spec/index.ts";
import type { RolloutOptions } from "./rollout.ts";

/** Plays a task and returns its rollout record. It is `runTask` for our own agents, or a user's own agent. */
export type Play = (
  world: Pick<World, "open">,
  task: TaskInfo,
  options: RolloutOptions,
) => Promise<Rollout>;

/** A user's own agent, of which rollouts are collected. */
export interface Player {
  /**
   * Keeps the promises of `runTask`: it resolves with a record even when the agent fails (boundary `agent`) or is
   * cancelled, and samples only as `options` say.
   */
  readonly play: Play;
  /**
   * The share of a collection's rollouts that may fail at the boundary `agent`. The run stops when more of them fail.
   */
  readonly maxFailed: number;
}
