/**
 * What on-policy methods remember between iterations. It is plain data in the checkpoint. A field is absent until it is
 * used.
 */
import type { RolloutBuffer, RunningBaselines } from "../../algo/index.ts";
import type { ShapeState } from "../rollouts/collect-rollouts.ts";
import type { TurnHeads } from "./turn-scores.ts";

/** Mean returns of recent groups, from oldest to newest. */
export interface RecentGroups {
  readonly means: readonly number[];
}

/** Remembered rollouts and recent groups. */
export interface BufferState {
  buffer?: RolloutBuffer;
  recent?: RecentGroups;
}

/** The heads of the reward terms that are learned. */
export interface HeadState {
  heads?: TurnHeads;
}

/** All that an on-policy method may remember between iterations. */
export interface OnPolicyState extends ShapeState, BufferState, HeadState {
  /** Running baselines by group name. */
  running?: RunningBaselines;
  /** Mean entropies of past iterations, from oldest to newest, in nats. */
  entropies?: readonly number[];
}
