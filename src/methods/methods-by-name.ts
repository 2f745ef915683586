/**
 * All methods by name: those of the paper's tables, and the family `on-policy`, which combines LOOP with other
 * mechanisms.
 */
import { ppoCritic } from "./critic.ts";
import { expertIteration, rft, sftGt } from "./imitation.ts";
import { loop } from "./loop.ts";
import type { Method } from "./method.ts";
import {
  grpo,
  grpoNoKl,
  loopRwnorm,
  loopTrajectory,
  loopTrajectoryMean,
  loopTurn,
  manyStrict,
  onPolicy,
  rloo,
} from "./on-policy.ts";
import { dmpo } from "./preference.ts";
import { dpoMcts } from "./tree-preference.ts";

const ALL_METHODS: readonly Method[] = [
  loop,
  loopTurn,
  loopTrajectory,
  loopTrajectoryMean,
  loopRwnorm,
  rloo,
  onPolicy,
  grpo,
  grpoNoKl,
  manyStrict,
  ppoCritic,
  expertIteration,
  rft,
  sftGt,
  dmpo,
  dpoMcts,
];

/** The methods that `--method` knows, by name. */
export const methods: { readonly [name: string]: Method } = Object.fromEntries(
  ALL_METHODS.map((method) => [method.name, method]),
);
