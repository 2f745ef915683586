/** Which parts there are. */

/** Parts of a rollout, beside acting, that a warm start can show. */
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
