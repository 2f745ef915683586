/** Lists all rows in the order of the page. */
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
