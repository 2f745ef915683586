/** What a run scores before and after, by the names that its files have for them: a split, greedily or sampled. */

/** In the order in which they are taken; `test-challenge` is left to `bowline eval`. */
export const SCORES = ["dev", "test-normal", "dev@T1", "test-normal@T1"] as const;
