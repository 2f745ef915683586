/**
 * The scores that a run takes before and after training, by their names in its files and in the order in which they are
 * taken. A score is a split, evaluated greedily or sampled at temperature 1 (`@T1`). Only `bowline eval` evaluates
 * `test-challenge`.
 */
export const SCORE_NAMES = ["dev", "test-normal", "dev@T1", "test-normal@T1"] as const;
