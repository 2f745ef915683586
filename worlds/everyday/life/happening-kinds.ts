/** The kinds of what the owner and others do together. */
export const HAPPENING_KINDS = [
  "dinner",
  "trip",
  "concert",
  "birthday",
  "match",
  "workshop",
  "picnic",
] as const;
export type HappeningKind = (typeof HAPPENING_KINDS)[number];
