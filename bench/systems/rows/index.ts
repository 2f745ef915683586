/** Lists all rows of the systems table in the order of `docs/algorithms/systems.md`. */
import type { System } from "../system.ts";
import { MEMORY_AND_CONTEXT } from "./memory-and-context.ts";
import { OTHER_SHAPES } from "./other-shapes.ts";
import { PARTICIPANTS } from "./participants.ts";
import { PLAIN_ROLLOUTS } from "./plain-rollouts.ts";

export const SYSTEMS: readonly System[] = [
  ...PLAIN_ROLLOUTS,
  ...OTHER_SHAPES,
  ...PARTICIPANTS,
  ...MEMORY_AND_CONTEXT,
];
