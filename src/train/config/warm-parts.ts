/** What demonstrations of a warm start can show besides acting, such as writing a plan. */
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
