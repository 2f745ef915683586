/** Decoding: a batch that rows join and leave, a cache of keys and values, and sampling inside the graph. */
export { buildBlockGraph, buildStepGraph } from "./decode-graphs.ts";
export * from "./sampler.ts";
