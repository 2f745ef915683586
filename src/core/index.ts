/** Seeded randomness, errors, checked arguments, files, pools and workers. No word of the domain appears here. */
export * from "./arguments.ts";
export * from "./elsewhere.ts";
export * from "./errors.ts";
export * from "./fields/index.ts";
export * from "./files.ts";
export * from "./gguf/index.ts";
export * from "./given.ts";
export * from "./group-by.ts";
export * from "./load-module.ts";
export * from "./machine.ts";
export * from "./pool.ts";
export * from "./rng.ts";
export * from "./signals.ts";
export * from "./spawn-worker.ts";
export * from "./stopwatch.ts";
export * from "./tar.ts";
