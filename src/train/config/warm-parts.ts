/** The parts of a rollout other than acting that demonstrations of a warm start can show. */
export const WARM_PARTS = [
  "plan",
  "mark",
  "user",
  "heard",
  "state",
  "summary",
  "note",
  "memory",
  "texts",
  "again",
] as const;
export type WarmPart = (typeof WARM_PARTS)[number];
