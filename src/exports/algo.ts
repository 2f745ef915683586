/** `bowline/algo`: the algorithm's pure functions: rewards, advantages, filters, ratios, objectives, statistics. */
export * from "../algo/index.ts";
