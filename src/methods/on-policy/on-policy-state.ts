/** What on-policy methods remember between iterations; plain data in the checkpoint, each field absent until it is used. */
import type { RolloutBuffer, RunningBaselines } from "../../algo/index.ts";
import type { ShapeState } from "../rollouts/collect-rollouts.ts";
import type { TurnHeads } from "./turn-scores.ts";

/** What groups earned lately, oldest first. */
export interface RecentGroups {
  readonly means: readonly number[];
}

export interface BufferState {
  buffer?: RolloutBuffer;
  recent?: RecentGroups;
}

/** Behind reward terms that are learned. */
export interface HeadState {
  heads?: TurnHeads;
}

export interface OnPolicyState extends ShapeState, BufferState, HeadState {
  running?: RunningBaselines;
  /** Mean entropies of past iterations, oldest first. */
  entropies?: readonly number[];
}
