/**
 * The scores that a run can take before and after training, by their names in its files and in the order in which they
 * are taken. A score is a split, evaluated greedily or sampled at temperature 1 (`@T1`).
 */
export const SCORE_NAMES = [
  "dev",
  "test-normal",
  "test-challenge",
  "dev@T1",
  "test-normal@T1",
  "test-challenge@T1",
] as const;

/** The scores that a run takes unless its configuration says otherwise. */
export const DEFAULT_SCORES = SCORE_NAMES.filter((name) => !name.startsWith("test-challenge"));
