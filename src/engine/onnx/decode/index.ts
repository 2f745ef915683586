/** Decoding: a batch that rows join and leave, over a cache of keys and values, with sampling inside the graph. */
export * from "./sampler.ts";
